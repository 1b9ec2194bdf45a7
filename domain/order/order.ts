/**
 * The treatment (order). Its lines, payments, refunds, cancels and invoices are facts, which are only ever added. Status,
 * totals and balance are derived from the facts (`totals.ts`, SYNC-11), so the order in which facts arrive can't make two tablets
 * disagree. Money is minor units, quantities are thousandths, instants are milliseconds since 1970.
 */
import type { FactPlace } from '../fact-order.ts';
import { minorFromWire } from '../money.ts';
import { extend, milliFromWire } from '../quantity.ts';
import type { PrintedRow } from '../printed-row.ts';
import type { TaxDocumentFields } from '../tax/document.ts';
import type { OrderType, PaymentMethod } from './vocabulary.ts';

export interface OrderLine {
  lineId: string;
  stockId: number | null;
  productId: number | null;
  name: string;
  quantityMilli: number;
  unitPriceMinor: number;
  /** The key of its tax (`taxKey`); absent without a tax profile. */
  tax?: string | undefined;
  notes: string;
  opId: string;
  /** The place in the list. A line that replaces another one takes its place. */
  position: number;
  /** The line that this one replaces; null for a line that was added. */
  replaces: string | null;
}

/** A payment; a refund when the amount is negative. */
export interface Payment {
  paymentId: string;
  opId: string;
  method: PaymentMethod;
  amountMinor: number;
  tenderedMinor: number;
  changeMinor: number;
  reference: string;
  /** Set on refunds only. */
  creditNoteNumber: string | null;
  creditNote: CreditNotePayload | null;
  reason: string;
  /** The services that a refund names, and what it gives back for each. */
  refundedLines: RefundedLine[];
  /** How what a refund takes off the treatment as a whole is spread over the services that it had then. */
  allowances: RefundedLine[];
  /** By how much a refund lowers what the treatment costs: at least the sum of its lines, at most its amount. */
  reductionMinor: number;
  /** True of a refund of money taken by mistake: the treatment is still to be paid. */
  isStillOwed: boolean;
  actorId: number;
  /** The device that took the payment. */
  deviceId: number;
  atMs: number;
}

export interface RefundedLine {
  lineId: string;
  amountMinor: number;
}

export interface Cancel {
  opId: string;
  reason: string;
  actorId: number;
  atMs: number;
  /** Set when the treatment was invoiced under a tax profile. */
  correction?: Correction | undefined;
}

/** The credit note of a cancel: it takes back what is invoiced, and no money moves. */
export interface Correction {
  number: string;
  creditNote: CreditNotePayload;
  deviceId: number;
  /** True when it corrects what another document or payment had settled, so the server has annulled it (`corrections.ts`). */
  isAnnulled: boolean;
}

/** What a change gives another value to, besides the lines. */
export type ChangedField = 'room' | 'patient';

/** A change of an open treatment, at its place among the others. The treatment's lines include those that it added, under its `opId`. */
export interface Change extends FactPlace {
  opId: string;
  /** The lines that it took away without another in their place. */
  removedIds: string[];
  fields: ChangedField[];
  actorId: number;
}

/** An invoice as issued. `printed` is the printed text itself, so a later version of the app never changes it. */
export interface InvoicePayload extends TaxDocumentFields {
  invoice_id: string;
  invoice_number: string;
  issued_at: string;
  currency: string;
  subtotal: number;
  discount_amount: number;
  service_charge_amount: number;
  service_charge_percentage: number;
  /** What refunds have taken off the billed lines before they were invoiced; absent where that is nothing. */
  reduction_amount?: number | undefined;
  /** What is owed and was not invoiced before, or an advance. */
  total_amount: number;
  /** The lines that this invoice bills: those that no earlier invoice of the treatment billed. */
  line_ids: string[];
  /** The collective invoice that this is a treatment's part of (`collective.ts`): it has the number and the record, not the part. */
  part_of?: string | undefined;
  notes?: string | undefined;
  language: string;
  printed: PrintedRow[];
}

