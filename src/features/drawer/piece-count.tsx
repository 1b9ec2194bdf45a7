import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { denominations } from '../../../domain/drawer/denominations.ts';
import { currencyLabel, formatMinor } from '../../../domain/money.ts';
import { useClinicSettings } from '../../local-data/use-clinic-settings.ts';
import { TextField } from '../../ui/text-field.tsx';
import { useCount } from './count-draft.ts';

/** How many there are of each note and coin; their sum is the cash. */
export function PieceCount() {
  const { t } = useTranslation();
  const { currency } = useClinicSettings();
  const { pieces, setPieces } = useCount();
  return (
    <chakra.div display="grid" gridTemplateColumns="repeat(auto-fill, minmax(8.5rem, 1fr))" gap="3">
      {denominations[currency].map((denomination) => {
        const amount = formatMinor(denomination, currencyLabel(currency));
        return (
          <TextField
            key={denomination}
            label={amount}
            aria-label={t('drawer.count.piece', { amount })}
            inputMode="numeric"
            autoComplete="off"
            maxLength={6}
            value={pieces?.[denomination] ?? ''}
            onChange={(event) => setPieces(denomination, event.target.value)}
            textAlign="end"
            fontVariantNumeric="tabular-nums"
          />
        );
      })}
    </chakra.div>
  );
}
