import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor, minorFromWire } from '#domain/money.ts';
import type { OtherRevenue } from '#domain/report/resources.ts';
import { useClinicFormats } from '../formats/use-formats.ts';

/** What the figures of a report leave out because it is in another currency; nothing for most clinics. */
export function OtherCurrencies({ others = [] }: { others: readonly OtherRevenue[] | undefined }) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  if (others.length === 0) return null;
  return (
    <chakra.ul listStyleType="none" color="fg.muted" fontVariantNumeric="tabular-nums">
      {others.map(({ currency, orders, revenue }) => (
        <li key={currency}>
          {t('reports.others', {
            currency: currencyLabel(currency),
            amount: formatMinor(minorFromWire(revenue), currencyLabel(currency)),
            orders: formats.quantity(orders),
          })}
        </li>
      ))}
    </chakra.ul>
  );
}