/** The sums of an invoice above its taxes. */
export type InvoiceSums = Pick<
  InvoicePayload,
  'subtotal' | 'discount_amount' | 'service_charge_amount' | 'reduction_amount' | 'total_amount'
>;

/** A credit note as issued; immutable, like an invoice. */
export interface CreditNotePayload extends TaxDocumentFields {
  issued_at: string;
  /** What it takes back of what is invoiced: negative, or 0 for money that no invoice has billed. */
  total_amount: number;
  language: string;
  printed: PrintedRow[];
}

/** An issued invoice and the operation that issued it. */
export interface Invoice extends InvoicePayload {
  op_id: string;
  /** The device that issued it; absent where a payment did, which names its own. */
  device_id?: number | undefined;
}

/** What somebody noted when adding services. */
export interface AddedNote extends FactPlace {
  opId: string;
  text: string;
}

export interface Order {
  id: string;
  /** The operation that created it. */
  opId: string;
  number: string;
  type: OrderType;
  customerName: string;
  /** Null when no patient was chosen. */
  patientId: string | null;
  /** Set once the patient is erased: nobody is shown whom the documents name. */
  isErased?: true | undefined;
  /** The room, and its number at that time; null and empty when no room was chosen. */
  roomId: number | null;
  roomNumber: string;
  /** What was noted when it was created; `notesOf` also has what was added. */
  notes: string;
  addedNotes: AddedNote[];
  currency: string;
  /** What is taken off. Derived: the part of the agreed discount that belongs to the services that are left. */
  discountMinor: number;
  agreedDiscountMinor: number;
  discountReason: string;
  chargeMinor: number;
  createdAtMs: number;
  createdBy: number;
  deviceId: number;
  /** The lines that count (`standing-lines.ts`). */
  lines: OrderLine[];
  /** The lines that a change took away. */
  removedLines: OrderLine[];
  payments: Payment[];
  cancels: Cancel[];
  changes: Change[];
  invoices: Invoice[];
}

/**
 * Returns all that was noted about a treatment, in the order of its facts: whoever adds services on another tablet knows
 * nothing of what somebody else has written. A text that stands already is not repeated.
 */
export const notesOf = ({ notes, addedNotes }: Pick<Order, 'notes' | 'addedNotes'>): string =>
  [...new Set([notes, ...addedNotes.map(({ text }) => text)])].filter((text) => text.trim() !== '').join('\n');

/** Returns the lines that stand and those that a change took away. */
export const allLines = ({ lines, removedLines }: Pick<Order, 'lines' | 'removedLines'>): OrderLine[] => [
  ...lines,
  ...removedLines,
];

export function lineTotal(line: Pick<OrderLine, 'quantityMilli' | 'unitPriceMinor'>): number {
  return extend(line.quantityMilli, line.unitPriceMinor);
}

export function subtotal(lines: readonly Pick<OrderLine, 'quantityMilli' | 'unitPriceMinor'>[]): number {
  return lines.reduce((sum, line) => sum + lineTotal(line), 0);
}

/** Returns the subtotal of wire lines in minor units. */
export function subtotalOf(items: readonly { quantity: number; unit_price: number }[]): number {
  return subtotal(
    items.map(({ quantity, unit_price }) => ({
      quantityMilli: milliFromWire(quantity),
      unitPriceMinor: minorFromWire(unit_price),
    })),
  );
}

/** Returns the ids of the lines on invoices. */
export const billedLineIds = (invoices: readonly Pick<Invoice, 'line_ids'>[]): Set<string> =>
  new Set(invoices.flatMap(({ line_ids }) => line_ids));

/** Returns the lines that no invoice has billed. */
export function uninvoicedLines(order: Pick<Order, 'lines' | 'invoices'>): OrderLine[] {
  const billed = billedLineIds(order.invoices);
  return order.lines.filter((line) => !billed.has(line.lineId));
}

/** Returns what was paid, less what was given back. */
export const netPaid = ({ payments }: { payments: readonly Pick<Payment, 'amountMinor'>[] }): number =>
  payments.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
