import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { minorFromWire } from '../../../domain/money.ts';
import { amountSchema, idParamSchema, idSchema, nonNegativeAmountSchema, quantitySchema, textSchema } from '../../../domain/protocol/schemas.ts';
import { idempotencyHeader } from '../../../domain/protocol/sync.ts';
import { milliFromWire } from '../../../domain/quantity.ts';
import type { Result } from '../../../domain/result.ts';
import { purchaseOrderDocument } from '../../../domain/stock/purchasing.ts';
import { purchaseOrderStatuses } from '../../../domain/stock/vocabulary.ts';
import { uuidV7 } from '../../../domain/uuid.ts';
import type { Routes } from '../../deps.ts';
import type { Sql } from '../../db/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import { requires } from '../../http/access.ts';
import { keyHeaders, sendStored } from '../../http/idempotency.ts';
import { sendRefusal } from '../../http/refusals.ts';
import { knownItems } from '../ledger/service.ts';
import { applyOnce, publishChange } from '../sync/service.ts';
import {
  cancelPurchaseOrder, changePurchaseOrder, createPurchaseOrder, receiveDeliveries, sendPurchaseOrder, suggestPurchases,
} from './service.ts';
import type { Purchaser } from './service.ts';
import { listPurchaseOrders, loadPurchaseOrder, orderOfLine } from './store.ts';
import type { PurchaseFilter } from './store.ts';

const params = z.object({ id: idParamSchema });
const pageQuery = z.object({
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  per_page: z.coerce.number().int().min(1).max(200).default(10),
});
const listQuery = pageQuery.extend({ search: textSchema(200).optional(), status: z.enum(purchaseOrderStatuses).optional() });

const positiveQuantity = quantitySchema.refine((quantity) => quantity > 0, { message: 'Must be greater than 0' });
/** What a draft may say beyond this is a rule of the domain. */
const draftSchema = z.object({
  vendor: textSchema(100_000),
  vendor_contact: textSchema(100_000).default(''),
  notes: textSchema(100_000).default(''),
  items: z.array(z.object({ stock_id: idSchema, quantity: quantitySchema, unit_cost: amountSchema.optional() })).max(200),
});
const deliverySchema = z.object({
  quantity: positiveQuantity,
  unit_cost: nonNegativeAmountSchema.optional(),
  lot_number: textSchema(100).optional(),
  expires_on: z.iso.date().optional(),
  notes: textSchema(2000).default(''),
});
const deliveriesSchema = z.object({ items: z.array(deliverySchema.extend({ item_id: idSchema })).min(1).max(200) });

const deliveryOf = (lineId: number, { quantity, unit_cost, lot_number, expires_on, notes }: z.infer<typeof deliverySchema>) => ({
  lineId,
  quantityMilli: milliFromWire(quantity),
  unitCostMinor: unit_cost === undefined ? undefined : minorFromWire(unit_cost),
  lotNumber: lot_number,
  expiresOn: expires_on,
  notes,
});

type Action = 'create' | 'change' | 'send' | 'cancel' | 'receive';

