/** Issues invoices and credit notes; tablets and the server run the same functions. */
import { isoOf } from '../instant.ts';
import { minorFromWire, minorToWire } from '../money.ts';
import { linePrices } from './line-prices.ts';
import { billedLineIds, subtotal } from './order.ts';
import type { CreditNotePayload, Invoice, InvoicePayload, Order, OrderLine, Payment } from './order.ts';
import { generally } from './printed-collective.ts';
import { creditNoteRows, invoiceRows } from './printed-document.ts';
import type { CreditNoteContent } from './printed-document.ts';
import type { DocumentContext } from './document-writer.ts';
import { cancelTax, creditNoteTax, exchangeTax, invoiceTax } from './issue-tax.ts';
import type { Recipient, TaxDocument } from '../tax/document.ts';
import type { RefundTerms } from './refund-terms.ts';
import { creditOf } from './credited.ts';
import { grossOf, invoicedMinor } from './tax-totals.ts';
import { discountWith } from './standing-lines.ts';
import { totals } from './totals.ts';

export interface InvoiceIssue {
  invoiceId: string;
  /** From the number series of the issuing device or server. */
  number: string;
  issuedAtMs: number;
  /** The treatment before the clearing payment. */
  order: Order;
  /** The lines to bill; none for an advance. */
  lines: readonly OrderLine[];
  /** Null when the service is done and nothing was paid. */
  payment: Payment | null;
  /** Under a tax profile: what an advance is of, and who receives a full invoice. */
  advanceMinor?: number | undefined;
  recipient?: Recipient | undefined;
  /** A text for the patient on this invoice. */
  notes?: string | undefined;
}

/**
 * Issues an invoice: of an advance, or of what is owed and not invoiced, with the payments since the last invoice. The
 * discount belongs to the services that it bills, and the service charge to the first invoice of services.
 */
export function issueInvoice(context: DocumentContext, issue: InvoiceIssue): InvoicePayload {
  const { invoiceId, number, issuedAtMs, order, lines, payment, advanceMinor, recipient, notes = '' } = issue;
  const tax = invoiceTax(context.settings, {
    order,
    issuedAtMs,
    advanceMinor,
    isLate: payment === null,
    recipient,
  });
  const totalAmount = tax ? totalOf(tax) : minorToWire(totals(order).owedMinor - invoicedMinor(order));
  const isFirst = order.invoices.every(({ line_ids }) => line_ids.length === 0) && lines.length > 0;
  const subtotalMinor = lines.length > 0 ? subtotal(lines) : minorFromWire(totalAmount);
  const lineIds = lines.map(({ lineId }) => lineId);
  const discountMinor = discountWith(order, billedLineIds(order.invoices), lineIds);
  const chargeMinor = isFirst ? order.chargeMinor : 0;
  const reductionMinor = takenOff(order, lines);
  const invoice = {
    invoice_id: invoiceId,
    invoice_number: number,
    issued_at: isoOf(issuedAtMs),
    currency: order.currency,
    subtotal: minorToWire(subtotalMinor),
    discount_amount: minorToWire(discountMinor),
    service_charge_amount: minorToWire(chargeMinor),
    service_charge_percentage: percentageOf(chargeMinor, subtotalMinor),
    ...(reductionMinor > 0 && { reduction_amount: minorToWire(reductionMinor) }),
    total_amount: totalAmount,
    line_ids: lineIds,
    language: context.language,
    ...(notes !== '' && { notes }),
    ...tax,
  };
  const own = payment ? [payment] : [];
  const payments = tax ? own : [...uninvoicedPayments(order), ...own];
  return { ...invoice, printed: invoiceRows(context, { order, invoice, lines, payments }) };
}

/** Returns what refunds take off these lines. */
function takenOff(order: Order, lines: readonly OrderLine[]): number {
  const billed = new Set(lines.map(({ lineId }) => lineId));
  return linePrices(order)
    .filter(({ line }) => billed.has(line.lineId))
    .reduce((sum, { givenMinor, allowanceMinor }) => sum + givenMinor + allowanceMinor, 0);
}

