/**
 * Decides which invoices a refund corrects, and by how much. Several people may have invoices of one treatment: the patient
 * has the invoice of an advance, and a payer has the invoice of the rest. A credit note has one recipient. It corrects the invoices of
 * that person, by at most what is left of them (RD 1619/2012, article 15):
 *
 * - a refund of services corrects the invoices that bill them;
 * - a refund of the treatment as a whole corrects the patient's invoices, as long as something is left of them.
 *
 * The rest needs another refund, with a credit note to the other person.
 */
import { statedAmounts } from '../tax/document.ts';
import type { Invoice, Order } from './order.ts';
import {
  afterRefund,
  collected,
  correctedMinor,
  countedCancels,
  grossOf,
  invoicedGross,
  standingInvoices,
} from './tax-totals.ts';
import type { GrossByTax, PendingRefund } from './tax-totals.ts';

export interface Credit {
  /** The invoices that the credit note names. */
  invoices: Invoice[];
  /** What is invoiced without it and with it, by tax. */
  before: GrossByTax;
  after: GrossByTax;
  /** What the refund exceeds the invoices of this person by, while others have invoices of which something is left. */
  excessMinor: number;
}

export function creditOf(order: Order, refund: PendingRefund): Credit {
  const before = invoicedGross(order);
  const left = leftOfInvoices(order);
  const standing = [...left.keys()].toSorted(patientFirst);
  const refunded = new Set(refund.lines.map(({ line }) => line.lineId));
  const billing = standing.filter(({ line_ids }) => line_ids.some((id) => refunded.has(id)));
  const recipientOf = recipientsOf(standing);
  const ofSame = (one: Invoice | undefined) =>
    standing.filter((other) => one !== undefined && recipientOf(other) === recipientOf(one));
  const openOf = (invoices: readonly Invoice[]) => collected(invoices.flatMap((each) => [...left.get(each)!]));
  const candidates = billing.length > 0 ? billing : standing;
  const chosen = candidates.find((each) => grossOf(openOf(ofSame(each))) > 0) ?? candidates[0];
  const theirs = ofSame(chosen);
  const isAlone = theirs.length === standing.length;
  const open = isAlone ? before : openOf(theirs);
  const after = afterRefund(order, refund, open);
  const own = billing.filter((each) => theirs.includes(each));
  const openOfOwn = openOf(own);
  const isWithin = [...before].every(([key, minor]) => minor - (after.get(key) ?? 0) <= (openOfOwn.get(key) ?? 0));
  return {
    invoices: own.length > 0 && isWithin ? own : theirs,
    before,
    after,
    excessMinor: isAlone ? 0 : Math.max(0, correctedMinor(order, refund) - Math.max(0, grossOf(open))),
  };
}

/** Returns what is left of each invoice that counts, by tax: a credit note takes from the invoices that it names, in their order. */
export function leftOfInvoices(
  order: Pick<Order, 'invoices' | 'payments' | 'cancels'>,
): Map<Invoice, Map<string, number>> {
  const left = new Map(standingInvoices(order).map((invoice) => [invoice, collected(statedAmounts(invoice))]));
  const standing = [...left.keys()];
  const notes = [
    ...order.payments.flatMap(({ creditNote }) => creditNote ?? []),
    ...countedCancels(order).map(({ correction }) => correction.creditNote),
  ];
  for (const creditNote of standing.length > 0 ? notes : []) {
    const numbers = new Set(creditNote.corrects?.map(({ number }) => number));
    // An exchanged invoice is corrected in the one that took its place.
    const named = standing.filter(
      ({ invoice_number, replaces }) => numbers.has(invoice_number) || (replaces && numbers.has(replaces.number)),
    );
    const corrected = named.length > 0 ? named : standing;
    for (const [key, minor] of statedAmounts(creditNote))
      takeFrom(
        corrected.map((each) => left.get(each)!),
        key,
        -minor,
      );
  }
  return left;
}

/** Takes an amount from the first that have it. What none has is taken from the first. */
function takeFrom(parts: readonly Map<string, number>[], key: string, amountMinor: number): void {
  let restMinor = amountMinor;
  for (const part of parts) {
    const takenMinor = Math.min(restMinor, Math.max(0, part.get(key) ?? 0));
    if (takenMinor > 0) part.set(key, part.get(key)! - takenMinor);
    restMinor -= Math.max(0, takenMinor);
  }
  if (restMinor !== 0) parts[0]!.set(key, (parts[0]!.get(key) ?? 0) - restMinor);
}

const patientFirst = (a: Invoice, b: Invoice): number =>
  Number(a.part_of !== undefined) - Number(b.part_of !== undefined);

/** Returns who has an invoice. A simplified one names nobody: it belongs to the person with the first full one at the counter. */
function recipientsOf(invoices: readonly Invoice[]): (invoice: Invoice) => string {
  const patient =
    invoices.find(({ recipient, part_of }) => recipient && part_of === undefined)?.recipient?.tax_id ?? '';
  return ({ recipient }) => recipient?.tax_id ?? patient;
}
