/**
 * The operations of a treatment (SYNC-2). The reducer runs over the server's rows when an operation arrives, and over the
 * tablet's rows while it waits, so both show the same treatment.
 *
 * A payload is the body of the REST call that the operation replaces, in wire form: money is a decimal number with two
 * places, a quantity a decimal with up to three. A payload that carries what was agreed at the counter is a fact and is
 * recorded as it is; a REST body without these fields is a request that the server completes and may refuse.
 */
import { comparePlaces, placeAmong, placeOf } from '../fact-order.ts';
import { minorFromWire, minorToWire } from '../money.ts';
import { reducerOf } from '../wire/envelope.ts';
import type { Envelope, KindDefinitions, OperationsOf } from '../wire/envelope.ts';
import type { PayloadsOf } from '../wire/schemas.ts';
import { milliFromWire, milliToWire } from '../quantity.ts';
import { categoryOfKey, taxKey } from '../tax/tax.ts';
import { categoryFromWire, categoryToWire } from '../tax/wire.ts';
import { discountOf } from './discount.ts';
import { allLines, subtotalOf } from './order.ts';
import type {
  AddedNote,
  Cancel,
  ChangedField,
  InvoicePayload,
  Order,
  OrderLine,
  Payment,
  RefundedLine,
} from './order.ts';
import type { orderPayloadSchemas } from './schemas.ts';
import { withStandingLines } from './standing-lines.ts';

type StatedPayloads = PayloadsOf<typeof orderPayloadSchemas>;

/** The payloads by kind. No caller states a part of a collective invoice, so only the type of an invoice has it. */
export interface OrderPayloads extends StatedPayloads {
  'order.invoice': StatedPayloads['order.invoice'] & { invoice: InvoicePayload };
}

export type CreatePayload = OrderPayloads['order.create'];
export type AddServicesPayload = OrderPayloads['order.add_services'];
export type ChangePayload = OrderPayloads['order.change'];
export type CancelPayload = OrderPayloads['order.cancel'];
export type PayPayload = OrderPayloads['order.pay'];
export type RefundPayload = OrderPayloads['order.refund'];
export type OrderInvoicePayload = OrderPayloads['order.invoice'];
export type LinePayload = CreatePayload['items'][number];
export type ReplacementPayload = NonNullable<ChangePayload['replaced_items']>[number];
export type RefundedLinePayload = NonNullable<RefundPayload['lines']>[number];

export type OrderOperation = OperationsOf<OrderPayloads>;

export const isOrderOperation = (operation: Envelope<string, unknown>): operation is OrderOperation =>
  operation.kind.startsWith('order.');

export const orderAggregate = (orderId: string): string => `order:${orderId}`;

export const orderOperations: KindDefinitions<OrderPayloads, Order> = {
  'order.create': {
    apply: (order, operation, atMs) => order ?? created(operation, atMs),
    summarize: ({ number, total }) => ({ number, amountMinor: minorFromWire(total) }),
  },
  'order.add_services': {
    apply: (order, operation, atMs) => order && withServices(order, operation, atMs),
    summarize: ({ items }) => ({ amountMinor: subtotalOf(items) }),
  },
  'order.change': {
    apply: (order, operation, atMs) => order && withChange(order, operation, atMs),
    summarize: () => ({ amountMinor: null }),
  },
  'order.cancel': {
    apply: (order, operation, atMs) => order && withCancel(order, operation, atMs),
    summarize: ({ credit_note_number: number }) => ({ number, amountMinor: null }),
  },
  'order.pay': {
    apply: (order, operation, atMs) => order && withPayment(order, operation, atMs),
    summarize: ({ invoice, amount, payment_method: method }) => ({
      number: invoice?.invoice_number,
      amountMinor: minorFromWire(amount),
      method,
    }),
  },
  'order.refund': {
    apply: (order, operation, atMs) => order && withRefund(order, operation, atMs),
    summarize: ({ credit_note_number: number, amount, payment_method: method }) => ({
      number,
      amountMinor: -minorFromWire(amount),
      method,
    }),
  },
  'order.invoice': {
    apply: (order, operation) => order && withInvoice(order, operation),
    summarize: ({ invoice }) => ({
      number: invoice.invoice_number,
      amountMinor: minorFromWire(invoice.total_amount),
    }),
  },
};

export const reduceOrder = reducerOf(orderOperations);

type OperationOf<Kind extends keyof OrderPayloads> = Envelope<Kind, OrderPayloads[Kind]>;

