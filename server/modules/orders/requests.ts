/**
 * Turns REST bodies into payloads. A body with everything that was agreed is a fact and is taken as it is. Any other
 * body is a request: the server completes it with current prices and a number of its own series, or refuses it
 * (SYNC-2).
 */
import { minorFromWire, minorToWire } from '../../../domain/money.ts';
import { decideAddedServices, decideLines } from '../../../domain/order/decisions.ts';
import type { AgreedLine, RequestedLine } from '../../../domain/order/decisions.ts';
import { linePayload } from '../../../domain/order/operations.ts';
import type {
  AddServicesPayload,
  ChangePayload,
  CreatePayload,
  LinePayload,
  ReplacementPayload,
} from '../../../domain/order/operations.ts';
import { decideDiscount } from '../../../domain/order/discount.ts';
import { subtotal } from '../../../domain/order/order.ts';
import { may } from '../../../domain/permissions.ts';
import type { addServicesBodySchema, changeBodySchema, createOrderBodySchema } from '../../../domain/order/schemas.ts';
import { milliFromWire } from '../../../domain/quantity.ts';
import { accept, refuse } from '../../../domain/result.ts';
import type { Result } from '../../../domain/result.ts';
import { defaultOrderType } from '../../../domain/order/vocabulary.ts';
import type { OrderType } from '../../../domain/order/vocabulary.ts';
import type { ClinicSettings } from '../../../domain/settings/settings.ts';
import { lineTax } from '../../../domain/tax/profile.ts';
import type { z } from 'zod';
import { taxedLines } from './line-taxes.ts';
import { nextServerNumber } from '../devices/service.ts';
import { loadRoom } from '../rooms/service.ts';
import { loadSellables } from '../stock/service.ts';
import type { WriteContext } from '../../context.ts';
import { loadOrders } from './store.ts';

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
  const { number, currency, total } = body;
  const discount = body.discount ?? 0;
  const orderType = body.order_type ?? defaultOrderType;
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
    const items = await taxedLines(context, settings, body.items);
    return accept({ ...shared, service_charge: body.service_charge ?? 0, number, currency, total, items });
  }
  const lines = await requestLines(context, settings, body.items, decideLines);
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
    number: number ?? (await nextServerNumber(context, settings, 'treatment')),
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
  settings: ClinicSettings,
  orderId: string,
  body: AddBody,
): Promise<Result<AddServicesPayload>> {
  if (body.items.length > 0 && body.items.every(isAgreed))
    return accept({ order_id: orderId, items: await taxedLines(context, settings, body.items), notes: body.notes });
  const order = (await loadOrders(context.sql, context.clinicId, [orderId])).get(orderId);
  if (!order) return refuse('ORDER_NOT_FOUND');
  const lines = await requestLines(context, settings, body.items, (requested) => decideAddedServices(order, requested));
  return lines.ok ? accept({ order_id: orderId, items: lines.value.map(linePayload), notes: body.notes }) : lines;
}

/** Fills in what a replaced line keeps of its old one, and the number of the room. */
export async function completeChange(
  context: WriteContext,
  settings: ClinicSettings,
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
    replaced_items: await taxedLines(context, settings, items),
    room_id,
    ...room.value,
    customer_name: customer_name ?? patient?.name,
    patient,
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
  { sql, clinicId, atMs, newId }: WriteContext,
  settings: ClinicSettings,
  items: readonly RequestedItem[],
  agree: (lines: readonly RequestedLine[]) => Result<AgreedLine[]>,
): Promise<Result<AgreedLine[]>> {
  const ids = (key: 'stock_id' | 'product_id') => items.map((item) => item[key]).filter((id) => id !== undefined);
  const { stock, products } = await loadSellables(sql, clinicId, {
    stockIds: ids('stock_id'),
    productIds: ids('product_id'),
  });
  return agree(
    items.map((item) => {
      const sellable = item.stock_id === undefined ? products.get(item.product_id ?? 0) : stock.get(item.stock_id);
      return {
        lineId: item.line_id ?? newId(),
        sellable,
        quantityMilli: milliFromWire(item.quantity),
        tax: lineTax(settings, sellable?.taxCode, atMs),
        notes: item.notes,
      };
    }),
  );
}
