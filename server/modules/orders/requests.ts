/**
 * Turns REST bodies into payloads. A body with everything that was agreed is a fact and is taken as it is. Any other
 * body is a request: the server completes it with current prices and a number of its own series, or refuses it
 * (SYNC-2).
 */
import { minorFromWire, minorToWire } from '../../../domain/money.ts';
import {
  decideAddedServices,
  decideLines,
  decidePayment,
  decideRefund,
  refundMethod,
} from '../../../domain/order/decisions.ts';
import type { AgreedLine, RequestedLine } from '../../../domain/order/decisions.ts';
import { issueCreditNote } from '../../../domain/order/issue-documents.ts';
import { linePayload } from '../../../domain/order/operations.ts';
import type {
  AddServicesPayload,
  ChangePayload,
  CreatePayload,
  LinePayload,
  PayPayload,
  RefundPayload,
  ReplacementPayload,
} from '../../../domain/order/operations.ts';
import { decideDiscount } from '../../../domain/order/discount.ts';
import { subtotal, totals } from '../../../domain/order/order.ts';
import type { Order } from '../../../domain/order/order.ts';
import { may } from '../../../domain/permissions.ts';
import type {
  addServicesBodySchema,
  changeBodySchema,
  createOrderBodySchema,
  payBodySchema,
  refundBodySchema,
} from '../../../domain/order/schemas.ts';
import { milliFromWire } from '../../../domain/quantity.ts';
import { accept, refuse } from '../../../domain/result.ts';
import type { Result } from '../../../domain/result.ts';
import type { OrderType } from '../../../domain/order/vocabulary.ts';
import type { ClinicSettings } from '../../../domain/settings/settings.ts';
import type { z } from 'zod';
import { loadRoom } from '../rooms/service.ts';
import { loadSellables } from '../stock/service.ts';
import type { WriteContext } from '../../context.ts';
import { nextNumber } from './numbers-store.ts';
import { serverInvoice, serverDocument } from './server-documents.ts';
import { loadOrders } from './store.ts';

type CreateBody = z.infer<typeof createOrderBodySchema>;
type AddBody = z.infer<typeof addServicesBodySchema>;
type ChangeBody = z.infer<typeof changeBodySchema>;
type PayBody = z.infer<typeof payBodySchema>;
type RefundBody = z.infer<typeof refundBodySchema>;
type RequestedItem = CreateBody['items'][number];

export async function completeCreate(
  context: WriteContext,
  settings: ClinicSettings,
  orderId: string,
  body: CreateBody,
): Promise<Result<CreatePayload>> {
  const { number, currency, total } = body;
  const discount = body.discount ?? 0;
  const orderType = body.order_type ?? 'walk_in';
  const shared = {
    order_id: orderId,
    order_type: orderType,
    customer_name: body.customer_name ?? body.patient?.name,
    patient: body.patient,
    notes: body.notes,
    discount,
    discount_reason: body.discount_reason,
    room_id: body.room_id,
    room_number: body.room_number,
  };
  if (
    number !== undefined &&
    currency !== undefined &&
    total !== undefined &&
    body.items.length > 0 &&
    body.items.every(isAgreed)
  ) {
    return accept({ ...shared, service_charge: body.service_charge ?? 0, number, currency, total, items: body.items });
  }
  const lines = await requestLines(context, body.items, decideLines);
  if (!lines.ok) return lines;
  const room = await requestedRoom(context, body);
  if (!room.ok) return room;
  const subtotalMinor = subtotal(lines.value);
  const discountMinor = minorFromWire(discount);
  const { discount_limit_percent: limitPercent } = settings;
  const terms = {
    discountMinor,
    subtotalMinor,
    limitPercent,
    mayExceed: may(context.session.role, 'order.discount_any'),
    reason: body.discount_reason ?? '',
  };
  const discounted = decideDiscount(terms);
  if (!discounted.ok) return discounted;
  const chargeMinor =
    body.service_charge === undefined
      ? requestedCharge(settings, orderType, subtotalMinor - discountMinor)
      : minorFromWire(body.service_charge);
  return accept({
    ...shared,
    ...room.value,
    service_charge: minorToWire(chargeMinor),
    number: number ?? (await nextNumber(context.sql, context.clinicId, 'treatment')),
    currency: settings.currency,
    total: minorToWire(subtotalMinor - discountMinor + chargeMinor),
    items: lines.value.map(linePayload),
  });
}

/**
 * Returns the service charge of a treatment that another system asks for. The counter charges none, and nobody who walks
 * in pays one.
 */
const requestedCharge = (settings: ClinicSettings, orderType: OrderType, dueMinor: number): number =>
  orderType === 'walk_in' ? 0 : Math.round((dueMinor * settings.service_charge_rate) / 100);

export async function completeAddServices(
  context: WriteContext,
  orderId: string,
  body: AddBody,
): Promise<Result<AddServicesPayload>> {
  if (body.items.length > 0 && body.items.every(isAgreed))
    return accept({ order_id: orderId, items: body.items, notes: body.notes });
  const order = (await loadOrders(context.sql, context.clinicId, [orderId])).get(orderId);
  if (!order) return refuse('ORDER_NOT_FOUND');
  const lines = await requestLines(context, body.items, (requested) => decideAddedServices(order, requested));
  return lines.ok ? accept({ order_id: orderId, items: lines.value.map(linePayload), notes: body.notes }) : lines;
}

