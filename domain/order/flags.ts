/** The flags of a treatment that a person must look at (SYNC-11). They are derived, so they clear when the facts change. */
import { linePrices, overNamedMinor } from './line-prices.ts';
import { allLines } from './order.ts';
import type { Order } from './order.ts';
import { overruledRemovals } from './standing-lines.ts';
import { invoicedMinor } from './tax-totals.ts';
import { statusOf, totals } from './totals.ts';
import type { OrderTotals } from './totals.ts';

const orderFlags = [
  'overpaid',
  'over_refunded',
  'refunded_twice',
  'over_invoiced',
  'under_invoiced',
  'cancel_overruled',
  'change_overruled',
] as const;
export type OrderFlag = (typeof orderFlags)[number];

export const isOrderFlag = (kind: string): kind is OrderFlag => orderFlags.some((each) => each === kind);

export const flagsOf = (order: Order): OrderFlag[] =>
  flagAmounts(order).flatMap(({ kind, isRaised }) => (isRaised ? kind : []));

export interface FlagAmount {
  kind: OrderFlag;
  isRaised: boolean;
  /** What a person settles: another amount is another matter. */
  surplusMinor: number;
}

/** Returns every flag, whether it is raised, and what it is about. */
export function flagAmounts(order: Order): FlagAmount[] {
  const sums = totals(order);
  const { paidMinor, balanceMinor } = sums;
  const invoiced = invoicedMinor(order);
  const isOverpaid = paidMinor > 0 && balanceMinor < 0;
  const twiceMinor = refundedTwice(order).reduce((sum, { surplusMinor }) => sum + surplusMinor, 0);
  const overInvoicedMinor = invoiced - (statusOf(order) === 'cancelled' ? 0 : sums.owedMinor);
  const surplus = (kind: OrderFlag, surplusMinor: number, isRaised = surplusMinor > 0): FlagAmount => ({
    kind,
    isRaised,
    surplusMinor: Math.max(0, surplusMinor),
  });
  return [
    surplus('overpaid', -balanceMinor, isOverpaid),
    surplus('over_refunded', -paidMinor),
    surplus('refunded_twice', twiceMinor),
    // The refund of what was overpaid also corrects what is invoiced.
    surplus('over_invoiced', overInvoicedMinor, !isOverpaid && order.invoices.length > 0 && overInvoicedMinor > 0),
    surplus('under_invoiced', underInvoicedMinor(order, sums, invoiced)),
    surplus('cancel_overruled', -balanceMinor, paidMinor > 0 && order.cancels.length > 0),
    surplus('change_overruled', -balanceMinor, paidMinor > 0 && overruledRemovals(order).length > 0),
  ];
}

/**
 * Returns the services for which refunds name more than they are charged, and by how much: two devices have given them back
 * without knowing of each other.
 */
export const refundedTwice = (order: Order): { name: string; surplusMinor: number }[] =>
  order.payments.every(({ refundedLines }) => refundedLines.length === 0)
    ? []
    : linePrices(order)
        .map((price) => ({ name: price.line.name, surplusMinor: overNamedMinor(price) }))
        .filter(({ surplusMinor }) => surplusMinor > 0);

/**
 * Returns by how much the standing documents fall short: under a tax profile of what is paid, without one of what is owed,
 * once the treatment is completed.
 */
function underInvoicedMinor(order: Order, { owedMinor, paidMinor }: OrderTotals, invoiced: number): number {
  if (isOfTaxProfile(order)) return paidMinor - invoiced;
  return statusOf(order) === 'completed' ? owedMinor - invoiced : 0;
}

/** True of a treatment whose services or documents state their tax. */
const isOfTaxProfile = (order: Order): boolean =>
  allLines(order).some(({ tax }) => tax !== undefined) ||
  order.invoices.some(({ tax_totals }) => tax_totals !== undefined);
