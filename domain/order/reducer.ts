/**
 * What an operation does to a treatment. The same function runs over the server's rows when the operation arrives and
 * over the tablet's rows while it waits, so both show the same treatment. It is total: whether an operation is allowed
 * is decided before (`decisions.ts`); here a fact is recorded.
 *
 * Applying an operation twice changes nothing, because every fact carries the `op_id` that made it.
 */
import { minorFromWire } from '../money.ts';
import { milliFromWire } from '../quantity.ts';
import type { AnyOperation, LinePayload, Operation } from '../protocol/operations.ts';
import type { Order, OrderLine } from './order.ts';

export type OrderOperation = Extract<AnyOperation, { kind: `order.${string}` }>;

export function isOrderOperation(operation: AnyOperation): operation is OrderOperation {
  return operation.kind.startsWith('order.');
}

/**
 * @param order the treatment so far, or null before its creation
 * @param atMs when the operation took effect (milliseconds, see `effectiveAt`)
 * @returns the treatment after the operation; null when there is nothing to apply it to
 */
export function reduceOrder(order: Order | null, operation: OrderOperation, atMs: number): Order | null {
  if (operation.kind === 'order.create') return order ?? created(operation, atMs);
  if (!order) return null;
  switch (operation.kind) {
    case 'order.add_services':
      return withServices(order, operation);
    case 'order.cancel':
      return withCancel(order, operation, atMs);
    case 'order.pay':
      return withPayment(order, operation, atMs);
    case 'order.refund':
      return withRefund(order, operation, atMs);
  }
}

function created({ op_id, payload, actor_id, device_id }: Operation<'order.create'>, atMs: number): Order {
  return {
    id: payload.order_id,
    number: payload.number,
    type: payload.order_type,
    customerName: payload.customer_name ?? '',
    patientId: payload.patient?.patient_id ?? null,
    roomId: payload.room_id ?? null,
    roomNumber: payload.room_number ?? '',
    notes: payload.notes ?? '',
    currency: payload.currency,
    discountMinor: minorFromWire(payload.discount),
    discountReason: payload.discount_reason ?? '',
    chargeMinor: minorFromWire(payload.service_charge),
    createdAtMs: atMs,
    createdBy: actor_id,
    deviceId: device_id,
    lines: payload.items.map((item) => orderLine(item, op_id)),
    payments: [],
    cancels: [],
    invoices: [],
  };
}

function orderLine(item: LinePayload, opId: string): OrderLine {
  return {
    lineId: item.line_id,
    stockId: item.stock_id ?? null,
    productId: item.product_id ?? null,
    name: item.name,
    quantityMilli: milliFromWire(item.quantity),
    unitPriceMinor: minorFromWire(item.unit_price),
    notes: item.notes ?? '',
    opId,
  };
}

function withServices(order: Order, { op_id, payload }: Operation<'order.add_services'>): Order {
  if (order.lines.some((line) => line.opId === op_id)) return order;
  const lines = [...order.lines, ...payload.items.map((item) => orderLine(item, op_id))];
  return { ...order, lines, notes: payload.notes ?? order.notes };
}

function withCancel(order: Order, { op_id, payload, actor_id }: Operation<'order.cancel'>, atMs: number): Order {
  if (order.cancels.some((cancel) => cancel.opId === op_id)) return order;
  return {
    ...order,
    cancels: [...order.cancels, { opId: op_id, reason: payload.notes ?? '', actorId: actor_id, atMs }],
  };
}

function withPayment(
  order: Order,
  { op_id, payload, actor_id, device_id }: Operation<'order.pay'>,
  atMs: number,
): Order {
  if (order.payments.some((payment) => payment.opId === op_id)) return order;
  const payment = {
    paymentId: payload.payment_id,
    opId: op_id,
    method: payload.payment_method,
    amountMinor: minorFromWire(payload.amount),
    tenderedMinor: minorFromWire(payload.tendered),
    changeMinor: minorFromWire(payload.change),
    reference: payload.reference_number ?? '',
    creditNoteNumber: null,
    creditNote: null,
    reason: '',
    actorId: actor_id,
    deviceId: device_id,
    atMs,
  };
  const invoices = payload.invoice ? [...order.invoices, { ...payload.invoice, op_id }] : order.invoices;
  return { ...order, payments: [...order.payments, payment], invoices };
}

function withRefund(
  order: Order,
  { op_id, payload, actor_id, device_id }: Operation<'order.refund'>,
  atMs: number,
): Order {
  if (order.payments.some((payment) => payment.opId === op_id)) return order;
  const refund = {
    paymentId: payload.refund_id,
    opId: op_id,
    method: payload.payment_method,
    amountMinor: -minorFromWire(payload.amount),
    tenderedMinor: 0,
    changeMinor: 0,
    reference: '',
    creditNoteNumber: payload.credit_note_number,
    creditNote: payload.credit_note ?? null,
    reason: payload.reason,
    actorId: actor_id,
    deviceId: device_id,
    atMs,
  };
  return { ...order, payments: [...order.payments, refund] };
}
