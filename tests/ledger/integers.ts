/**
 * The arithmetic of the ledger: money is integer cents, a quantity integer thousandths. Products are exact, and everything
 * is rounded half away from zero.
 */

/** Converts a wire decimal with two places. */
export const cents = (amount: number): number => Number(amount.toFixed(2).replace('.', '')) + 0;

/** Converts cents to a wire decimal. */
export const euros = (minor: number): number => minor / 100;

/** Converts a wire decimal with three places. */
export const thousandths = (quantity: number): number => Number(quantity.toFixed(3).replace('.', '')) + 0;

/** Returns `amount × part / whole`. */
export function proportion(amount: number, part: number, whole: number): number {
  const product = BigInt(amount) * BigInt(part);
  const [size, divisor] = [product < 0n ? -product : product, BigInt(whole)];
  const quotient = Number((size + size + divisor) / (divisor + divisor));
  return product < 0n ? 0 - quotient : quotient;
}

/**
 * Shares an amount out by weights. A share ends where the rounded part of all weights up to it ends, and begins where the
 * one before it ended. Without any weight the last one takes all.
 */
export function shares(amount: number, weights: readonly number[]): number[] {
  const whole = sum(weights);
  let reached = 0;
  return weights.map((_, index) => {
    const upTo = sum(weights.slice(0, index + 1));
    const end = whole > 0 ? proportion(amount, upTo, whole) : index === weights.length - 1 ? amount : 0;
    const share = end - reached;
    reached = end;
    return share;
  });
}

export const sum = (amounts: readonly number[]): number => amounts.reduce((total, amount) => total + amount, 0);

export const sumOf = <T>(values: readonly T[], of: (value: T) => number): number => sum(values.map(of));

export function groups<T, K>(values: readonly T[], keyOf: (value: T) => K): Map<K, T[]> {
  const found = new Map<K, T[]>();
  for (const value of values) found.set(keyOf(value), [...(found.get(keyOf(value)) ?? []), value]);
  return found;
}
