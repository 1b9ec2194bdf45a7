import type { Currency } from './money.ts';

/** The notes and coins of each currency in minor units, the largest first, for counting cash. */
export const denominations: Record<Currency, readonly number[]> = {
  EUR: [50_000, 20_000, 10_000, 5000, 2000, 1000, 500, 200, 100, 50, 20, 10, 5, 2, 1],
  GBP: [5000, 2000, 1000, 500, 200, 100, 50, 20, 10, 5, 2, 1],
  USD: [10_000, 5000, 2000, 1000, 500, 200, 100, 50, 25, 10, 5, 1],
  LKR: [500_000, 100_000, 50_000, 10_000, 5000, 2000, 1000, 500, 200, 100],
};

/** Returns the notes and coins of a currency; none of one that is not known here. */
export const denominationsOf = (currency: string): readonly number[] =>
  (denominations as Partial<Record<string, readonly number[]>>)[currency] ?? [];
