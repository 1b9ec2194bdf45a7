/**
 * The treatment as REST returns it, and the conversions; the change feed carries the domain's `Order`. Capitalised field
 * names are part of the public API. Money and quantities are wire decimals.
 */
import { minorFromWire, minorToWire } from '../money.ts';
import { milliFromWire, milliToWire } from '../quantity.ts';
import { categoryOfKey, taxKey } from '../tax/tax.ts';
import { categoryFromWire, categoryToWire } from '../tax/wire.ts';
import type { TaxPayload } from '../tax/wire.ts';
import { refundedLineFromWire, refundedLineToWire } from './operations.ts';
import type { RefundedLinePayload } from './operations.ts';
import { lineTotal } from './order.ts';
import { statusOf, totals } from './totals.ts';
import { asShown } from './without-names.ts';
import type {
  Cancel,
  ChangedField,
  Correction,
  CreditNotePayload,
  Invoice,
  Order,
  OrderLine,
  Payment,
} from './order.ts';
import type { OrderStatus, OrderType, PaymentMethod } from './vocabulary.ts';

export interface OrderItemResource {
  id: string;
  stock_id: number | null;
  product_id: number | null;
  name: string;
  quantity: number;
  price: number;
  total: number;
  /** Absent without a tax profile. */
  tax?: TaxPayload;
  notes: string;
  op_id: string;
  position: number;
  /** The id of the item that this one replaces. */
  replaces: string | null;
  Stock: { name: string; cost_per_unit: number };
}

export interface PaymentResource {
  id: string;
  op_id: string;
  method: PaymentMethod;
  amount: number;
  tendered: number;
  change: number;
  reference_number: string;
  credit_note_number: string | null;
  credit_note: CreditNotePayload | null;
  reason: string;
  /** Of a refund: the services that it names, by how much it lowers the cost, and whether the treatment is still to be paid. */
  refunded_lines: RefundedLinePayload[];
  /** How what the reduction exceeds these by is spread over the services. */
  allowances: RefundedLinePayload[];
  reduction: number;
  still_owed: boolean;
  actor_id: number;
  device_id: number;
  created_at: string;
}

export interface InvoiceResource extends Invoice {
  payment_status: 'paid' | 'pending';
  paid_at: string | null;
  due_date: string;
}

/** The credit note of a cancel. */
export interface CorrectionResource {
  credit_note_number: string;
  credit_note: CreditNotePayload;
  device_id: number;
  annulled: boolean;
}

export interface CancelResource {
  op_id: string;
  reason: string;
  actor_id: number;
  created_at: string;
  /** Absent where nothing was invoiced. */
  correction?: CorrectionResource | undefined;
}

export interface ChangeResource {
  op_id: string;
  removed_line_ids: string[];
  fields: ChangedField[];
  actor_id: number;
  device_id: number;
  device_seq: number;
  created_at: string;
}

export interface OrderResource {
  id: string;
  op_id: string;
  number: string;
  order_type: OrderType;
  status: OrderStatus;
  customer_name: string;
  patient_id: string | null;
  /** Present once the patient is erased: the documents then say nothing of whom they name. */
  is_erased?: true | undefined;
  room_id: number | null;
  room_number: string;
  notes: string;
  currency: string;
  subtotal: number;
  discount: number;
  /** The discount before services were taken away. */
  agreed_discount: number;
  discount_reason: string;
  service_charge: number;
  /** What was agreed; refunds do not touch it. */
  price: number;
  /** By how much refunds lower what the treatment costs. */
  reduction: number;
  /** The price less the reduction. */
  owed: number;
  paid: number;
  balance: number;
  created_at: string;
  created_by: number;
  device_id: number;
  OrderItems: OrderItemResource[];
  /** Items that a change took away. */
  RemovedItems: OrderItemResource[];
  Payments: PaymentResource[];
  Cancels: CancelResource[];
  Changes: ChangeResource[];
  Invoices: InvoiceResource[];
  /** The latest invoice, for clients that expect only one. */
  Invoice: InvoiceResource | null;
  /** The latest payment and its change. */
  Receipt: { amount_paid: number; change_given: number; payment_method: PaymentMethod } | null;
}

const iso = (ms: number): string => new Date(ms).toISOString();

