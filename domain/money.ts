/** Money is an integer number of minor units (cents) inside, and a decimal with two places on the wire. Only this file converts. */

import { formatInteger } from './number-format.ts';

/** The currencies that a clinic can choose. */
export const currencies = ['LKR', 'USD', 'EUR', 'GBP'] as const;
export type Currency = (typeof currencies)[number];

/** Converts a wire decimal to minor units. Rounding is exact, because a double holds two decimals closely enough. */
export function minorFromWire(amount: number): number {
  // `+ 0` turns a negative zero into zero, which JSON and equality would otherwise tell apart.
  return Math.round(amount * 100) + 0;
}

/** Converts minor units to a wire decimal. */
export function minorToWire(minor: number): number {
  return minor / 100;
}

/** Applies a rate in basis points (1/100 of a percent) to an amount, rounded half away from zero. */
export function rateOf(minor: number, rateBps: number): number {
  return divideRounded(minor * rateBps, 10_000);
}

/** Returns an amount raised by a rate in basis points, or lowered by a negative one. */
export const withRate = (minor: number, rateBps: number): number => minor + rateOf(minor, rateBps);

/** Divides integers and rounds half away from zero, as tills do. */
export function divideRounded(numerator: number, denominator: number): number {
  const quotient = Math.floor((Math.abs(numerator) * 2 + denominator) / (denominator * 2));
  return numerator < 0 ? 0 - quotient : quotient;
}

/** Returns a part of a whole as a percentage with that many decimals; 0 of a whole that is not positive. */
export function shareOf(partMinor: number, wholeMinor: number, decimals: 1 | 2): number {
  const scale = 10 ** decimals;
  return wholeMinor <= 0 ? 0 : divideRounded(partMinor * 100 * scale, wholeMinor) / scale;
}

/** Returns the label before an amount: the currency's code, or `Rs` for Sri Lankan rupees. */
export function currencyLabel(currency: string): string {
  return currency === 'LKR' ? 'Rs' : currency;
}

/** Formats an amount without its currency, with two decimals. Anything that is not a finite number is formatted as zero. */
export function formatAmount(minor: unknown): string {
  const amount = typeof minor === 'number' && Number.isFinite(minor) ? Math.round(minor) : 0;
  const cents = Math.abs(amount);
  const decimals = String(cents % 100).padStart(2, '0');
  return `${amount < 0 ? '-' : ''}${formatInteger(Math.floor(cents / 100))},${decimals}`;
}

/** Formats an amount behind the label of its currency. */
export function formatMinor(minor: unknown, label = 'EUR'): string {
  return `${label} ${formatAmount(minor)}`;
}
