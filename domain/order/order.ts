/**
 * The treatment (order). Its lines, payments, refunds, cancels and invoices are facts, which are only ever added. Status,
 * totals and balance are derived from the facts (SYNC-11), so the order in which facts arrive can't make two tablets
 * disagree. Money is minor units, quantities are thousandths, instants are milliseconds since 1970.
 */
import { maxMinor, maxTreatmentFacts } from '../limits.ts';
import { extend } from '../quantity.ts';
import type { PrintedRow } from '../printed-row.ts';
import type { OrderStatus, OrderType, PaymentMethod } from './vocabulary.ts';

export interface OrderLine {
  lineId: string;
  stockId: number | null;
  productId: number | null;
  name: string;
  quantityMilli: number;
  unitPriceMinor: number;
  notes: string;
  opId: string;
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
  actorId: number;
  /** The device that took the payment. */
  deviceId: number;
  atMs: number;
}

export interface Cancel {
  opId: string;
  reason: string;
  actorId: number;
  atMs: number;
}

/** An invoice as issued. `printed` is the printed text itself, so a later version of the app never changes it. */
export interface InvoicePayload {
  invoice_id: string;
  invoice_number: string;
  issued_at: string;
  currency: string;
  subtotal: number;
  discount_amount: number;
  service_charge_amount: number;
  service_charge_percentage: number;
  total_amount: number;
  /** The lines that this invoice bills: those that no earlier invoice of the treatment billed. */
  line_ids: string[];
  notes?: string | undefined;
  language: string;
  printed: PrintedRow[];
}

/** A credit note as issued; immutable, like an invoice. */
export interface CreditNotePayload {
  issued_at: string;
  language: string;
  printed: PrintedRow[];
}

/** An issued invoice and the payment operation that issued it. */
export interface Invoice extends InvoicePayload {
  op_id: string;
}

export interface Order {
  id: string;
  number: string;
  type: OrderType;
  customerName: string;
  /** Null when no patient was chosen. */
  patientId: string | null;
  /** The room, and its number at that time; null and empty when no room was chosen. */
  roomId: number | null;
  roomNumber: string;
  notes: string;
  currency: string;
  discountMinor: number;
  discountReason: string;
  chargeMinor: number;
  createdAtMs: number;
  createdBy: number;
  deviceId: number;
  lines: OrderLine[];
  payments: Payment[];
  cancels: Cancel[];
  invoices: Invoice[];
}

export interface OrderTotals {
  subtotalMinor: number;
  totalMinor: number;
  /** Payments less refunds. */
  paidMinor: number;
  /** The amount still due; negative when overpaid. */
  balanceMinor: number;
}

export function lineTotal(line: Pick<OrderLine, 'quantityMilli' | 'unitPriceMinor'>): number {
  return extend(line.quantityMilli, line.unitPriceMinor);
}

export function subtotal(lines: readonly Pick<OrderLine, 'quantityMilli' | 'unitPriceMinor'>[]): number {
  return lines.reduce((sum, line) => sum + lineTotal(line), 0);
}

export function totals(order: Pick<Order, 'lines' | 'payments' | 'discountMinor' | 'chargeMinor'>): OrderTotals {
  const subtotalMinor = subtotal(order.lines);
  const totalMinor = subtotalMinor - order.discountMinor + order.chargeMinor;
  const paidMinor = order.payments.reduce((sum, payment) => sum + payment.amountMinor, 0);
  return { subtotalMinor, totalMinor, paidMinor, balanceMinor: totalMinor - paidMinor };
}

/**
 * Derives the status (SYNC-11). A treatment whose net payments are 0 is cancelled by a cancel or by a full refund. Otherwise a
 * treatment with a payment and no balance is completed, and any other is confirmed.
 */
export function statusOf(
  order: Pick<Order, 'lines' | 'payments' | 'cancels' | 'discountMinor' | 'chargeMinor'>,
): OrderStatus {
  const { paidMinor, balanceMinor } = totals(order);
  const refunded = order.payments.some((payment) => payment.amountMinor < 0);
  if (paidMinor === 0 && (order.cancels.length > 0 || refunded)) return 'cancelled';
  return order.payments.length > 0 && balanceMinor <= 0 ? 'completed' : 'confirmed';
}

/** False when a treatment has more money or more facts than one can have. */
export function isWithinLimits(order: Order): boolean {
  const { lines, payments, cancels } = order;
  const { subtotalMinor, paidMinor } = totals(order);
  return (
    subtotalMinor <= maxMinor &&
    Math.abs(paidMinor) <= maxMinor &&
    lines.length <= maxTreatmentFacts &&
    payments.length + cancels.length <= maxTreatmentFacts
  );
}

/** Returns the lines that no invoice has billed. */
export function uninvoicedLines(order: Pick<Order, 'lines' | 'invoices'>): OrderLine[] {
  const billed = new Set(order.invoices.flatMap((invoice) => invoice.line_ids));
  return order.lines.filter((line) => !billed.has(line.lineId));
}
