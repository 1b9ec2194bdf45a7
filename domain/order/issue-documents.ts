/** Issues invoices and credit notes; tablets and the server run the same functions. */
import { minorFromWire, minorToWire } from '../money.ts';
import { subtotal, totals } from './order.ts';
import type { CreditNotePayload, Invoice, InvoicePayload, Order, OrderLine, Payment } from './order.ts';
import type { AgreedPayment } from './decisions.ts';
import type { ClinicSettings } from '../settings/settings.ts';
import { creditNoteRows, invoiceRows } from './printed-document.ts';
import type { CreditNoteContent, DocumentContext } from './printed-document.ts';
import { cancelTax, creditNoteTax, exchangeTax, invoiceTax } from './issue-tax.ts';
import type { Recipient, TaxDocument } from './tax-document.ts';
import { grossOf, invoicedGross, treatmentGross } from './tax-totals.ts';

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
  /** What the patient is told on this invoice. */
  notes?: string;
}

/**
 * Issues an invoice for the given lines and the payments since the last invoice. The treatment's discount and service charge
 * are part of its first invoice.
 */
export function issueInvoice(context: DocumentContext, issue: InvoiceIssue): InvoicePayload {
  const { invoiceId, number, issuedAtMs, order, lines, payment, advanceMinor, recipient, notes = '' } = issue;
  const tax = invoiceTax(context.settings, { order, issuedAtMs, advanceMinor, recipient });
  const isFirst = order.invoices.every(({ line_ids }) => line_ids.length === 0) && lines.length > 0;
  const isLined = lines.length > 0 || !tax;
  const subtotalMinor = isLined ? subtotal(lines) : minorFromWire(totalOf(tax));
  const discountMinor = isFirst ? order.discountMinor : 0;
  const chargeMinor = isFirst ? order.chargeMinor : 0;
  const invoice = {
    invoice_id: invoiceId,
    invoice_number: number,
    issued_at: new Date(issuedAtMs).toISOString(),
    currency: order.currency,
    subtotal: minorToWire(subtotalMinor),
    discount_amount: minorToWire(discountMinor),
    service_charge_amount: minorToWire(chargeMinor),
    service_charge_percentage: percentageOf(chargeMinor, subtotalMinor),
    total_amount: tax ? totalOf(tax) : minorToWire(subtotalMinor - discountMinor + chargeMinor),
    line_ids: lines.map(({ lineId }) => lineId),
    language: context.language,
    ...(notes !== '' && { notes }),
    ...tax,
  };
  const payments = payment ? [payment] : [];
  if (tax) return { ...invoice, printed: invoiceRows(context, { order, invoice, lines, payments }) };
  const lastInvoiceOp = order.invoices.at(-1)?.op_id;
  const earlier = order.payments.slice(order.payments.findIndex(({ opId }) => opId === lastInvoiceOp) + 1);
  return { ...invoice, printed: invoiceRows(context, { order, invoice, lines, payments: [...earlier, ...payments] }) };
}

/** Returns a document's total, to the cent. */
const totalOf = ({ tax_totals }: TaxDocument): number =>
  minorToWire(tax_totals.reduce((sum, { gross }) => sum + minorFromWire(gross), 0));

/** What a payment is to be invoiced for. */
export interface Billed {
  lines: OrderLine[];
  advanceMinor?: number | undefined;
}

/**
 * Decides what the invoice of a payment bills, or that it issues none. A payment that clears the balance bills the lines
 * that no invoice has billed. Under a tax profile it also bills what a refund had taken back, and a payment that leaves a
 * balance is invoiced as an advance, as far as more was taken than invoiced.
 */
export function billedBy(
  { tax_profile }: Pick<ClinicSettings, 'tax_profile'>,
  order: Order,
  { amountMinor, clears, invoiceLines: lines }: Pick<AgreedPayment, 'amountMinor' | 'clears' | 'invoiceLines'>,
): Billed | null {
  if (tax_profile === 'none' || lines.length > 0) return lines.length > 0 ? { lines } : null;
  const invoicedMinor = grossOf(invoicedGross(order));
  if (clears) return grossOf(treatmentGross(order)) > invoicedMinor ? { lines: [] } : null;
  const advanceMinor = totals(order).paidMinor + amountMinor - invoicedMinor;
  return advanceMinor > 0 ? { lines: [], advanceMinor } : null;
}

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
    issued_at: new Date(issuedAtMs).toISOString(),
    language: context.language,
    ...exchangeTax(context.settings, { invoice: replaced, recipient }),
  };
  const lines = order.lines.filter(({ lineId }) => replaced.line_ids.includes(lineId));
  return { ...invoice, printed: invoiceRows(context, { order, invoice, lines, payments: [] }) };
}

function percentageOf(partMinor: number, wholeMinor: number): number {
  return wholeMinor === 0 ? 0 : Math.min(100, Math.round((partMinor / wholeMinor) * 10_000) / 100);
}

export function issueCreditNote(context: DocumentContext, note: CreditNoteContent): CreditNotePayload {
  const { order, amountMinor, lines } = note;
  const tax = creditNoteTax(context.settings, { order, amountMinor, lineIds: lines.map(({ lineId }) => lineId) });
  return creditNote(context, note, tax);
}

export interface CancelNote {
  number: string;
  note: CreditNotePayload;
  /** What is taken back. */
  amountMinor: number;
}

/** Issues the credit note of a cancel (`cancelSeries`). */
export function cancelNote(
  context: DocumentContext,
  { number, order, issuedAtMs, reason }: Pick<CreditNoteContent, 'number' | 'order' | 'issuedAtMs' | 'reason'>,
): CancelNote {
  const tax = cancelTax(context.settings, order);
  const amountMinor = -minorFromWire(totalOf(tax));
  const content = { number, issuedAtMs, order, amountMinor, method: null, reason, lines: [] };
  return { number, amountMinor, note: creditNote(context, content, tax) };
}

function creditNote(context: DocumentContext, note: CreditNoteContent, tax: TaxDocument | null): CreditNotePayload {
  return {
    printed: creditNoteRows(context, { ...note, tax }),
    language: context.language,
    issued_at: new Date(note.issuedAtMs).toISOString(),
    ...tax,
  };
}
