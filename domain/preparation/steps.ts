/**
 * The preparation board: how far each line of a treatment is, from asked for to handed over. It is a matter of the line
 * alone: a treatment is paid, added to, refunded and cancelled whatever its lines' preparation.
 *
 *   pending ⇄ preparing ⇄ ready ⇄ served
 */
import { accept, refuse } from '../result.ts';
import type { Result } from '../result.ts';

export const preparationStatuses = ['pending', 'preparing', 'ready', 'served'] as const;
export type PreparationStatus = (typeof preparationStatuses)[number];

/** What comes next; undefined for what has been served. */
export const stepAfter = (status: PreparationStatus): PreparationStatus | undefined =>
  preparationStatuses[preparationStatuses.indexOf(status) + 1];

/** What came before; undefined for what nobody has begun. */
export const stepBefore = (status: PreparationStatus): PreparationStatus | undefined =>
  preparationStatuses[preparationStatuses.indexOf(status) - 1];

/** One step forward, or one back where somebody tapped too soon. Staying is fine: two people may have meant the same. */
export function decideStep(from: PreparationStatus, to: PreparationStatus): Result<PreparationStatus> {
  return to === from || to === stepAfter(from) || to === stepBefore(from)
    ? accept(to)
    : refuse('PREPARATION_STEP', { from, to });
}

/** How a wait is to be looked at: half of the clinic's limit is worth a glance, all of it is late. */
export type Urgency = 'calm' | 'soon' | 'late';

/** @param limitMinutes the clinic's `order_timeout_minutes` */
export function urgencyOf(waitedMs: number, limitMinutes: number): Urgency {
  const limitMs = limitMinutes * 60_000;
  if (waitedMs >= limitMs) return 'late';
  return waitedMs >= limitMs / 2 ? 'soon' : 'calm';
}
