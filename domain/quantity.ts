/** Quantities are integer thousandths inside and decimals on the wire. Only this file converts. */

import type { DecimalForm } from './decimal.ts';
import { divideRounded } from './money.ts';

/** The form of a typed quantity. A step below one piece means that the unit is measured. */
export const quantityForm = (stepMilli: number): DecimalForm => ({ decimals: 3, isMeasured: stepMilli < 1000 });

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
