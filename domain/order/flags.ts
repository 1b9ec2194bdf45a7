/** The flags of a treatment that a person must look at (SYNC-11). They are derived, so they clear when the facts change. */
import { statusOf, totals } from './order.ts';
import type { Order } from './order.ts';
import { overruledRemovals } from './standing-lines.ts';
import { grossOf, invoicedGross, isInvoiced, treatmentGross } from './tax-totals.ts';

const orderFlags = ['overpaid', 'over_refunded', 'over_invoiced', 'cancel_overruled', 'change_overruled'] as const;
export type OrderFlag = (typeof orderFlags)[number];

export const isOrderFlag = (kind: string): kind is OrderFlag => orderFlags.some((each) => each === kind);

export function flagsOf(order: Order): OrderFlag[] {
  const { paidMinor, balanceMinor } = totals(order);
  const flags: OrderFlag[] = [];
  if (paidMinor > 0 && balanceMinor < 0) flags.push('overpaid');
  if (paidMinor < 0) flags.push('over_refunded');
  // The refund of what was overpaid also corrects what is invoiced.
  if (!flags.includes('overpaid') && overInvoicedMinor(order) > 0) flags.push('over_invoiced');
  if (paidMinor > 0 && order.cancels.length > 0) flags.push('cancel_overruled');
  if (paidMinor > 0 && overruledRemovals(order).length > 0) flags.push('change_overruled');
  return flags;
}

/**
 * Returns by how much the standing documents exceed what the treatment costs, under a tax profile. Two devices have
 * invoiced it without knowing of each other, or one has cancelled it without knowing of the invoice.
 */
export function overInvoicedMinor(order: Order): number {
  const isCancelled = statusOf(order) === 'cancelled';
  // One invoice bills no more than there is.
  if (order.invoices.length < (isCancelled ? 1 : 2) || !isInvoiced(order)) return 0;
  const dueMinor = isCancelled ? 0 : grossOf(treatmentGross(order));
  return Math.max(0, grossOf(invoicedGross(order)) - dueMinor);
}
