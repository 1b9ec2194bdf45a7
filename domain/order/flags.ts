/** What a person must look at on a treatment (SYNC-11): conditions, not events, so they clear when the facts change. */
import { totals } from './order.ts';
import type { Order } from './order.ts';

const orderFlags = ['overpaid', 'over_refunded', 'cancel_overruled'] as const;
export type OrderFlag = (typeof orderFlags)[number];

export const isOrderFlag = (kind: string): kind is OrderFlag => orderFlags.some((each) => each === kind);

export function flagsOf(order: Order): OrderFlag[] {
  const { paidMinor, balanceMinor } = totals(order);
  const concerns: OrderFlag[] = [];
  if (paidMinor > 0 && balanceMinor < 0) concerns.push('overpaid');
  if (paidMinor < 0) concerns.push('over_refunded');
  if (paidMinor > 0 && order.cancels.length > 0) concerns.push('cancel_overruled');
  return concerns;
}
