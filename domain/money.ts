/**
 * Money is an integer count of minor units (cents) everywhere inside, and a decimal number with two places on the
 * wire. These are the only conversions.
 */

/** Currencies that a clinic can choose in its settings. */
export const currencies = ['LKR', 'USD', 'EUR', 'GBP'] as const;
export type Currency = (typeof currencies)[number];

/** The largest amount that is accepted anywhere, in minor units: ten thousand million major units. */
export const maxMinor = 1_000_000_000_000;

/** Wire decimal (2 places) to minor units. A two-place decimal is within 1e-4 of its true hundredfold, so rounding is exact. */
export function minorFromWire(amount: number): number {
  // `+ 0` turns a negative zero into zero, which JSON and equality would otherwise tell apart.
  return Math.round(amount * 100) + 0;
}

/** Minor units to the wire decimal. */
export function minorToWire(minor: number): number {
  return minor / 100;
}

/**
 * A rate of an amount in basis points (1/100 of a percent), rounded half away from zero to the cent.
 * Both amounts in minor units.
 */
export function rateOf(minor: number, rateBps: number): number {
  return divideRounded(minor * rateBps, 10_000);
}

/** Integer division rounded half away from zero, which is how a till rounds. */
export function divideRounded(numerator: number, denominator: number): number {
  const quotient = Math.floor((Math.abs(numerator) * 2 + denominator) / (denominator * 2));
  return numerator < 0 ? 0 - quotient : quotient;
}

const spanishDecimal = /* @__PURE__ */ new Intl.NumberFormat('es-ES', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

/** What stands before the number: the currency's code, but `Rs` for Sri Lankan rupees. */
export function currencyLabel(currency: string): string {
  return currency === 'LKR' ? 'Rs' : currency;
}

/**
 * An amount as staff and customers read it: the label, then the number in Spanish form with two decimals.
 * Anything that is not a finite number reads as zero.
 */
export function formatMinor(minor: unknown, label = 'EUR'): string {
  const amount = typeof minor === 'number' && Number.isFinite(minor) ? minor : 0;
  return `${label} ${spanishDecimal.format(amount / 100)}`;
}