export function orderResource(stored: Order): OrderResource {
  const order = asShown(stored);
  const { subtotalMinor, totalMinor, reductionMinor, owedMinor, paidMinor, balanceMinor } = totals(order);
  const invoices = order.invoices.map((invoice) => invoiceResource(order, invoice));
  const lastPayment = order.payments.findLast((payment) => payment.amountMinor >= 0);
  return {
    id: order.id,
    op_id: order.opId,
    number: order.number,
    order_type: order.type,
    status: statusOf(order),
    customer_name: order.customerName,
    patient_id: order.patientId,
    ...(order.isErased && { is_erased: true }),
    room_id: order.roomId,
    room_number: order.roomNumber,
    notes: order.notes,
    currency: order.currency,
    subtotal: minorToWire(subtotalMinor),
    discount: minorToWire(order.discountMinor),
    agreed_discount: minorToWire(order.agreedDiscountMinor),
    discount_reason: order.discountReason,
    service_charge: minorToWire(order.chargeMinor),
    price: minorToWire(totalMinor),
    reduction: minorToWire(reductionMinor),
    owed: minorToWire(owedMinor),
    paid: minorToWire(paidMinor),
    balance: minorToWire(balanceMinor),
    created_at: iso(order.createdAtMs),
    created_by: order.createdBy,
    device_id: order.deviceId,
    OrderItems: order.lines.map(itemResource),
    RemovedItems: order.removedLines.map(itemResource),
    Payments: order.payments.map(paymentResource),
    Cancels: order.cancels.map(cancelResource),
    Changes: order.changes.map(({ opId, removedIds, fields, actorId, deviceId, deviceSeq, atMs }) => ({
      op_id: opId,
      removed_line_ids: removedIds,
      fields,
      actor_id: actorId,
      device_id: deviceId,
      device_seq: deviceSeq,
      created_at: iso(atMs),
    })),
    Invoices: invoices,
    Invoice: invoices.at(-1) ?? null,
    Receipt: lastPayment
      ? {
          amount_paid: minorToWire(lastPayment.tenderedMinor),
          change_given: minorToWire(lastPayment.changeMinor),
          payment_method: lastPayment.method,
        }
      : null,
  };
}

function itemResource(line: OrderLine): OrderItemResource {
  const price = minorToWire(line.unitPriceMinor);
  return {
    id: line.lineId,
    stock_id: line.stockId,
    product_id: line.productId,
    name: line.name,
    quantity: milliToWire(line.quantityMilli),
    price,
    total: minorToWire(lineTotal(line)),
    ...(line.tax && { tax: categoryToWire(categoryOfKey(line.tax)) }),
    notes: line.notes,
    op_id: line.opId,
    position: line.position,
    replaces: line.replaces,
    Stock: { name: line.name, cost_per_unit: price },
  };
}

const cancelResource = ({ opId, reason, actorId, atMs, correction }: Cancel): CancelResource => ({
  op_id: opId,
  reason,
  actor_id: actorId,
  created_at: iso(atMs),
  ...(correction && {
    correction: {
      credit_note_number: correction.number,
      credit_note: correction.creditNote,
      device_id: correction.deviceId,
      annulled: correction.isAnnulled,
    },
  }),
});

const correctionFromResource = (resource: CorrectionResource): Correction => ({
  number: resource.credit_note_number,
  creditNote: resource.credit_note,
  deviceId: resource.device_id,
  isAnnulled: resource.annulled,
});

function paymentResource(payment: Payment): PaymentResource {
  return {
    id: payment.paymentId,
    op_id: payment.opId,
    method: payment.method,
    amount: minorToWire(payment.amountMinor),
    tendered: minorToWire(payment.tenderedMinor),
    change: minorToWire(payment.changeMinor),
    reference_number: payment.reference,
    credit_note_number: payment.creditNoteNumber,
    credit_note: payment.creditNote,
    reason: payment.reason,
    refunded_lines: payment.refundedLines.map(refundedLineToWire),
    allowances: payment.allowances.map(refundedLineToWire),
    reduction: minorToWire(payment.reductionMinor),
    still_owed: payment.isStillOwed,
    actor_id: payment.actorId,
    device_id: payment.deviceId,
    created_at: iso(payment.atMs),
  };
}

