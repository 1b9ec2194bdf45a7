/** Tax that prices include (decision 030). Amounts are cents, by the key of their tax. */
import { cents, groups, proportion, shares, sum, sumOf } from './integers.ts';
import { taxKey } from './standing.ts';
import type { TaxTotal } from './wire.ts';

export type ByTax = ReadonlyMap<string, number>;

export interface TaxPart {
  tax: string;
  gross: number;
  base: number;
  /** The tax itself. */
  amount: number;
}

export const grossOf = (amounts: ByTax): number => sum([...amounts.values()]);

export const byTax = (parts: readonly (readonly [tax: string, cents: number])[]): ByTax =>
  new Map([...groups(parts, ([tax]) => tax)].map(([tax, same]) => [tax, sumOf(same, ([, amount]) => amount)]));

export const plus = (a: ByTax, b: ByTax, sign: 1 | -1 = 1): ByTax =>
  byTax([...a, ...[...b].map(([tax, amount]) => [tax, sign * amount] as const)]);

/** What is left of an amount when its tax is taken out. */
export function baseOf(tax: string, gross: number): number {
  const rate = /^\d/.test(tax) ? Number(tax) : 0;
  return proportion(gross, 10_000, 10_000 + rate);
}

/** Returns what a document states that brings what is invoiced from one state to another. */
export function between(before: ByTax, after: ByTax): TaxPart[] {
  const taxes = [...new Set([...after.keys(), ...before.keys()])];
  return taxes
    .map((tax) => {
      const [from, to] = [before.get(tax) ?? 0, after.get(tax) ?? 0];
      const base = baseOf(tax, to) - baseOf(tax, from);
      return { tax, gross: to - from, base, amount: to - from - base };
    })
    .filter(({ gross }) => gross !== 0);
}

/** Shares an amount out in proportion to positive amounts. */
export function shared(amount: number, weights: ByTax): ByTax {
  const positive = [...weights].filter(([, weight]) => weight > 0);
  const parts = shares(
    amount,
    positive.map(([, weight]) => weight),
  );
  return new Map(positive.map(([tax], index) => [tax, parts[index]!]));
}

export const stated = (totals: readonly TaxTotal[]): TaxPart[] =>
  totals.map((total) => ({
    tax: taxKey(total),
    gross: cents(total.gross),
    base: cents(total.base),
    amount: cents(total.tax),
  }));

/** Adds up what documents state, by tax, without what comes to nothing. */
export const addedTaxes = (parts: readonly TaxPart[]): TaxPart[] =>
  [...groups(parts, ({ tax }) => tax)]
    .map(([tax, same]) => ({
      tax,
      gross: sumOf(same, ({ gross }) => gross),
      base: sumOf(same, ({ base }) => base),
      amount: sumOf(same, ({ amount }) => amount),
    }))
    .sort((a, b) => (a.tax < b.tax ? -1 : 1));
