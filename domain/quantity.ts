/** Quantities are integer thousandths inside and decimals on the wire. Only this file converts. */

import { divideRounded } from './money.ts';

export function milliFromWire(quantity: number): number {
  return Math.round(quantity * 1000) + 0;
}

export function milliToWire(milli: number): number {
  return milli / 1000;
}

/** Returns quantity times unit price in minor units, rounded half away from zero. */
export function extend(quantityMilli: number, unitPriceMinor: number): number {
  return divideRounded(quantityMilli * unitPriceMinor, 1000);
}
