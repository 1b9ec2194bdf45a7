import { Grid } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor } from '../../../../domain/money.ts';
import { Key } from '../../../tender/cash-keypad.tsx';
import { quickAmounts } from './quick-amounts.ts';

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
      {quickAmounts(dueMinor).map(({ kind, minor }) => {
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
