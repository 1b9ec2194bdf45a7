/**
 * Discounts (SYNC-2): agreed with the plan, as an amount or as a part of what the services come to. A treatment carries the
 * amount that was agreed, whatever is added to it later. Amounts are minor units, rates basis points (1/100 of a percent).
 */
import { rateOf } from '../money.ts';
import { isReasonTooShort } from '../reason.ts';
import { accept, refuse } from '../result.ts';
import type { Result } from '../result.ts';

export type Discount = { kind: 'percent'; bps: number } | { kind: 'amount'; minor: number };

/** As it is asked for, before it becomes an amount. */
export type PlanDiscount = Discount & { reason: string };

/** What a discount takes off: rounded to the cent, and never more than there is. */
export function discountOf(discount: Discount | undefined, subtotalMinor: number): number {
  if (!discount) return 0;
  return Math.min(subtotalMinor, discount.kind === 'percent' ? rateOf(subtotalMinor, discount.bps) : discount.minor);
}

/** The most that anybody at the counter may take off, by the clinic's limit in percent. */
export const freeDiscount = (subtotalMinor: number, limitPercent: number): number =>
  rateOf(subtotalMinor, Math.round(limitPercent * 100));

export interface DiscountTerms {
  discountMinor: number;
  subtotalMinor: number;
  limitPercent: number;
  /** Whether whoever asks may go above the limit. */
  mayExceed: boolean;
  reason: string;
}

/** Above the clinic's limit a discount needs somebody who may give it, and a reason. */
export function decideDiscount({
  discountMinor,
  subtotalMinor,
  limitPercent,
  mayExceed,
  reason,
}: DiscountTerms): Result<null> {
  if (!Number.isInteger(discountMinor) || discountMinor < 0 || discountMinor > subtotalMinor)
    return refuse('AMOUNT_INVALID');
  if (discountMinor <= freeDiscount(subtotalMinor, limitPercent)) return accept(null);
  if (!mayExceed) return refuse('DISCOUNT_OVER_LIMIT', { limit: limitPercent });
  return isReasonTooShort(reason) ? refuse('REASON_REQUIRED') : accept(null);
}
