import { useTranslation } from 'react-i18next';
import { minorFromWire, minorToWire } from '#domain/money.ts';
import { numberFormat } from '#domain/number-format.ts';
import type { TaxTotalPayload } from '#domain/tax/wire.ts';
import type { SummaryRow } from '../ui/summary-rows.tsx';
import { unbroken, useMoney } from './money.tsx';

const rates = numberFormat();

/** Returns a function that writes amounts by tax as rows, with base and tax as their notes, and their sum after them. */
export function useTaxRows(): (totals: readonly TaxTotalPayload[]) => SummaryRow[] {
  const { t } = useTranslation();
  const money = useMoney();
  const note = (base: number, tax: number) =>
    t('tax.report.parts', { base: unbroken(money(base)), tax: unbroken(money(tax)) });
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
      note: note(total.base, total.tax),
      value: money(total.gross),
    }));
    const all = note(sum(totals, 'base'), sum(totals, 'tax'));
    return [
      ...rows,
      { key: 'sum', name: t('tax.report.sum'), note: all, value: money(sum(totals, 'gross')), isSum: true },
    ];
  };
}
