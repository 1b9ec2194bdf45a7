import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { paginationOf } from '#domain/pagination.ts';
import { minorFromWire } from '#domain/money.ts';
import { blankPurchase } from '#domain/stock/blank-drafts.ts';
import { purchaseProblems } from '#domain/stock/drafts.ts';
import {
  amountSchema,
  decisionBodySchema,
  idParamSchema,
  idSchema,
  nonNegativeAmountSchema,
  quantitySchema,
  seenField,
  textSchema,
} from '#domain/wire/schemas.ts';
import { milliFromWire } from '#domain/quantity.ts';
import { purchaseFormOf, purchaseOrderResource } from '#domain/stock/purchasing.ts';
import { purchaseOrderStatuses } from '#domain/stock/vocabulary.ts';
import type { Api, RoutePorts, Routes } from '#server/ports.ts';
import { withinClinic } from '#server/db/database.ts';
import type { Sql } from '#server/db/sql.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { requires } from '#server/http/access.ts';
import { changeBody, changesIn } from '#server/http/change-body.ts';
import { changeForm, newForm } from '#server/http/form-rules.ts';
import { largeRowsQuery, orAll, partOf } from '#server/http/paging.ts';
import { sendRefusal } from '#server/http/refusals.ts';
import { deskWrites, feedWrites } from '#server/operations/rest-writes.ts';
import type { WriteCall } from '#server/operations/rest-writes.ts';
import { existingItems } from '../ledger/service.ts';
import {
  cancelPurchaseOrder,
  changePurchaseOrder,
  createPurchaseOrder,
  receiveDeliveries,
  sendPurchaseOrder,
  suggestPurchases,
} from './service.ts';
import type { Booking } from './service.ts';
import { listPurchaseOrders, loadPurchaseOrder, orderOfLine, purchaseSorts } from './store.ts';
import type { PurchaseFilter } from './store.ts';

const params = z.strictObject({ id: idParamSchema });
const sortNames = Object.keys(purchaseSorts) as [keyof typeof purchaseSorts, ...(keyof typeof purchaseSorts)[]];
const listQuery = largeRowsQuery.extend({
  search: textSchema(200).optional(),
  status: orAll(purchaseOrderStatuses),
  sort: z.enum(sortNames).default('created_at'),
  order: z.enum(['asc', 'desc']).default('desc'),
});

const positiveQuantity = quantitySchema.refine((quantity) => quantity > 0, { message: 'positive' });
/** The domain validates the rest of a draft. */
const text = textSchema(100_000);
const items = z
  .array(z.strictObject({ stock_id: idSchema, quantity: quantitySchema, unit_cost: amountSchema.optional() }))
  .max(200);
const draftSchema = z.strictObject({
  vendor: text,
  vendor_contact: text.default(blankPurchase.vendor_contact),
  notes: text.default(blankPurchase.notes),
  items,
});
/** What a change leaves out stays as it is. */
const changeSchema = changeBody(z.strictObject({ vendor: text, vendor_contact: text, notes: text, items }).partial());
const deliverySchema = z.strictObject({
  quantity: positiveQuantity,
  unit_cost: nonNegativeAmountSchema.optional(),
  lot_number: textSchema(100).optional(),
  expires_on: z.iso.date().optional(),
  notes: textSchema(2000).default(''),
});
/** What was received together: the vendor's number of it, and what the receiver's screen showed. */
const bookingFields = {
  delivery_note: textSchema(100).default(''),
  is_another_delivery: z.boolean().default(false),
  ...seenField,
};
const deliveriesSchema = z.strictObject({
  ...bookingFields,
  items: z
    .array(deliverySchema.extend({ item_id: idSchema }))
    .min(1)
    .max(200),
});

const deliveryOf = (
  lineId: number,
  { quantity, unit_cost, lot_number, expires_on, notes }: z.infer<typeof deliverySchema>,
) => ({
  lineId,
  quantityMilli: milliFromWire(quantity),
  unitCostMinor: unit_cost === undefined ? undefined : minorFromWire(unit_cost),
  lotNumber: lot_number,
  expiresOn: expires_on,
  notes,
});

const bookingOf = (
  { delivery_note, is_another_delivery }: { delivery_note: string; is_another_delivery: boolean },
  deliveries: Booking['deliveries'],
): Booking => ({ deliveries, note: delivery_note.trim(), isAnother: is_another_delivery });

const aggregateOf = (orderId: number) => `purchase:${orderId}`;

/** The lock of an order, and the record that is decided on. */
const decisionOn = (orderId: number) => ({
  aggregate: aggregateOf(orderId),
  record: async (sql: Sql, clinicId: number) => {
    const order = await loadPurchaseOrder(sql, clinicId, orderId);
    return order && purchaseOrderResource(order);
  },
});

