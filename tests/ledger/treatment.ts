/** What one treatment costs, what was paid and given back, and what is left to pay (decision 042). Money is cents. */
import { discountsOf } from './discounts.ts';
import { documentsIn, invoicedBy, invoicedTotal, paidBy } from './documents.ts';
import type { Document } from './documents.ts';
import { cents, groups, sumOf } from './integers.ts';
import { chargedLines, earnedLines } from './line-prices.ts';
import type { ChargedLine } from './line-prices.ts';
import { discountOn, invoicesIn, linesOf } from './standing.ts';
import type { Line } from './standing.ts';
import { byTax } from './taxes.ts';
import type { ByTax } from './taxes.ts';
import { ofKind } from './wire.ts';
import type { Entry, Method } from './wire.ts';

/** A payment; a refund when the amount is negative. */
export interface Movement {
  id: string;
  opId: string;
  method: Method;
  amount: number;
  deviceId: number;
  atMs: number;
}

/** What a manager is told of a treatment. */
export const flags = [
  'overpaid',
  'over_refunded',
  'refunded_twice',
  'over_invoiced',
  'under_invoiced',
  'cancel_overruled',
  'change_overruled',
];

export type Status = 'confirmed' | 'completed' | 'cancelled';

export interface Treatment {
  id: string;
  number: string;
  type: string;
  customer: string;
  currency: string;
  deviceId: number;
  createdMs: number;
  entries: readonly Entry[];
  /** All lines, those that were taken away included. */
  allLines: readonly Line[];
  lines: readonly ChargedLine[];
  agreedDiscount: number;
  discount: number;
  charge: number;
  subtotal: number;
  total: number;
  reduction: number;
  owed: number;
  paid: number;
  balance: number;
  status: Status;
  flags: readonly string[];
  movements: readonly Movement[];
  documents: readonly Document[];
  /** The documents that count in reports: an exchange states again what its simplified invoice has stated. */
  reported: readonly Document[];
  /** What each document, by its operation, adds to the discounts of its drawer. */
  discounts: ReadonlyMap<string, number>;
  /** The number of credit notes of cancels that count nowhere. */
  annulled: number;
  /** What stands invoiced. */
  invoicedByTax: ByTax;
  invoiced: number;
}

/** Recomputes a treatment. @param entries of this treatment, in the order of their arrival */
export function treatmentOf(entries: readonly Entry[]): Treatment {
  const created = ofKind(entries, 'order.create')[0]!;
  const { order_id: id, number, order_type: type, customer_name: customer = '', currency, ...agreed } = created.payload;
  const refunds = ofKind(entries, 'order.refund');
  const allLines = linesOf(entries);
  const planWorth = sumOf(
    allLines.filter(({ opId }) => opId === created.opId),
    ({ worth }) => worth,
  );
  const agreedDiscount = Math.min(cents(agreed.discount), planWorth);
  const discount = discountOn(agreedDiscount, allLines, ({ stands }) => stands);
  const charge = cents(agreed.service_charge);
  const standing = allLines.filter(({ stands }) => stands);
  const subtotal = sumOf(standing, ({ worth }) => worth);
  const total = subtotal - discount + charge;
  const lines = earnedLines(chargedLines(standing, charge - discount), allLines, refunds);
  const reduction = sumOf(lines, ({ charged, earned }) => charged - earned);
  const owed = total - reduction;
  const paid = paidBy(entries);
  const documents = documentsIn(entries);
  const invoiced = invoicedBy(entries);
  const sums = {
    lines,
    owed,
    paid,
    invoiced: invoicedTotal(invoiced),
    isTaxed: documents.some(({ taxes }) => taxes.length > 0) || allLines.some(({ isTaxed }) => isTaxed),
    hasInvoice: documents.some(({ of }) => of === 'invoice'),
  };
  const status = statusOf(entries, sums);
  return {
    id,
    number,
    type,
    customer,
    currency,
    deviceId: created.deviceId,
    createdMs: created.atMs,
    entries,
    allLines,
    lines,
    agreedDiscount,
    discount,
    charge,
    subtotal,
    total,
    reduction,
    owed,
    paid,
    balance: owed - paid,
    status,
    flags: flagsOf(entries, status, sums),
    movements: movementsIn(entries),
    documents,
    reported: documents.filter((each) => each.type !== 'F3' && !invoiced.annulled.has(each.opId)),
    discounts: discountsOf({ agreedDiscount, allLines }, documents, invoiced.annulled),
    annulled: invoiced.annulled.size,
    invoicedByTax: invoiced.amounts,
    invoiced: sums.invoiced,
  };
}

