/**
 * Turns REST bodies into payloads. A body with everything that was agreed is a fact and is taken as it is. Any other
 * body is a request: the server composes it with current prices and a number of its own series, or refuses it
 * (SYNC-2).
 */
import { minorFromWire } from '#domain/money.ts';
import { composeAddedServices, composeChange, composeTreatment } from '#domain/order/compose.ts';
import type { RequestedLine } from '#domain/order/decisions.ts';
import type { AddServicesPayload, ChangePayload, CreatePayload, LinePayload } from '#domain/order/operations.ts';
import { may } from '#domain/permissions.ts';
import type { addServicesBodySchema, changeBodySchema, createOrderBodySchema } from '#domain/order/body-schemas.ts';
import { milliFromWire } from '#domain/quantity.ts';
import { accept, refuse } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';
import { defaultOrderType } from '#domain/order/vocabulary.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import { lineTax } from '#domain/tax/profile.ts';
import { categoryOfKey } from '#domain/tax/tax.ts';
import { categoryToWire } from '#domain/tax/wire.ts';
import type { z } from 'zod';
import { numbered, requestedOrder } from './composing.ts';
import { loadRoom } from '../rooms/service.ts';
import { loadPrices, loadSellables } from '../stock/service.ts';
import type { WriteContext } from '#server/context.ts';

type CreateBody = z.infer<typeof createOrderBodySchema>;
type AddBody = z.infer<typeof addServicesBodySchema>;
type ChangeBody = z.infer<typeof changeBodySchema>;
type RequestedItem = CreateBody['items'][number];

export async function completeCreate(
  context: WriteContext,
  settings: ClinicSettings,
  orderId: string,
  body: CreateBody,
): Promise<Result<CreatePayload>> {
  const {
    number,
    currency,
    total,
    patient,
    notes,
    room_number,
    service_charge,
    discount = 0,
    discount_reason,
    order_type = defaultOrderType,
    customer_name = patient?.name,
  } = body;
  if (
    number !== undefined &&
    currency !== undefined &&
    total !== undefined &&
    body.items.length > 0 &&
    body.items.every(isAgreed)
  ) {
    const items = await taxedLines(context, settings, body.items);
    const agreed = { number, currency, total, items, discount, service_charge: service_charge ?? 0 };
    return accept({ ...body, order_id: orderId, order_type, customer_name, ...agreed });
  }
  const lines = await requestedLines(context, settings, body.items);
  const room = await requestedRoom(context, body.room_id);
  if (!room.ok) return room;
  const composed = composeTreatment(settings, {
    orderId,
    orderType: order_type,
    lines,
    customerName: customer_name,
    patient,
    roomId: body.room_id,
    roomNumber: room.value ?? room_number,
    notes,
    discount: {
      minorOf: () => minorFromWire(discount),
      reason: discount_reason,
      mayExceed: may(context.session.role, 'order.discount_any'),
    },
    chargeOn: (dueMinor) => {
      if (service_charge !== undefined) return minorFromWire(service_charge);
      // The counter charges none, and nobody who walks in pays one.
      return order_type === 'walk_in' ? 0 : Math.round((dueMinor * settings.service_charge_rate) / 100);
    },
  });
  return numbered(context, settings, composed, number);
}

export async function completeAddServices(
  context: WriteContext,
  settings: ClinicSettings,
  orderId: string,
  { items, notes }: AddBody,
): Promise<Result<AddServicesPayload>> {
  if (items.length > 0 && items.every(isAgreed))
    return accept({ order_id: orderId, items: await taxedLines(context, settings, items), notes });
  const order = await requestedOrder(context, orderId);
  if (!order.ok) return order;
  return composeAddedServices(order.value, { lines: await requestedLines(context, settings, items), notes });
}

/** Fills in the number of the room, and the taxes of lines that were sold without one. */
export async function completeChange(
  context: WriteContext,
  settings: ClinicSettings,
  orderId: string,
  { removed_line_ids, replaced_items = [], room_id, patient, customer_name = patient?.name }: ChangeBody,
): Promise<Result<ChangePayload>> {
  const order = await requestedOrder(context, orderId);
  if (!order.ok) return order;
  const room = await requestedRoom(context, room_id);
  if (!room.ok) return room;
  const composed = composeChange(order.value, {
    removedIds: removed_line_ids,
    replacements: replaced_items.map(({ line_id = context.newId(), replaces, quantity, notes }) => ({
      lineId: line_id,
      replaces,
      quantityMilli: quantity === undefined ? undefined : milliFromWire(quantity),
      notes,
    })),
    roomId: room_id,
    roomNumber: room.value,
    customerName: customer_name,
    patient,
  });
  if (!composed.ok || !composed.value.replaced_items) return composed;
  const items = await taxedLines(context, settings, composed.value.replaced_items);
  return accept({ ...composed.value, replaced_items: items });
}

/** Returns the current number of a room, if one is named. */
async function requestedRoom(
  { sql, clinicId }: WriteContext,
  roomId: number | null | undefined,
): Promise<Result<string | undefined>> {
  if (roomId == null) return accept(undefined);
  const room = await loadRoom(sql, clinicId, roomId);
  return room ? accept(room.number) : refuse('ROOM_NOT_FOUND');
}

const isAgreed = (item: RequestedItem): item is LinePayload =>
  item.line_id !== undefined &&
  item.name !== undefined &&
  item.unit_price !== undefined &&
  item.quantity > 0 &&
  (item.stock_id === undefined) !== (item.product_id === undefined);

/** Returns the requested lines at the prices and taxes of this moment. */
async function requestedLines(
  { sql, clinicId, atMs, newId }: WriteContext,
  settings: ClinicSettings,
  items: readonly RequestedItem[],
): Promise<RequestedLine[]> {
  const ids = (key: 'stock_id' | 'product_id') => items.map((item) => item[key]).filter((id) => id !== undefined);
  const { stock, products } = await loadSellables(sql, clinicId, {
    stockIds: ids('stock_id'),
    productIds: ids('product_id'),
  });
  return items.map((item) => {
    const sellable = item.stock_id === undefined ? products.get(item.product_id ?? 0) : stock.get(item.stock_id);
    return {
      lineId: item.line_id ?? newId(),
      sellable,
      quantityMilli: milliFromWire(item.quantity),
      tax: lineTax(settings, sellable?.taxCode, atMs),
      notes: item.notes,
    };
  });
}

/**
 * Returns agreed lines with their taxes. A line that states none bears the tax of the catalogue on this business day, also
 * the tax of a deleted service. Without a tax profile no line has one.
 */
async function taxedLines<Line extends LinePayload>(
  { sql, clinicId, atMs }: WriteContext,
  settings: ClinicSettings,
  lines: readonly Line[],
): Promise<Line[]> {
  if (settings.tax_profile === 'none') return lines.map((line) => ({ ...line, tax: undefined }));
  const open = lines.filter(({ tax }) => !tax);
  if (open.length === 0) return [...lines];
  const { stock, products } = await loadPrices(sql, clinicId, {
    stockIds: open.flatMap(({ stock_id }) => stock_id ?? []),
    productIds: open.flatMap(({ product_id }) => product_id ?? []),
    sinceMs: atMs,
  });
  return lines.map((line) => {
    if (line.tax) return line;
    const known = stock.get(line.stock_id ?? 0) ?? products.get(line.product_id ?? 0) ?? [];
    const current = known.find(({ untilMs }) => untilMs === null);
    return { ...line, tax: categoryToWire(categoryOfKey(lineTax(settings, current?.taxCode, atMs)!)) };
  });
}