/** Fills in what a replaced line keeps of its old one, and the number of the room. */
export async function completeChange(
  context: WriteContext,
  orderId: string,
  body: ChangeBody,
): Promise<Result<ChangePayload>> {
  const { removed_line_ids, room_id, customer_name, patient } = body;
  const order = (await loadOrders(context.sql, context.clinicId, [orderId])).get(orderId);
  if (!order) return refuse('ORDER_NOT_FOUND');
  const items: ReplacementPayload[] = [];
  for (const { line_id, replaces, quantity, notes } of body.replaced_items ?? []) {
    const line = order.lines.find(({ lineId }) => lineId === replaces);
    if (!line) return refuse('LINE_GONE');
    const old = linePayload(line);
    items.push({
      ...old,
      line_id: line_id ?? context.newId(),
      replaces,
      quantity: quantity ?? old.quantity,
      notes: notes ?? old.notes,
    });
  }
  const room = room_id == null ? accept({}) : await requestedRoom(context, { room_id });
  if (!room.ok) return room;
  return accept({
    order_id: orderId,
    removed_line_ids,
    replaced_items: items,
    room_id,
    ...room.value,
    customer_name: customer_name ?? patient?.name,
    patient,
  });
}

export async function completePay(
  context: WriteContext,
  settings: ClinicSettings,
  orderId: string,
  body: PayBody,
): Promise<Result<PayPayload>> {
  const { payment_id, tendered, change, payment_method, reference_number, notes } = body;
  const shared = { order_id: orderId, payment_method, reference_number };
  if (payment_id !== undefined && tendered !== undefined && change !== undefined && body.amount >= 0) {
    const invoice = body.invoice && { ...body.invoice, notes: body.invoice.notes ?? notes };
    return accept({ ...shared, payment_id, amount: body.amount, tendered, change, invoice });
  }
  const order = (await loadOrders(context.sql, context.clinicId, [orderId])).get(orderId);
  if (!order) return refuse('ORDER_NOT_FOUND');
  const decision = decidePayment(order, { method: payment_method, tenderedMinor: minorFromWire(body.amount) });
  if (!decision.ok) return decision;
  const { amountMinor, tenderedMinor, changeMinor, invoiceLines } = decision.value;
  const paymentId = payment_id ?? context.newId();
  const reference = payment_method === 'cash' ? undefined : reference_number;
  const issue = () =>
    serverInvoice(context, settings, {
      order,
      method: payment_method,
      decision: decision.value,
      paymentId,
      reference: reference ?? '',
      notes: notes ?? '',
    });
  return accept({
    ...shared,
    reference_number: reference,
    payment_id: paymentId,
    amount: minorToWire(amountMinor),
    tendered: minorToWire(tenderedMinor),
    change: minorToWire(changeMinor),
    invoice: invoiceLines.length > 0 ? await issue() : undefined,
  });
}

export async function completeRefund(
  context: WriteContext,
  settings: ClinicSettings,
  orderId: string,
  body: RefundBody,
): Promise<Result<RefundPayload>> {
  const { amount, reason, refund_id, payment_method, credit_note_number, credit_note, line_ids } = body;
  const shared = { order_id: orderId, amount, reason, line_ids };
  if (refund_id !== undefined && payment_method !== undefined && credit_note_number !== undefined) {
    return accept({ ...shared, refund_id, payment_method, credit_note_number, credit_note });
  }
  const { sql, clinicId, atMs, newId } = context;
  const order = (await loadOrders(sql, clinicId, [orderId])).get(orderId);
  if (!order) return refuse('ORDER_NOT_FOUND');
  const amountMinor = minorFromWire(amount);
  const agreed = decideRefund(order, { amountMinor, reason, lineIds: line_ids });
  if (!agreed.ok) return agreed;
  const method = payment_method ?? refundMethod(order);
  const number = await nextNumber(sql, clinicId, 'credit_note');
  return accept({
    ...shared,
    refund_id: refund_id ?? newId(),
    payment_method: method,
    credit_note_number: number,
    credit_note: issueCreditNote(serverDocument(settings), {
      number,
      issuedAtMs: atMs,
      order,
      amountMinor,
      method,
      reason,
      lines: agreed.value,
    }),
  });
}

/** Returns the current number of the requested room. */
async function requestedRoom(
  { sql, clinicId }: WriteContext,
  { room_id }: { room_id?: number | undefined },
): Promise<Result<Pick<CreatePayload, 'room_number'>>> {
  if (room_id === undefined) return accept({});
  const room = await loadRoom(sql, clinicId, room_id);
  return room ? accept({ room_number: room.number }) : refuse('ROOM_NOT_FOUND');
}

const isAgreed = (item: RequestedItem): item is LinePayload =>
  item.line_id !== undefined &&
  item.name !== undefined &&
  item.unit_price !== undefined &&
  item.quantity > 0 &&
  (item.stock_id === undefined) !== (item.product_id === undefined);

async function requestLines(
  { sql, clinicId, newId }: WriteContext,
  items: readonly RequestedItem[],
  agree: (lines: readonly RequestedLine[]) => Result<AgreedLine[]>,
): Promise<Result<AgreedLine[]>> {
  const ids = (key: 'stock_id' | 'product_id') => items.map((item) => item[key]).filter((id) => id !== undefined);
  const { stock, products } = await loadSellables(sql, clinicId, {
    stockIds: ids('stock_id'),
    productIds: ids('product_id'),
  });
  return agree(
    items.map((item) => ({
      lineId: item.line_id ?? newId(),
      sellable: item.stock_id === undefined ? products.get(item.product_id ?? 0) : stock.get(item.stock_id),
      quantityMilli: milliFromWire(item.quantity),
      notes: item.notes,
    })),
  );
}

export function paymentSummary(order: Order): { total: number; paid: number; balance: number } {
  const { totalMinor, paidMinor, balanceMinor } = totals(order);
  return { total: minorToWire(totalMinor), paid: minorToWire(paidMinor), balance: minorToWire(balanceMinor) };
}
