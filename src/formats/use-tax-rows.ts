import { useTranslation } from 'react-i18next';
import { minorFromWire, minorToWire } from '#domain/money.ts';
import { numberFormat } from '#domain/number-format.ts';
import type { TaxTotalPayload } from '#domain/tax/wire.ts';
import type { SummaryRow } from '../ui/summary-rows.tsx';
import { unbroken, useMoney } from './money.tsx';

const rates = numberFormat();

export interface TaxRow extends SummaryRow {
  base: string;
  tax: string;
}

/** Returns a function that writes amounts by tax as rows, with base and tax as their notes, and their sum after them. */
export function useTaxRows(): (totals: readonly TaxTotalPayload[]) => TaxRow[] {
  const { t } = useTranslation();
  const money = useMoney();
  const parts = (base: number, tax: number) => {
    const amounts = { base: money(base), tax: money(tax) };
    // Each part stays whole: a line ends between them.
    return { ...amounts, note: t('tax.report.parts', amounts).split(' · ').map(unbroken).join(' · ') };
  };
  const sum = (totals: readonly TaxTotalPayload[], field: 'base' | 'tax' | 'gross') =>
    minorToWire(totals.reduce((minor, total) => minor + minorFromWire(total[field]), 0));
  return (totals) => {
    if (totals.length === 0) return [];
    const rows = totals.map((total) => ({
      key: 'exempt' in total ? total.exempt : `${total.rate}`,
      name:
        'exempt' in total
          ? `${t('print.labels.tax.exempt')} (${total.exempt})`
          : `${t('print.labels.tax.rate')} ${rates.format(total.rate)} %`,
      ...parts(total.base, total.tax),
      value: money(total.gross),
    }));
    const all = parts(sum(totals, 'base'), sum(totals, 'tax'));
    return [
      ...rows,
      { key: 'sum', name: t('tax.report.sum'), ...all, value: money(sum(totals, 'gross')), isSum: true },
    ];
  };
}
