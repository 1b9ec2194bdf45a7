import { addedTotals, taxedPart, taxKey } from '#domain/tax/tax.ts';
import type { TaxCategory, TaxedAmount, TaxTotal } from '#domain/tax/tax.ts';

/** Splits amounts into base and tax, each after those before it. The parts of one category add up to its total. */
export function taxedParts(
  parts: readonly { category: TaxCategory; grossMinor: number }[],
): (TaxedAmount & { category: TaxCategory })[] {
  const sums = new Map<string, number>();
  return parts.map(({ category, grossMinor }) => {
    const key = taxKey(category);
    const before = sums.get(key) ?? 0;
    sums.set(key, before + grossMinor);
    return { category, ...taxedPart(category, before, before + grossMinor) };
  });
}

/** Sums amounts by category, in the order in which the categories first occur. */
export const taxTotals = (parts: readonly { category: TaxCategory; grossMinor: number }[]): TaxTotal[] =>
  addedTotals(taxedParts(parts));
