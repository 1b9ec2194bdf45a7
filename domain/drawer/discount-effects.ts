/** When and where the discount of a treatment takes effect (decision 042). Amounts are minor units. */
import type { Order } from '../order/order.ts';
import { discountWith } from '../order/standing-lines.ts';
import type { DiscountedOrder } from '../order/standing-lines.ts';
import { compareIssued, countedCancels } from '../order/tax-totals.ts';

export type BilledDiscount = DiscountedOrder & Pick<Order, 'payments' | 'invoices' | 'cancels'>;

/**
 * Returns what each operation adds to the discounts of its drawer. A service's part of the discount counts with the invoice
 * that bills the service first, whatever other devices have issued, so an exchange adds nothing. The credit note of a cancel
 * takes the discount off. A refund leaves it: the money was taken for the discounted price.
 */
export function discountEffects(order: BilledDiscount): Map<string, number> {
  const effects = new Map<string, number>();
  const billed = new Set<string>();
  let sumMinor = 0;
  for (const { op_id, line_ids } of order.invoices.toSorted(compareIssued)) {
    const minor = discountWith(order, billed, line_ids);
    effects.set(op_id, minor);
    sumMinor += minor;
    for (const id of line_ids) billed.add(id);
  }
  const [cancel] = countedCancels(order);
  if (cancel) effects.set(cancel.opId, 0 - sumMinor);
  return effects;
}