/** A payment issues the invoice, so the invoice is paid and due on the day of issue. Another is paid with the treatment. */
function invoiceResource(order: Order, invoice: Invoice): InvoiceResource {
  const isIssuedAlone = invoice.document_type && order.payments.every(({ opId }) => opId !== invoice.op_id);
  const isDue = isIssuedAlone && totals(order).balanceMinor > 0;
  return {
    ...invoice,
    payment_status: isDue ? 'pending' : 'paid',
    paid_at: isDue ? null : invoice.issued_at,
    due_date: invoice.issued_at,
  };
}

/** The inverse of `orderResource`. Derived fields are dropped. */
export function orderFromResource(resource: OrderResource): Order {
  return {
    id: resource.id,
    opId: resource.op_id,
    number: resource.number,
    type: resource.order_type,
    customerName: resource.customer_name,
    patientId: resource.patient_id,
    ...(resource.is_erased && { isErased: true }),
    roomId: resource.room_id,
    roomNumber: resource.room_number,
    notes: resource.notes,
    currency: resource.currency,
    discountMinor: minorFromWire(resource.discount),
    agreedDiscountMinor: minorFromWire(resource.agreed_discount),
    discountReason: resource.discount_reason,
    chargeMinor: minorFromWire(resource.service_charge),
    createdAtMs: Date.parse(resource.created_at),
    createdBy: resource.created_by,
    deviceId: resource.device_id,
    lines: resource.OrderItems.map(lineFromResource),
    removedLines: resource.RemovedItems.map(lineFromResource),
    payments: resource.Payments.map((payment) => ({
      paymentId: payment.id,
      opId: payment.op_id,
      method: payment.method,
      amountMinor: minorFromWire(payment.amount),
      tenderedMinor: minorFromWire(payment.tendered),
      changeMinor: minorFromWire(payment.change),
      reference: payment.reference_number,
      creditNoteNumber: payment.credit_note_number,
      creditNote: payment.credit_note,
      reason: payment.reason,
      refundedLines: payment.refunded_lines.map(refundedLineFromWire),
      allowances: payment.allowances.map(refundedLineFromWire),
      reductionMinor: minorFromWire(payment.reduction),
      isStillOwed: payment.still_owed,
      actorId: payment.actor_id,
      deviceId: payment.device_id,
      atMs: Date.parse(payment.created_at),
    })),
    cancels: resource.Cancels.map((cancel) => ({
      opId: cancel.op_id,
      reason: cancel.reason,
      actorId: cancel.actor_id,
      atMs: Date.parse(cancel.created_at),
      ...(cancel.correction && { correction: correctionFromResource(cancel.correction) }),
    })),
    changes: resource.Changes.map((change) => ({
      opId: change.op_id,
      removedIds: change.removed_line_ids,
      fields: change.fields,
      actorId: change.actor_id,
      deviceId: change.device_id,
      deviceSeq: change.device_seq,
      atMs: Date.parse(change.created_at),
    })),
    invoices: resource.Invoices.map(
      ({ payment_status: _status, paid_at: _paidAt, due_date: _dueDate, ...invoice }) => invoice,
    ),
  };
}

function lineFromResource(item: OrderItemResource): OrderLine {
  return {
    lineId: item.id,
    stockId: item.stock_id,
    productId: item.product_id,
    name: item.name,
    quantityMilli: milliFromWire(item.quantity),
    unitPriceMinor: minorFromWire(item.price),
    ...(item.tax && { tax: taxKey(categoryFromWire(item.tax)) }),
    notes: item.notes,
    opId: item.op_id,
    position: item.position,
    replaces: item.replaces,
  };
}

/** `GET /orders/{id}/payment-summary`. */
export interface PaymentSummary {
  total: number;
  reduction: number;
  owed: number;
  paid: number;
  balance: number;
}

export function paymentSummary(order: Order): PaymentSummary {
  const { totalMinor, reductionMinor, owedMinor, paidMinor, balanceMinor } = totals(order);
  return {
    total: minorToWire(totalMinor),
    reduction: minorToWire(reductionMinor),
    owed: minorToWire(owedMinor),
    paid: minorToWire(paidMinor),
    balance: minorToWire(balanceMinor),
  };
}
