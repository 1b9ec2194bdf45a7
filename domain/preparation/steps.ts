/**
 * The preparation status of a treatment's line. It is independent of the treatment: payments, added services, refunds and
 * cancels are possible in any preparation status.
 *
 *   pending ⇄ preparing ⇄ ready ⇄ served
 */
import { accept, refuse } from '../result.ts';
import type { Result } from '../result.ts';

export const preparationStatuses = ['pending', 'preparing', 'ready', 'served'] as const;
export type PreparationStatus = (typeof preparationStatuses)[number];

/** Returns the next status; undefined after `served`. */
export const stepAfter = (status: PreparationStatus): PreparationStatus | undefined =>
  preparationStatuses[preparationStatuses.indexOf(status) + 1];

/** Returns the previous status; undefined before `pending`. */
export const stepBefore = (status: PreparationStatus): PreparationStatus | undefined =>
  preparationStatuses[preparationStatuses.indexOf(status) - 1];

/** Allows one step forward or back. Staying is accepted, because two people may make the same move. */
export function decideStep(from: PreparationStatus, to: PreparationStatus): Result<PreparationStatus> {
  return to === from || to === stepAfter(from) || to === stepBefore(from)
    ? accept(to)
    : refuse('PREPARATION_STEP', { from, to });
}

/** The urgency of a waiting item: `soon` from half of the clinic's limit on, `late` from the limit on. */
export type Urgency = 'calm' | 'soon' | 'late';

/** @param limitMinutes the clinic's `order_timeout_minutes` */
export function urgencyOf(waitedMs: number, limitMinutes: number): Urgency {
  const limitMs = limitMinutes * 60_000;
  if (waitedMs >= limitMs) return 'late';
  return waitedMs >= limitMs / 2 ? 'soon' : 'calm';
}
