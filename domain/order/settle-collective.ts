/** Says how a payer's money and what it withholds settle the treatments of a collective invoice. */
import { minorFromWire } from '../money.ts';
import { shareOut } from '../tax/tax.ts';
import type { CollectiveInvoice } from './collective.ts';
import type { Order } from './order.ts';
import { statusOf, totals } from './totals.ts';

/** What a treatment gets. Both together are what it owes of the invoice. */
export interface Settlement {
  order: Order;
  /** What the payer pays to the clinic. */
  paidMinor: number;
  /** What the payer pays to the tax agency, in the name of the clinic. */
  withheldMinor: number;
}

/** Returns what is due of each treatment; those that owe nothing are left out. What is withheld is spread in proportion to their parts. */
export function settlementsOf(
  { treatments, retention }: Pick<CollectiveInvoice, 'treatments' | 'retention'>,
  orders: ReadonlyMap<string, Order>,
): Settlement[] {
  const parts = treatments.map(({ total_amount }) => minorFromWire(total_amount));
  const withheld = shareOut(minorFromWire(retention?.amount ?? 0), parts);
  return treatments.flatMap(({ order_id }, at) => {
    const order = orders.get(order_id);
    const owes = order && statusOf(order) !== 'cancelled';
    const dueMinor = owes ? Math.min(totals(order).balanceMinor, parts[at]!) : 0;
    if (!order || dueMinor <= 0) return [];
    const withheldMinor = Math.min(withheld[at]!, dueMinor);
    return { order, paidMinor: dueMinor - withheldMinor, withheldMinor };
  });
}
