/**
 * The collective invoice: one full invoice to a payer, such as an insurer or an employer, over treatments of a month
 * (RD 1619/2012, article 13). Each treatment keeps its part as an invoice with the same number, so that it is billed once and
 * refunds correct the collective one. The amounts add up the parts.
 */
import type { PrintedRow } from '../printed-row.ts';
import type { Recipient, TaxDocument } from '../tax/document.ts';
import type { InvoicePayload, Order, OrderLine } from './order.ts';
import type { Retention } from './retention.ts';

/** The largest number of treatments on one invoice. */
export const maxCollected = 200;

/** A treatment on a collective invoice, and what the invoice bills of it. */
export interface CollectedTreatment {
  order_id: string;
  number: string;
  /** Its business day, `yyyy-mm-dd`. */
  day: string;
  total_amount: number;
}

/** A collective invoice as issued; immutable, like every document. It names the payer and no patient. */
export interface CollectiveInvoice extends TaxDocument {
  /** Also the operation of its fiscal record. */
  invoice_id: string;
  invoice_number: string;
  issued_at: string;
  currency: string;
  total_amount: number;
  recipient: Recipient;
  /** What the payer withholds of the price for the tax agency; absent without. */
  retention?: Retention | undefined;
  treatments: CollectedTreatment[];
  language: string;
  printed: PrintedRow[];
}

/** A collective invoice in the list, with what its treatments still owe of it. */
export interface ListedCollective extends Omit<CollectiveInvoice, 'printed'> {
  due: number;
}

/** What a payment of an invoice rests on: the rest of it never changes. */
export const collectiveSeen = ['due'] as const satisfies readonly (keyof ListedCollective)[];

/** What is billed of a treatment: its invoice before it is printed, with the lines. */
export interface CollectivePart {
  order: Order;
  day: string;
  lines: readonly OrderLine[];
  invoice: InvoicePayload;
}
