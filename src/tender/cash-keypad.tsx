import { Delete } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Key } from '../ui/key.tsx';
import styles from './cash-keypad.module.css';
import { keypadKeys } from './keypad.ts';
import type { KeypadKey } from './keypad.ts';

export function CashKeypad({ onPress }: { onPress: (key: KeypadKey) => void }) {
  const { t } = useTranslation();
  return (
    <fieldset aria-label={t('counter.payment.keypad')} className={styles['keys']}>
      {keypadKeys.map((key) => (
        <Key key={key} onClick={() => onPress(key)} aria-label={key === 'back' ? t('counter.payment.back') : undefined}>
          {key === 'back' ? <Delete aria-hidden /> : key}
        </Key>
      ))}
    </fieldset>
  );
}