function readRoutes(api: Api, { database }: RoutePorts): void {
  const config = requires('stock.read');

  async function page(
    clinicId: number,
    query: z.infer<typeof largeRowsQuery>,
    filter: Omit<PurchaseFilter, 'limit' | 'offset'>,
  ) {
    const { orders, total } = await inTransaction(
      withinClinic(database, clinicId),
      (sql) => listPurchaseOrders(sql, clinicId, { ...filter, ...partOf(query) }),
      'snapshot',
    );
    const pagination = paginationOf({ ...query, total, rows: orders.length });
    return { success: true, data: orders.map(purchaseOrderResource), pagination };
  }

  api.get('/purchase-orders', { config, schema: { querystring: listQuery } }, ({ session, query }) =>
    page(session.clinicId, query, query),
  );

  api.get('/purchase-orders/suggestions', { config }, async ({ session: { clinicId } }) => ({
    success: true,
    data: await suggestPurchases(withinClinic(database, clinicId), clinicId),
  }));

  api.get('/purchase-orders/:id', { config, schema: { params } }, async (request, reply) => {
    const { clinicId } = request.session;
    const order = await loadPurchaseOrder(withinClinic(database, clinicId), clinicId, request.params.id);
    return order
      ? { success: true, data: purchaseOrderResource(order) }
      : sendRefusal(reply, { code: 'PURCHASE_ORDER_NOT_FOUND' });
  });

  api.get(
    '/stock/:id/purchase-orders',
    { config, schema: { params, querystring: largeRowsQuery } },
    async (request, reply) => {
      const { clinicId } = request.session;
      const stockId = request.params.id;
      if (!(await existingItems(withinClinic(database, clinicId), clinicId, [stockId])).has(stockId))
        return sendRefusal(reply, { code: 'STOCK_NOT_FOUND' });
      return page(clinicId, request.query, { stockId });
    },
  );
}

function writeRoutes(api: Api, ports: RoutePorts): void {
  const write = deskWrites(ports, 'purchase:new');
  const writes = requires('purchase.write');

  for (const url of ['/purchase-orders', '/stock/purchase-orders']) {
    api.post(
      url,
      { config: { ...writes, ...newForm(blankPurchase, purchaseProblems) }, schema: { body: draftSchema } },
      (request, reply) =>
        write(request, reply, { kind: 'purchase.create', status: 201 }, (context) =>
          createPurchaseOrder(context.sql, context, request.body),
        ),
    );
  }

  api.put(
    '/purchase-orders/:id',
    { config: { ...writes, ...changeForm(blankPurchase, purchaseProblems) }, schema: { params, body: changeSchema } },
    (request, reply) => {
      const orderId = request.params.id;
      const record: WriteCall['record'] = async (sql, clinicId) => {
        const order = await loadPurchaseOrder(sql, clinicId, orderId);
        return order && purchaseFormOf(purchaseOrderResource(order));
      };
      return write(request, reply, { kind: 'purchase.change', aggregate: aggregateOf(orderId), record }, (context) =>
        changePurchaseOrder(context.sql, context, orderId, changesIn(request.body)),
      );
    },
  );

  for (const [action, move] of [
    ['send', sendPurchaseOrder],
    ['cancel', cancelPurchaseOrder],
  ] as const) {
    const schema = { params, body: decisionBodySchema };
    api.post(`/purchase-orders/:id/${action}`, { config: writes, schema }, (request, reply) => {
      const orderId = request.params.id;
      return write(request, reply, { kind: `purchase.${action}`, ...decisionOn(orderId) }, (context) =>
        move(context.sql, context, orderId),
      );
    });
  }
}

function deliveryRoutes(api: Api, ports: RoutePorts): void {
  // Tablets show stock levels.
  const writeAndTell = feedWrites(ports, 'purchase:new');
  const writes = requires('purchase.write');

  const receive = (request: FastifyRequest, reply: FastifyReply, orderId: number, booking: Booking) =>
    writeAndTell(request, reply, { kind: 'purchase.receive', ...decisionOn(orderId) }, (context) =>
      receiveDeliveries(context.sql, context, orderId, booking),
    );

  api.post(
    '/purchase-orders/:id/receive',
    { config: writes, schema: { params, body: deliveriesSchema } },
    (request, reply) => {
      const deliveries = request.body.items.map(({ item_id, ...delivery }) => deliveryOf(item_id, delivery));
      return receive(request, reply, request.params.id, bookingOf(request.body, deliveries));
    },
  );

  api.post(
    '/stock/purchase-orders/items/:id/receive',
    { config: writes, schema: { params, body: deliverySchema.extend(bookingFields) } },
    async (request, reply) => {
      const { clinicId } = request.session;
      const lineId = request.params.id;
      const orderId = await orderOfLine(withinClinic(ports.database, clinicId), clinicId, lineId);
      if (orderId === undefined) return sendRefusal(reply, { code: 'PURCHASE_ITEM_NOT_FOUND' });
      return receive(request, reply, orderId, bookingOf(request.body, [deliveryOf(lineId, request.body)]));
    },
  );
}

/** Purchase orders and their deliveries. */
export const purchasingRoutes: Routes = (ports) => async (api) => {
  readRoutes(api, ports);
  writeRoutes(api, ports);
  deliveryRoutes(api, ports);
};
