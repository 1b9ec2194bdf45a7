/**
 * The treatment as REST returns it, and how a client reads it; the change feed carries the domain's `Order`. Capitalised
 * field names are part of the public API. Money and quantities are wire decimals.
 */
import { minorFromWire } from '../money.ts';
import { milliFromWire } from '../quantity.ts';
import { taxKey } from '../tax/tax.ts';
import { categoryFromWire } from '../tax/wire.ts';
import type { TaxPayload } from '../tax/wire.ts';
import { refundedLineFromWire } from './operations.ts';
import type { RefundedLinePayload } from './operations.ts';
import type { ChangedField, Correction, CreditNotePayload, Invoice, Order, OrderLine } from './order.ts';
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
  /** Empty without notes. */
  notes: string;
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

export interface AddedNoteResource {
  op_id: string;
  notes: string;
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
  /** All that was noted: at the creation, and with services that were added later. */
  notes: string;
  first_notes: string;
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
  AddedNotes: AddedNoteResource[];
  Invoices: InvoiceResource[];
  /** The latest invoice, for clients that expect only one. */
  Invoice: InvoiceResource | null;
  /** The latest payment and its change. */
  Receipt: { amount_paid: number; change_given: number; payment_method: PaymentMethod } | null;
}

const correctionFromResource = (resource: CorrectionResource): Correction => ({
  number: resource.credit_note_number,
  creditNote: resource.credit_note,
  deviceId: resource.device_id,
  isAnnulled: resource.annulled,
});

/** The inverse of `orderResource` (`to-resource.ts`). Derived fields are dropped. */
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
    notes: resource.first_notes,
    addedNotes: resource.AddedNotes.map(({ op_id: opId, notes: text, device_id, device_seq, created_at }) => ({
      opId,
      text,
      deviceId: device_id,
      deviceSeq: device_seq,
      atMs: Date.parse(created_at),
    })),
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
      ({ payment_status: _status, paid_at: _paidAt, due_date: _dueDate, notes, ...invoice }) => ({
        ...invoice,
        ...(notes !== '' && { notes }),
      }),
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
