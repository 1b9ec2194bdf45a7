/**
 * What a payer withholds of a professional's invoice and pays to the tax agency in the professional's name (IRPF; RD 439/2007,
 * article 95). It lowers what is to be paid, and neither base nor tax.
 */
import { divideRounded, minorFromWire, minorToWire } from '../money.ts';
import type { TaxTotalPayload } from '../tax/wire.ts';

export interface Retention {
  percentage: number;
  /** The sum of the bases, without tax. */
  base: number;
  amount: number;
}

/** The highest that the law has for payments to professionals. */
export const maxRetention = 35;

/** True for a percentage above 0, with at most two decimals. */
export const isRetentionPercentage = (percentage: number): boolean =>
  percentage > 0 && percentage <= maxRetention && Math.round(percentage * 100) / 100 === percentage;

export function retentionOf(taxTotals: readonly TaxTotalPayload[], percentage: number): Retention {
  const baseMinor = taxTotals.reduce((sum, { base }) => sum + minorFromWire(base), 0);
  const amountMinor = divideRounded(baseMinor * Math.round(percentage * 100), 10_000);
  return { percentage, base: minorToWire(baseMinor), amount: minorToWire(amountMinor) };
}