/** What the clinic orders from its vendors, and what arrives of it. Every write takes an idempotency key. */
export const purchasingRoutes: Routes = (deps) => async (api) => {
  const pool = deps.database.$client;
  const reads = requires('stock.read');
  const writes = requires('purchase.write');

  async function write(
    request: FastifyRequest,
    reply: FastifyReply,
    { action, orderId }: { action: Action; orderId: number | 'new' },
    work: (sql: Sql, purchaser: Purchaser) => Promise<Result<unknown>>,
  ) {
    const { session } = request;
    const atMs = deps.clock();
    const { clinicId, userId, deviceId } = session;
    const purchaser = { clinicId, userId, deviceId, atMs, newId: () => uuidV7(atMs, randomBytes(10)) };
    const outcome = await inTransaction(pool, (sql) =>
      applyOnce(
        sql,
        {
          session, receivedAtMs: atMs, opId: request.headers[idempotencyHeader] as string | undefined,
          kind: `purchase.${action}`, aggregate: `purchase:${orderId}`,
          // The id too: the lines of one order are received by bodies that may look the same.
          body: { ...(request.params as object), ...(request.body as object | null) },
        },
        action === 'create' ? 201 : 200,
        () => work(sql, purchaser),
      ),
    );
    // Tablets show how much there is of what they sell.
    if (action === 'receive' && outcome.httpStatus < 300 && !outcome.replayed) publishChange(pool, clinicId);
    return sendStored(reply, outcome);
  }

  async function page(clinicId: number, { page: number, per_page }: z.infer<typeof pageQuery>, filter: Omit<PurchaseFilter, 'limit' | 'offset'>) {
    const { orders, total } = await inTransaction(
      pool,
      (sql) => listPurchaseOrders(sql, clinicId, { ...filter, limit: per_page, offset: (number - 1) * per_page }),
      'snapshot',
    );
    const pagination = { total, page: number, per_page, totalPages: Math.ceil(total / per_page) };
    return { success: true, data: orders.map(purchaseOrderDocument), pagination };
  }

  api.get('/purchase-orders', { config: reads, schema: { querystring: listQuery } }, ({ session, query }) =>
    page(session.clinicId, query, { status: query.status, search: query.search }),
  );

  api.get('/purchase-orders/suggestions', { config: reads }, async ({ session }) => ({
    success: true,
    data: await suggestPurchases(pool, session.clinicId),
  }));

  api.get('/purchase-orders/:id', { config: reads, schema: { params } }, async (request, reply) => {
    const order = await loadPurchaseOrder(pool, request.session.clinicId, request.params.id);
    return order ? { success: true, data: purchaseOrderDocument(order) } : sendRefusal(reply, { code: 'PURCHASE_ORDER_NOT_FOUND' });
  });

  api.get('/stock/:id/purchase-orders', { config: reads, schema: { params, querystring: pageQuery } }, async (request, reply) => {
    const { clinicId } = request.session;
    const stockId = request.params.id;
    if (!(await knownItems(pool, clinicId, [stockId])).has(stockId)) return sendRefusal(reply, { code: 'STOCK_NOT_FOUND' });
    return page(clinicId, request.query, { stockId });
  });

  for (const url of ['/purchase-orders', '/stock/purchase-orders']) {
    api.post(url, { config: writes, schema: { body: draftSchema, headers: keyHeaders } }, (request, reply) =>
      write(request, reply, { action: 'create', orderId: 'new' }, (sql, purchaser) => createPurchaseOrder(sql, purchaser, request.body)),
    );
  }

  api.put('/purchase-orders/:id', { config: writes, schema: { params, body: draftSchema, headers: keyHeaders } }, (request, reply) => {
    const orderId = request.params.id;
    return write(request, reply, { action: 'change', orderId }, (sql, purchaser) => changePurchaseOrder(sql, purchaser, orderId, request.body));
  });

  for (const [action, move] of [['send', sendPurchaseOrder], ['cancel', cancelPurchaseOrder]] as const) {
    api.post(`/purchase-orders/:id/${action}`, { config: writes, schema: { params, headers: keyHeaders } }, (request, reply) => {
      const orderId = request.params.id;
      return write(request, reply, { action, orderId }, (sql, purchaser) => move(sql, purchaser, orderId));
    });
  }

  api.post('/purchase-orders/:id/receive', { config: writes, schema: { params, body: deliveriesSchema, headers: keyHeaders } }, (request, reply) => {
    const orderId = request.params.id;
    const deliveries = request.body.items.map(({ item_id, ...delivery }) => deliveryOf(item_id, delivery));
    return write(request, reply, { action: 'receive', orderId }, (sql, purchaser) => receiveDeliveries(sql, purchaser, orderId, deliveries));
  });

  api.post(
    '/stock/purchase-orders/items/:id/receive',
    { config: writes, schema: { params, body: deliverySchema, headers: keyHeaders } },
    async (request, reply) => {
      const lineId = request.params.id;
      const orderId = await orderOfLine(pool, request.session.clinicId, lineId);
      if (orderId === undefined) return sendRefusal(reply, { code: 'PURCHASE_ITEM_NOT_FOUND' });
      const deliveries = [deliveryOf(lineId, request.body)];
      return write(request, reply, { action: 'receive', orderId }, (sql, purchaser) => receiveDeliveries(sql, purchaser, orderId, deliveries));
    },
  );
};
