/** The flags of a treatment that a person must look at (SYNC-11). They are derived, so they clear when the facts change. */
import { totals } from './order.ts';
import type { Order } from './order.ts';
import { overruledRemovals } from './standing-lines.ts';

const orderFlags = ['overpaid', 'over_refunded', 'cancel_overruled', 'change_overruled'] as const;
export type OrderFlag = (typeof orderFlags)[number];

export const isOrderFlag = (kind: string): kind is OrderFlag => orderFlags.some((each) => each === kind);

export function flagsOf(order: Order): OrderFlag[] {
  const { paidMinor, balanceMinor } = totals(order);
  const flags: OrderFlag[] = [];
  if (paidMinor > 0 && balanceMinor < 0) flags.push('overpaid');
  if (paidMinor < 0) flags.push('over_refunded');
  if (paidMinor > 0 && order.cancels.length > 0) flags.push('cancel_overruled');
  if (paidMinor > 0 && overruledRemovals(order).length > 0) flags.push('change_overruled');
  return flags;
}
