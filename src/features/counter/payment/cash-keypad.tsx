import { chakra, Grid } from '@chakra-ui/react';
import { Delete } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor } from '../../../../domain/money.ts';
import { keypadKeys } from './keypad.ts';
import type { KeypadKey } from './keypad.ts';
import { quickCash } from './quick-cash.ts';

const Key = chakra('button', {
  base: {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'center',
    minHeight: '16',
    bg: 'bg.surface',
    borderWidth: '1px',
    borderColor: 'border',
    borderRadius: 'md',
    fontSize: 'lg',
    fontWeight: 'medium',
    fontVariantNumeric: 'tabular-nums',
    cursor: 'pointer',
    userSelect: 'none',
    _hover: { bg: 'bg.hover' },
    _active: { bg: 'accent.subtle' },
  },
});

export function CashKeypad({ onPress }: { onPress: (key: KeypadKey) => void }) {
  const { t } = useTranslation();
  return (
    <Grid
      as="fieldset"
      aria-label={t('counter.payment.keypad')}
      templateColumns="repeat(3, minmax(0, 1fr))"
      autoRows="minmax(4rem, 1fr)"
      maxHeight="24rem"
      flex="1"
      gap="2"
    >
      {keypadKeys.map((key) => (
        <Key key={key} type="button" onClick={() => onPress(key)} aria-label={key === 'back' ? t('counter.payment.back') : undefined}>
          {key === 'back' ? <Delete aria-hidden /> : key}
        </Key>
      ))}
    </Grid>
  );
}

interface QuickAmountsProps {
  dueMinor: number;
  chosenMinor: number | null;
  currency: string;
  onChoose: (minor: number) => void;
}

/** The amounts that customers are likely to hand over. */
export function QuickAmounts({ dueMinor, chosenMinor, currency, onChoose }: QuickAmountsProps) {
  const { t } = useTranslation();
  return (
    <Grid as="fieldset" aria-label={t('counter.payment.quick')} templateColumns="repeat(4, minmax(0, 1fr))" gap="2">
      {quickCash(dueMinor).map(({ kind, minor }) => {
        const amount = formatMinor(minor, '').trim();
        const spoken = formatMinor(minor, currencyLabel(currency));
        return (
          <Key
            key={kind}
            type="button"
            minHeight="12"
            fontSize="md"
            aria-pressed={minor === chosenMinor}
            aria-label={kind === 'exact' ? `${t('counter.payment.exact')} ${spoken}` : spoken}
            onClick={() => onChoose(minor)}
            _pressed={{ bg: 'accent.subtle', borderColor: 'accent.solid', color: 'accent.fg' }}
          >
            {kind === 'exact' ? t('counter.payment.exact') : amount}
          </Key>
        );
      })}
    </Grid>
  );
}
