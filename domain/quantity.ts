/** Quantities are integer thousandths inside and plain decimals on the wire; these are the only conversions. */

import { divideRounded } from './money.ts';

/** The largest quantity accepted anywhere, in thousandths. */
export const maxMilli = 1_000_000_000;

export function milliFromWire(quantity: number): number {
  return Math.round(quantity * 1000) + 0;
}

export function milliToWire(milli: number): number {
  return milli / 1000;
}

/** What a line costs, in minor units: quantity times unit price, rounded half away from zero to the cent. */
export function extend(quantityMilli: number, unitPriceMinor: number): number {
  return divideRounded(quantityMilli * unitPriceMinor, 1000);
}