function created({ op_id, payload, actor_id, device_id }: OperationOf<'order.create'>, atMs: number): Order {
  const discountMinor = agreedDiscount(payload);
  return {
    id: payload.order_id,
    opId: op_id,
    number: payload.number,
    type: payload.order_type,
    customerName: payload.customer_name ?? '',
    patientId: payload.patient?.patient_id ?? null,
    roomId: payload.room_id ?? null,
    roomNumber: payload.room_number ?? '',
    notes: payload.notes ?? '',
    addedNotes: [],
    currency: payload.currency,
    discountMinor,
    agreedDiscountMinor: discountMinor,
    discountReason: payload.discount_reason ?? '',
    chargeMinor: minorFromWire(payload.service_charge),
    createdAtMs: atMs,
    createdBy: actor_id,
    deviceId: device_id,
    lines: payload.items.map((item, position) => orderLine(item, { opId: op_id, position })),
    removedLines: [],
    payments: [],
    cancels: [],
    changes: [],
    invoices: [],
  };
}

/** A line that the treatment has already is not added again, no matter who sends it: its id belongs to one service. */
function withServices(order: Order, operation: OperationOf<'order.add_services'>, atMs: number): Order {
  const { op_id, payload } = operation;
  const known = allLines(order);
  if (known.some((line) => line.opId === op_id)) return order;
  const ids = new Set(known.map(({ lineId }) => lineId));
  const next = nextPosition(known);
  const added = payload.items
    .filter(({ line_id }) => !ids.has(line_id))
    .map((item, index) => orderLine(item, { opId: op_id, position: next + index }));
  const addedNotes = withNote(order.addedNotes, operation, atMs);
  return withStandingLines({ ...order, lines: [...order.lines, ...added], addedNotes });
}

/** Adds a note in its place, so that the order of arrival does not matter. Nothing that anybody wrote is replaced. */
function withNote(
  notes: readonly AddedNote[],
  operation: OperationOf<'order.add_services'>,
  atMs: number,
): AddedNote[] {
  const { op_id: opId, payload } = operation;
  if (!payload.notes?.trim() || notes.some((note) => note.opId === opId)) return [...notes];
  const note = { opId, text: payload.notes, ...placeAmong(placeOf(operation, atMs), notes) };
  return [...notes, note].sort((a, b) => comparePlaces(a, b) || (a.opId < b.opId ? -1 : 1));
}

const nextPosition = (lines: readonly OrderLine[]): number =>
  lines.reduce((next, { position }) => Math.max(next, position + 1), 0);

function withChange(order: Order, operation: OperationOf<'order.change'>, atMs: number): Order {
  const { op_id, payload, actor_id } = operation;
  if (order.changes.some(({ opId }) => opId === op_id)) return order;
  const known = new Map(allLines(order).map((line) => [line.lineId, line]));
  const next = nextPosition([...known.values()]);
  const replacements = (payload.replaced_items ?? [])
    .filter(({ line_id }) => !known.has(line_id))
    .map((item, index) => {
      const position = known.get(item.replaces)?.position ?? next + index;
      return orderLine(item, { opId: op_id, position, replaces: item.replaces });
    });
  const fields: ChangedField[] = [];
  if (payload.room_id !== undefined) fields.push('room');
  if (payload.customer_name !== undefined || payload.patient) fields.push('patient');
  const place = placeAmong(placeOf(operation, atMs), order.changes);
  const change = { opId: op_id, removedIds: payload.removed_line_ids ?? [], fields, actorId: actor_id, ...place };
  /** Of several changes of a field the last one applies. */
  const applies = (field: ChangedField) =>
    fields.includes(field) &&
    !order.changes.some((other) => other.fields.includes(field) && comparePlaces(other, place) > 0);
  return withStandingLines({
    ...order,
    ...(applies('room') && {
      roomId: payload.room_id ?? null,
      roomNumber: payload.room_id == null ? '' : (payload.room_number ?? ''),
    }),
    ...(applies('patient') && {
      customerName: payload.customer_name ?? payload.patient?.name ?? '',
      patientId: payload.patient?.patient_id ?? null,
    }),
    lines: [...order.lines, ...replacements],
    changes: [...order.changes, change],
  });
}

