/** Makes the treatment of REST out of the domain's. */
import { isoOf } from '../instant.ts';
import { minorToWire } from '../money.ts';
import { milliToWire } from '../quantity.ts';
import { categoryOfKey } from '../tax/tax.ts';
import { categoryToWire } from '../tax/wire.ts';
import { refundedLineToWire } from './operations.ts';
import { lineTotal, notesOf } from './order.ts';
import type { Cancel, Invoice, Order, OrderLine, Payment } from './order.ts';
import type { CancelResource, InvoiceResource, OrderItemResource, OrderResource, PaymentResource } from './resource.ts';
import { statusOf, totals } from './totals.ts';
import { asShown } from './without-names.ts';

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
    notes: notesOf(order),
    first_notes: order.notes,
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
    created_at: isoOf(order.createdAtMs),
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
      created_at: isoOf(atMs),
    })),
    AddedNotes: order.addedNotes.map(({ opId, text, deviceId, deviceSeq, atMs }) => ({
      op_id: opId,
      notes: text,
      device_id: deviceId,
      device_seq: deviceSeq,
      created_at: isoOf(atMs),
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
  created_at: isoOf(atMs),
  ...(correction && {
    correction: {
      credit_note_number: correction.number,
      credit_note: correction.creditNote,
      device_id: correction.deviceId,
      annulled: correction.isAnnulled,
    },
  }),
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
    created_at: isoOf(payment.atMs),
  };
}

/** A payment issues the invoice, so the invoice is paid and due on the day of issue. Another is paid with the treatment. */
function invoiceResource(order: Order, invoice: Invoice): InvoiceResource {
  const isIssuedAlone = invoice.document_type && order.payments.every(({ opId }) => opId !== invoice.op_id);
  const isDue = isIssuedAlone && totals(order).balanceMinor > 0;
  return {
    ...invoice,
    notes: invoice.notes ?? '',
    payment_status: isDue ? 'pending' : 'paid',
    paid_at: isDue ? null : invoice.issued_at,
    due_date: invoice.issued_at,
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
