/** Issues invoices and credit notes; tablets and the server run the same functions. */
import { minorToWire } from '../money.ts';
import { subtotal } from './order.ts';
import type { CreditNotePayload, InvoicePayload, Order, OrderLine, Payment } from './order.ts';
import { creditNoteRows, invoiceRows } from './printed-document.ts';
import type { CreditNoteContent, DocumentContext } from './printed-document.ts';

export interface InvoiceIssue {
  invoiceId: string;
  /** From the number series of the issuing device or server. */
  number: string;
  issuedAtMs: number;
  /** The treatment before the clearing payment. */
  order: Order;
  /** The lines to bill. */
  lines: readonly OrderLine[];
  payment: Payment;
  /** What the patient is told on this invoice. */
  notes?: string;
}

/**
 * Issues an invoice for the given lines and the payments since the last invoice. The treatment's discount and service charge
 * are part of its first invoice.
 */
export function issueInvoice(
  context: DocumentContext,
  { invoiceId, number, issuedAtMs, order, lines, payment, notes = '' }: InvoiceIssue,
): InvoicePayload {
  const isFirst = order.invoices.length === 0;
  const subtotalMinor = subtotal(lines);
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
    total_amount: minorToWire(subtotalMinor - discountMinor + chargeMinor),
    line_ids: lines.map(({ lineId }) => lineId),
    language: context.language,
    ...(notes !== '' && { notes }),
  };
  const lastInvoiceOp = order.invoices.at(-1)?.op_id;
  const earlier = order.payments.slice(order.payments.findIndex(({ opId }) => opId === lastInvoiceOp) + 1);
  return { ...invoice, printed: invoiceRows(context, { order, invoice, lines, payments: [...earlier, payment] }) };
}

function percentageOf(partMinor: number, wholeMinor: number): number {
  return wholeMinor === 0 ? 0 : Math.min(100, Math.round((partMinor / wholeMinor) * 10_000) / 100);
}

export function issueCreditNote(context: DocumentContext, note: CreditNoteContent): CreditNotePayload {
  return {
    printed: creditNoteRows(context, note),
    language: context.language,
    issued_at: new Date(note.issuedAtMs).toISOString(),
  };
}