function withCancel(order: Order, operation: OperationOf<'order.cancel'>, atMs: number): Order {
  const { op_id, payload, actor_id, device_id } = operation;
  if (order.cancels.some((cancel) => cancel.opId === op_id)) return order;
  const { notes = '', credit_note_number: number, credit_note: creditNote } = payload;
  const cancel: Cancel = {
    opId: op_id,
    reason: notes,
    actorId: actor_id,
    atMs,
    ...(number !== undefined &&
      creditNote && { correction: { number, creditNote, deviceId: device_id, isAnnulled: false } }),
  };
  return { ...order, cancels: [...order.cancels, cancel] };
}

function withPayment(order: Order, operation: OperationOf<'order.pay'>, atMs: number): Order {
  const { op_id, payload, actor_id, device_id } = operation;
  if (order.payments.some((payment) => payment.opId === op_id)) return order;
  const payment = paymentOf(payload, { opId: op_id, actorId: actor_id, deviceId: device_id, atMs });
  const invoices = payload.invoice ? [...order.invoices, { ...payload.invoice, op_id }] : order.invoices;
  return withStandingLines({ ...order, payments: [...order.payments, payment], invoices });
}

/** Returns a payment as a fact of its treatment. */
export const paymentOf = (
  payload: PayPayload,
  origin: Pick<Payment, 'opId' | 'actorId' | 'deviceId' | 'atMs'>,
): Payment => ({
  paymentId: payload.payment_id,
  method: payload.payment_method,
  amountMinor: minorFromWire(payload.amount),
  tenderedMinor: minorFromWire(payload.tendered),
  changeMinor: minorFromWire(payload.change),
  reference: payload.reference_number ?? '',
  creditNoteNumber: null,
  creditNote: null,
  reason: '',
  refundedLines: [],
  allowances: [],
  reductionMinor: 0,
  isStillOwed: false,
  ...origin,
});

function withRefund(order: Order, operation: OperationOf<'order.refund'>, atMs: number): Order {
  const { op_id, payload, actor_id, device_id } = operation;
  if (order.payments.some((payment) => payment.opId === op_id)) return order;
  const refund: Payment = {
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
    refundedLines: (payload.lines ?? []).map(refundedLineFromWire),
    allowances: (payload.allowances ?? []).map(refundedLineFromWire),
    reductionMinor: minorFromWire(payload.reduction),
    isStillOwed: payload.still_owed ?? false,
    actorId: actor_id,
    deviceId: device_id,
    atMs,
  };
  return { ...order, payments: [...order.payments, refund] };
}

function withInvoice(order: Order, { op_id, payload, device_id }: OperationOf<'order.invoice'>): Order {
  if (order.invoices.some((invoice) => invoice.op_id === op_id)) return order;
  return withStandingLines({ ...order, invoices: [...order.invoices, { ...payload.invoice, op_id, device_id }] });
}

export const refundedLineFromWire = ({ line_id, amount }: RefundedLinePayload): RefundedLine => ({
  lineId: line_id,
  amountMinor: minorFromWire(amount),
});

export const refundedLineToWire = ({ lineId, amountMinor }: RefundedLine): RefundedLinePayload => ({
  line_id: lineId,
  amount: minorToWire(amountMinor),
});

function orderLine(
  item: LinePayload,
  { opId, position, replaces = null }: { opId: string; position: number; replaces?: string | null },
): OrderLine {
  return {
    lineId: item.line_id,
    stockId: item.stock_id ?? null,
    productId: item.product_id ?? null,
    name: item.name,
    quantityMilli: milliFromWire(item.quantity),
    unitPriceMinor: minorFromWire(item.unit_price),
    ...(item.tax && { tax: taxKey(categoryFromWire(item.tax)) }),
    notes: item.notes ?? '',
    opId,
    position,
    replaces,
  };
}

/** The inverse of `orderLine`. */
export function linePayload(line: Omit<OrderLine, 'opId' | 'position' | 'replaces'>): LinePayload {
  return {
    line_id: line.lineId,
    ...(line.stockId === null ? { product_id: line.productId! } : { stock_id: line.stockId }),
    name: line.name,
    quantity: milliToWire(line.quantityMilli),
    unit_price: minorToWire(line.unitPriceMinor),
    ...(line.tax && { tax: categoryToWire(categoryOfKey(line.tax)) }),
    ...(line.notes && { notes: line.notes }),
  };
}

/** Returns the discount of a treatment in minor units. A device may state more than the services cost. */
export const agreedDiscount = ({ items, discount }: Pick<CreatePayload, 'items' | 'discount'>): number =>
  discountOf({ kind: 'amount', minor: minorFromWire(discount) }, subtotalOf(items));
