/**
 * Discounts (SYNC-2): an amount or a percentage of the plan's subtotal. A treatment stores the agreed amount; services added
 * later don't change it. Amounts are minor units, rates are basis points (1/100 of a percent).
 */
import { minorToWire, rateOf } from '../money.ts';
import { isReasonTooShort } from '../reason.ts';
import { accept, refuse } from '../result.ts';
import type { Result } from '../result.ts';

export type Discount = { kind: 'percent'; bps: number } | { kind: 'amount'; minor: number };

export type PlanDiscount = Discount & { reason: string };

/** Returns the amount of a discount, rounded to the cent and at most the subtotal. */
export function discountOf(discount: Discount | undefined, subtotalMinor: number): number {
  if (!discount) return 0;
  return Math.min(subtotalMinor, discount.kind === 'percent' ? rateOf(subtotalMinor, discount.bps) : discount.minor);
}

/** Returns the largest discount that needs no manager, by the clinic's limit in percent. */
export const freeDiscount = (subtotalMinor: number, limitPercent: number): number =>
  rateOf(subtotalMinor, Math.round(limitPercent * 100));

export interface DiscountTerms {
  discountMinor: number;
  subtotalMinor: number;
  limitPercent: number;
  /** True when the user may exceed the limit. */
  mayExceed: boolean;
  reason: string;
}

/** A discount above the clinic's limit needs a user who may exceed it, and a reason. */
export function decideDiscount({
  discountMinor,
  subtotalMinor,
  limitPercent,
  mayExceed,
  reason,
}: DiscountTerms): Result<null> {
  const amounts = { discount: minorToWire(discountMinor), subtotal: minorToWire(subtotalMinor) };
  if (!Number.isInteger(discountMinor) || discountMinor < 0) return refuse('DISCOUNT_INVALID');
  if (discountMinor > subtotalMinor) return refuse('DISCOUNT_ABOVE_SUBTOTAL', amounts);
  if (discountMinor <= freeDiscount(subtotalMinor, limitPercent)) return accept(null);
  if (!mayExceed) return refuse('DISCOUNT_OVER_LIMIT', { limit: limitPercent, ...amounts });
  return isReasonTooShort(reason) ? refuse('REASON_REQUIRED') : accept(null);
}
