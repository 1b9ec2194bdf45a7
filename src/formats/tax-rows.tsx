import type { TaxTotalPayload } from '#domain/tax/wire.ts';
import { SummaryRows } from '../ui/summary-rows.tsx';
import { useTaxRows } from './use-tax-rows.ts';

/** Amounts by tax, and their sum. */
export function TaxRows({ totals }: { totals: readonly TaxTotalPayload[] }) {
  return <SummaryRows rows={useTaxRows()(totals)} />;
}
