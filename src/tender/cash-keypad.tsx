import { Grid } from '@chakra-ui/react';
import { Delete } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Key } from '../ui/key.tsx';
import { keypadKeys } from './keypad.ts';
import type { KeypadKey } from './keypad.ts';

export function CashKeypad({ onPress }: { onPress: (key: KeypadKey) => void }) {
  const { t } = useTranslation();
  return (
    <Grid
      as="fieldset"
      aria-label={t('counter.payment.keypad')}
      templateColumns="repeat(3, minmax(0, 1fr))"
      autoRows={{ base: 'minmax(3rem, 1fr)', md: 'minmax(4rem, 1fr)' }}
      maxHeight="24rem"
      flex="1"
      gap="2"
    >
      {keypadKeys.map((key) => (
        <Key
          key={key}
          type="button"
          onClick={() => onPress(key)}
          aria-label={key === 'back' ? t('counter.payment.back') : undefined}
        >
          {key === 'back' ? <Delete aria-hidden /> : key}
        </Key>
      ))}
    </Grid>
  );
}
