/**
 * Tax that prices include. Amounts are minor units, rates are basis points (1/100 of a percent).
 *
 * There is one rounding rule: the base of an amount is what is left when its tax is taken out, rounded half away from
 * zero to the cent, and the tax is the rest. The base of a part is the difference of two such bases, of the sums with
 * and without it. So the bases of the parts add up to the base of the whole, in whatever parts it was billed or
 * refunded.
 */
import { divideRounded } from '../money.ts';

/** Why a supply bears no tax: the keys of the Spanish tax agency (list L10). Dentistry is `E1`, article 20 of Law 37/1992. */
export const exemptions = ['E1', 'E2', 'E3', 'E4', 'E5', 'E6'] as const;
export type Exemption = (typeof exemptions)[number];

/** The tax category of a service or an item: a rate, or no tax for a reason. */
export type TaxCategory = { exempt: Exemption } | { rateBps: number };

/** An amount with its parts: `grossMinor` = `baseMinor` + `taxMinor`. */
export interface TaxedAmount {
  grossMinor: number;
  baseMinor: number;
  taxMinor: number;
}

export interface TaxTotal extends TaxedAmount {
  category: TaxCategory;
}

export const rateBpsOf = (category: TaxCategory): number => ('rateBps' in category ? category.rateBps : 0);

/** Returns a text that is equal for equal tax categories. */
export const taxKey = (category: TaxCategory): string =>
  'exempt' in category ? category.exempt : String(category.rateBps);

/** The inverse of `taxKey`. */
export const categoryOfKey = (key: string): TaxCategory =>
  /^\d/.test(key) ? { rateBps: Number(key) } : { exempt: key as Exemption };

/** Sorts exempt categories first, then rates from the lowest. */
export function byCategory(a: TaxCategory, b: TaxCategory): number {
  const place = (category: TaxCategory) => taxKey(category).padStart(6, '0');
  return place(a) < place(b) ? -1 : 1;
}

/** Returns the base of an amount that includes tax. */
export const baseOf = (grossMinor: number, rateBps: number): number =>
  divideRounded(grossMinor * 10_000, 10_000 + rateBps);

/** Returns the base and the tax of a part that brings the sum of its category from `beforeMinor` to `afterMinor`. */
export function taxedPart(category: TaxCategory, beforeMinor: number, afterMinor: number): TaxedAmount {
  const rateBps = rateBpsOf(category);
  const grossMinor = afterMinor - beforeMinor;
  const baseMinor = baseOf(afterMinor, rateBps) - baseOf(beforeMinor, rateBps);
  return { grossMinor, baseMinor, taxMinor: grossMinor - baseMinor };
}

/** Adds the totals of several documents, in the order in which the categories first occur. */
export function addedTotals(totals: readonly TaxTotal[]): TaxTotal[] {
  const added = new Map<string, TaxTotal>();
  for (const { category, grossMinor, baseMinor, taxMinor } of totals) {
    const sum = added.get(taxKey(category)) ?? { category, grossMinor: 0, baseMinor: 0, taxMinor: 0 };
    added.set(taxKey(category), {
      category,
      grossMinor: sum.grossMinor + grossMinor,
      baseMinor: sum.baseMinor + baseMinor,
      taxMinor: sum.taxMinor + taxMinor,
    });
  }
  return [...added.values()];
}

/**
 * Shares an amount out in proportion to weights, to the cent: each share is the difference of two rounded sums, so the
 * shares add up to the amount. Where all weights are zero the last one takes everything.
 */
export function shareOut(amountMinor: number, weights: readonly number[]): number[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  let sum = 0;
  let given = 0;
  return weights.map((weight, index) => {
    sum += weight;
    const isLast = index === weights.length - 1;
    const due = whole === 0 ? (isLast ? amountMinor : 0) : Number(roundedQuotient(amountMinor, sum, whole));
    const share = due - given;
    given = due;
    return share;
  });
}

/** Multiplies beyond 2^53: a hundred million euros times itself. */
function roundedQuotient(amount: number, part: number, whole: number): bigint {
  const [a, b] = [BigInt(amount) * BigInt(part), BigInt(whole)];
  const magnitude = ((a < 0n ? -a : a) * 2n + b) / (b * 2n);
  return a < 0n ? -magnitude : magnitude;
}