interface Sums {
  lines: readonly ChargedLine[];
  owed: number;
  paid: number;
  invoiced: number;
  isTaxed: boolean;
  hasInvoice: boolean;
}

const isNamedTwice = ({ lines }: Sums): boolean => lines.some(({ named, charged }) => named > charged);

function statusOf(entries: readonly Entry[], sums: Sums): Status {
  const { owed, paid } = sums;
  const refunds = ofKind(entries, 'order.refund');
  const isStillOwed = owed > 0 && (refunds.some(({ payload }) => payload.still_owed) || isNamedTwice(sums));
  const isOver = ofKind(entries, 'order.cancel').length > 0 || (refunds.length > 0 && !isStillOwed);
  if (paid === 0 && isOver) return 'cancelled';
  return owed <= paid && ofKind(entries, 'order.pay').length > 0 ? 'completed' : 'confirmed';
}

function flagsOf(entries: readonly Entry[], status: Status, sums: Sums): string[] {
  const { owed, paid, invoiced, isTaxed, hasInvoice } = sums;
  const isOverpaid = paid > 0 && paid > owed;
  const due = status === 'cancelled' ? 0 : owed;
  const holds = {
    overpaid: isOverpaid,
    over_refunded: paid < 0,
    refunded_twice: isNamedTwice(sums),
    over_invoiced: !isOverpaid && hasInvoice && invoiced > due,
    under_invoiced: isTaxed ? paid > invoiced : status === 'completed' && owed > invoiced,
    cancel_overruled: paid > 0 && ofKind(entries, 'order.cancel').length > 0,
    change_overruled: paid > 0 && isChangeOverruled(entries),
  };
  return Object.entries(holds).flatMap(([flag, does]) => (does ? flag : []));
}

/** True when a change takes a line away that an invoice bills. */
function isChangeOverruled(entries: readonly Entry[]): boolean {
  const billed = new Set(invoicesIn(entries).flatMap(({ invoice }) => invoice.line_ids));
  return ofKind(entries, 'order.change').some(({ payload: { removed_line_ids = [], replaced_items = [] } }) =>
    [...removed_line_ids, ...replaced_items.map(({ replaces }) => replaces)].some((id) => billed.has(id)),
  );
}

const movementsIn = (entries: readonly Entry[]): Movement[] =>
  entries.flatMap(({ opId, kind, payload, deviceId, atMs }) => {
    const origin = { opId, deviceId, atMs };
    if (kind === 'order.pay')
      return { ...origin, id: payload.payment_id, method: payload.payment_method, amount: cents(payload.amount) };
    if (kind === 'order.refund')
      return { ...origin, id: payload.refund_id, method: payload.payment_method, amount: -cents(payload.amount) };
    return [];
  });

/** Returns what the lines earn, by tax. */
export const earnedByTax = ({ lines }: Pick<Treatment, 'lines'>): ByTax =>
  byTax(lines.map(({ tax, earned }) => [tax, earned] as const));

/** Returns all treatments of a clinic. @param entries in the order of their arrival */
export function treatmentsOf(entries: readonly Entry[]): Treatment[] {
  const ofOrders = entries.filter((entry) => 'order_id' in entry.payload);
  const byOrder = groups(ofOrders, ({ payload }) => (payload as { order_id: string }).order_id);
  return [...byOrder.values()].map(treatmentOf);
}