/** Returns the payments and refunds since the last invoice, whether a payment issued it or not. */
function uninvoicedPayments({ payments, invoices }: Order): Payment[] {
  const billing = new Set(invoices.map(({ op_id }) => op_id));
  const last = payments.findLastIndex(({ opId }) => billing.has(opId));
  const paying = new Set(payments.map(({ opId }) => opId));
  const alone = invoices.filter(({ op_id }) => !paying.has(op_id)).map(({ issued_at }) => Date.parse(issued_at));
  return payments.slice(last + 1).filter(({ atMs }) => alone.every((issuedMs) => atMs > issuedMs));
}

/** Returns a document's total, to the cent. */
const totalOf = ({ tax_totals }: TaxDocument): number =>
  minorToWire(tax_totals.reduce((sum, { gross }) => sum + minorFromWire(gross), 0));

/** Issues the full invoice that takes the place of a simplified one, for the same services and amounts. */
export function exchangeInvoice(
  context: DocumentContext,
  {
    invoiceId,
    number,
    issuedAtMs,
    order,
    invoice: replaced,
    recipient,
  }: Pick<InvoiceIssue, 'invoiceId' | 'number' | 'issuedAtMs' | 'order'> & { invoice: Invoice; recipient: Recipient },
): InvoicePayload {
  const { op_id: _op, device_id: _device, printed: _printed, ...kept } = replaced;
  const invoice = {
    ...kept,
    invoice_id: invoiceId,
    invoice_number: number,
    issued_at: isoOf(issuedAtMs),
    language: context.language,
    ...exchangeTax(context.settings, { invoice: replaced, recipient, issuedAtMs }),
  };
  const lines = order.lines.filter(({ lineId }) => replaced.line_ids.includes(lineId));
  return { ...invoice, printed: invoiceRows(context, { order, invoice, lines, payments: [] }) };
}

function percentageOf(partMinor: number, wholeMinor: number): number {
  return wholeMinor === 0 ? 0 : Math.min(100, Math.round((partMinor / wholeMinor) * 10_000) / 100);
}

export type RefundNoteContent = Omit<CreditNoteContent, 'tax' | 'lines'> & { terms: RefundTerms };

export function issueCreditNote(context: DocumentContext, content: RefundNoteContent): CreditNotePayload {
  const { order, terms, ...note } = content;
  const refund = { amountMinor: note.amountMinor, ...terms };
  const tax = creditNoteTax(context.settings, { order, refund });
  const { before, after } = creditOf(order, refund);
  const takenMinor = grossOf(before) - grossOf(after);
  return creditNote(context, { ...note, order, lines: terms.lines, takenMinor, tax });
}

export interface CancelNote {
  number: string;
  note: CreditNotePayload;
}

/** Issues the credit note of a cancel (`cancelSeries`). */
export function cancelNote(
  context: DocumentContext,
  { number, order, issuedAtMs, reason }: Pick<CreditNoteContent, 'number' | 'order' | 'issuedAtMs' | 'reason'>,
): CancelNote {
  const takenMinor = invoicedMinor(order);
  const tax = cancelTax(context.settings, order);
  const content = { number, issuedAtMs, order, amountMinor: takenMinor, method: null, reason, lines: [] };
  return { number, note: creditNote(context, { ...content, takenMinor, tax }) };
}

function creditNote(
  context: DocumentContext,
  { takenMinor, ...note }: CreditNoteContent & { takenMinor: number },
): CreditNotePayload {
  return {
    printed: creditNoteRows(context, isToPayer(note) ? withoutPatient(context, note) : note),
    language: context.language,
    issued_at: isoOf(note.issuedAtMs),
    total_amount: minorToWire(0 - takenMinor),
    ...note.tax,
  };
}

/** True when the note corrects a collective invoice, whose payer receives it. */
const isToPayer = ({ order, tax }: CreditNoteContent): boolean =>
  order.invoices.some(
    ({ part_of, invoice_number }) => part_of && tax?.corrects?.some(({ number }) => number === invoice_number),
  );

/** Returns the note without what a third party must not read. The reason that was typed stays in the clinic's records alone. */
const withoutPatient = ({ settings, labels }: DocumentContext, note: CreditNoteContent): CreditNoteContent => ({
  ...note,
  reason: labels.tax.payerReason,
  order: { ...note.order, customerName: '', lines: note.order.lines.map((line) => generally(line, settings)) },
  lines: note.lines.map((given) => ({ ...given, line: generally(given.line, settings) })),
});
