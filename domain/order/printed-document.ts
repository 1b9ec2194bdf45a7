/**
 * Printed documents as rows of text. The rows are stored with the document, so reprints, other tablets and the server show the
 * same text, even after a later version of the app changed the layout.
 */
import { codeRows } from '../fiscal/printed-code.ts';
import { minorFromWire } from '../money.ts';
import { pair, rule, text, total, when, writer } from './document-writer.ts';
import type { DocumentContext, DocumentLabels } from './document-writer.ts';
import { discountsByLine } from './line-prices.ts';
import { lineTotal } from './order.ts';
import { totals } from './totals.ts';
import type { TaxDocument } from '../tax/document.ts';
import type { InvoicePayload, Order, OrderLine, Payment } from './order.ts';
import type { GivenLine } from './refund-terms.ts';
import type { PaymentMethod } from './vocabulary.ts';
import { inPart } from '../printed-row.ts';
import type { PrintedRow } from '../printed-row.ts';

export interface InvoiceContent {
  order: Order;
  invoice: Omit<InvoicePayload, 'printed'>;
  /** The billed lines. */
  lines: readonly OrderLine[];
  /** The payments since the last invoice, ending with the clearing one. */
  payments: readonly Payment[];
}

export function invoiceRows(
  context: DocumentContext,
  { order, invoice, lines, payments }: InvoiceContent,
): PrintedRow[] {
  const { settings, labels } = context;
  const write = writer(context, invoice.currency);
  const last = payments.at(-1);
  const { subtotal, discount_amount: discount } = invoice;
  const known = new Set(order.payments.map(({ paymentId }) => paymentId));
  const dueMinor = payments
    .filter(({ paymentId }) => !known.has(paymentId))
    .reduce((left, { amountMinor }) => left - amountMinor, totals(order).balanceMinor);
  const discounts = discountsByLine(order, lines, minorFromWire(discount));
  return [
    ...codeRows(settings, {
      number: invoice.invoice_number,
      issuedAtMs: Date.parse(invoice.issued_at),
      tax: invoice,
    }),
    ...write.head(invoice.document_type ? labels.tax.titles[invoice.document_type] : labels.invoice),
    ...write.facts([
      pair(labels.number, invoice.invoice_number),
      pair(labels.issued, write.moment(Date.parse(invoice.issued_at))),
    ]),
    ...write.about(order, invoice),
    rule,
    ...write.lines(
      lines.map((line, at) => ({ line, amountMinor: lineTotal(line), discountMinor: discounts[at]! })),
      invoice,
      lines.length === 0 ? [{ name: labels.tax.onAccount, amountMinor: minorFromWire(subtotal) }] : [],
    ),
    rule,
    ...write.sums(invoice),
    // Of an advance.
    ...inPart('sums', when(lines.length === 0 && dueMinor > 0, pair(labels.balance, write.minor(dueMinor)))),
    ...write.taxTotals(invoice),
    ...inPart('payments', [...payments.flatMap(write.payment), ...(last ? write.handedOver(last) : [])]),
    ...inPart('notes', [...text('text', invoice.notes ?? ''), ...write.taxNote]),
    ...write.footer,
  ];
}

/** Returns the rows of the unnumbered receipt for a payment that leaves a balance or has no new lines to bill. */
export function receiptRows(
  context: DocumentContext,
  { order, payment }: { order: Order; payment: Payment },
): PrintedRow[] {
  const { labels } = context;
  const write = writer(context, order.currency);
  const { totalMinor, reductionMinor, paidMinor, balanceMinor } = totals(order);
  return [
    ...write.head(labels.receipt),
    ...write.facts([pair(labels.issued, write.moment(payment.atMs))]),
    ...write.about(order),
    rule,
    ...inPart('payments', [...write.payment(payment), ...write.handedOver(payment)]),
    rule,
    ...inPart('sums', [
      pair(labels.total, write.minor(totalMinor)),
      ...when(reductionMinor !== 0, pair(labels.reduction, write.minor(-reductionMinor))),
      pair(labels.paid, write.minor(paidMinor)),
      total(labels.balance, write.minor(balanceMinor)),
    ]),
    ...write.footer,
  ];
}

export interface CreditNoteContent {
  number: string;
  issuedAtMs: number;
  /** The treatment before the refund. */
  order: Order;
  amountMinor: number;
  /** Null on the credit note of a cancel, which gives nothing back. */
  method: PaymentMethod | null;
  reason: string;
  /** The refunded services, and what is given back for each; empty for a refund of the treatment as a whole. */
  lines: GivenLine[];
  /** Null without a tax profile. */
  tax?: TaxDocument | null | undefined;
}

/** Returns what a credit note of a treatment as a whole takes back: the services of its invoices, or else an advance. */
function billedNames({ tax }: DocumentLabels, { lines, invoices }: Order): string {
  const billed = lines.filter(({ lineId }) => invoices.some(({ line_ids }) => line_ids.includes(lineId)));
  return [...new Set(billed.map(({ name }) => name))].join(', ') || tax.onAccount;
}

/** Returns the rows of a refund's credit note. The credit note names the invoices that billed the refunded lines. */
export function creditNoteRows(
  context: DocumentContext,
  { number, issuedAtMs, order, amountMinor, method, reason, lines, tax = null }: CreditNoteContent,
): PrintedRow[] {
  const { settings, labels } = context;
  const write = writer(context, order.currency);
  // A tax profile makes it a document of differences, all of which have the same sign.
  const given = (minor: number) => (tax ? 0 - minor : minor);
  const statedMinor = method && !tax ? amountMinor : -amountMinor;
  const about = new Set(lines.map(({ line }) => line.lineId));
  const invoices = order.invoices.filter(({ line_ids }) => about.size === 0 || line_ids.some((id) => about.has(id)));
  return [
    ...(tax ? codeRows(settings, { number, issuedAtMs, tax }) : []),
    ...write.head(tax ? labels.tax.titles[tax.document_type] : labels.creditNote),
    ...write.facts([
      // What the title calls it.
      pair(tax ? labels.number : labels.creditNoteNumber, number),
      pair(labels.issued, write.moment(issuedAtMs)),
      ...(tax ? [] : invoices.map(({ invoice_number }) => pair(labels.forInvoice, invoice_number))),
    ]),
    ...write.about(order, tax ?? {}),
    rule,
    ...write.lines(
      lines.map(({ line, amountMinor: givenMinor }) => ({ line, amountMinor: given(givenMinor), discountMinor: 0 })),
      tax ?? {},
      lines.length === 0 ? [{ name: billedNames(labels, order), amountMinor: statedMinor }] : [],
    ),
    ...(reason === '' ? [] : inPart('notes', text('text', `${labels.reason}: ${reason}`))),
    rule,
    ...inPart('sums', [total(method && !tax ? labels.refunded : labels.total, write.minor(statedMinor))]),
    ...(tax ? write.taxTotals(tax) : []),
    ...(method ? inPart('payments', [pair(labels.methods[method], write.minor(given(amountMinor)))]) : []),
    ...inPart('notes', write.taxNote),
    ...write.footer,
  ];
}
