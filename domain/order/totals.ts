/**
 * What follows from the facts of a treatment as a whole: what was agreed, what is owed after refunds, what is paid, and the
 * status (SYNC-11). Amounts are minor units.
 */
import { maxMinor, maxTaxes, maxTreatmentFacts, maxTreatmentText } from '../limits.ts';
import { defaultTaxCode } from '../tax/codes.ts';
import { linePrices, overNamedMinor, reductionOf } from './line-prices.ts';
import type { PricedOrder } from './line-prices.ts';
import { allLines, subtotal, netPaid } from './order.ts';
import type { Order } from './order.ts';
import type { OrderStatus } from './vocabulary.ts';

export interface OrderTotals {
  subtotalMinor: number;
  /** What was agreed: the services less the discount, with the charge. A refund does not touch it. */
  totalMinor: number;
  /** By how much refunds lower what the treatment costs. */
  reductionMinor: number;
  /** The total less the reduction. */
  owedMinor: number;
  /** Payments less refunds. */
  paidMinor: number;
  /** The amount still due: owed less paid; negative when overpaid. */
  balanceMinor: number;
}

export function totals(order: PricedOrder): OrderTotals {
  const subtotalMinor = subtotal(order.lines);
  const totalMinor = subtotalMinor - order.discountMinor + order.chargeMinor;
  const reductionMinor = reductionOf(order);
  const owedMinor = totalMinor - reductionMinor;
  const paidMinor = netPaid(order);
  return { subtotalMinor, totalMinor, reductionMinor, owedMinor, paidMinor, balanceMinor: owedMinor - paidMinor };
}

/**
 * Derives the status (SYNC-11). A treatment of which nothing is paid is cancelled by a cancel, or by a refund of which nothing
 * is still to be paid. Otherwise a treatment with a payment and no balance is completed, and any other is confirmed.
 */
export function statusOf(order: PricedOrder & Pick<Order, 'cancels'>): OrderStatus {
  const { owedMinor, paidMinor, balanceMinor } = totals(order);
  const isRefunded = order.payments.some(({ amountMinor }) => amountMinor < 0);
  if (paidMinor === 0) {
    if (order.cancels.length > 0) return 'cancelled';
    if (isRefunded && !(owedMinor > 0 && isStillToBePaid(order))) return 'cancelled';
  }
  return order.payments.length > 0 && balanceMinor <= 0 ? 'completed' : 'confirmed';
}

/** A refund says so, or two devices have given the same service back. */
const isStillToBePaid = (order: PricedOrder): boolean =>
  order.payments.some(({ isStillOwed }) => isStillOwed) || linePrices(order).some((price) => overNamedMinor(price) > 0);

/** False when a treatment has more money, more facts, more different taxes or more text than one can have. */
export function isWithinLimits(order: Order): boolean {
  const { payments, cancels, changes } = order;
  const lines = allLines(order);
  return (
    // An invoice of another device may bring removed lines back, so they count too.
    subtotal(lines) <= maxMinor &&
    Math.abs(netPaid(order)) <= maxMinor &&
    lines.length <= maxTreatmentFacts &&
    new Set(lines.map(({ tax = defaultTaxCode }) => tax)).size <= maxTaxes &&
    payments.length + cancels.length + changes.length <= maxTreatmentFacts &&
    JSON.stringify(order).length <= maxTreatmentText
  );
}
