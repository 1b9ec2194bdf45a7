import type { OrderRow } from '#src/db/database.ts';

export interface OrderSum {
  name: 'total' | 'given' | 'paid';
  minor: number;
}

/**
 * Returns the sums that lead from what was agreed to what is due: the total, less what was given back, less what was paid.
 * What is zero is left out.
 */
export function orderSums({ totalMinor, reductionMinor, paidMinor }: OrderRow): OrderSum[] {
  return [
    { name: 'total', minor: totalMinor },
    ...(reductionMinor === 0 ? [] : [{ name: 'given' as const, minor: -reductionMinor }]),
    ...(paidMinor === 0 ? [] : [{ name: 'paid' as const, minor: paidMinor }]),
  ];
}
