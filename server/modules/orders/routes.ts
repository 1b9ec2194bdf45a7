import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { orderResource, paymentResource } from '../../../domain/order/resource.ts';
import type { Order } from '../../../domain/order/order.ts';
import { orderStatuses } from '../../../domain/order/vocabulary.ts';
import { preparationStatuses } from '../../../domain/preparation/steps.ts';
import { orderAggregate } from '../../../domain/order/operations.ts';
import type { OperationKind, PayloadOf } from '../../../domain/protocol/operations.ts';
import { textSchema, uuidSchema } from '../../../domain/protocol/schemas.ts';
import {
  addServicesBodySchema,
  createOrderBodySchema,
  payBodySchema,
  refundBodySchema,
  statusBodySchema,
} from '../../../domain/order/schemas.ts';
import { accept, refuse } from '../../../domain/result.ts';
import type { Result } from '../../../domain/result.ts';
import { uuidV7 } from '../../../domain/uuid.ts';
import { randomBytes } from 'node:crypto';
import type { Routes } from '../../ports.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Sql } from '../../db/sql.ts';
import { requires } from '../../http/access.ts';
import { keyOf, sendStored } from '../../http/idempotency.ts';
import { sendRefusal } from '../../http/refusals.ts';
import { applyRequest, publishChange } from '../../operations/rest-entry.ts';
import type { RequestScope } from '../../operations/rest-entry.ts';
import { completeAddServices, completeCreate, completePay, completeRefund, paymentSummary } from './requests.ts';
import { listOrders, loadOrders } from './store.ts';

const orderParams = z.object({ id: uuidSchema });
const listQuery = z.object({
  // The words of the preparation board are those of single lines: no treatment has them, and nobody is wrong to ask.
  status: z.enum([...orderStatuses, ...preparationStatuses]).optional(),
  search: textSchema(100).optional(),
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  per_page: z.coerce.number().int().min(1).max(200).default(10),
});

type Complete<K extends OperationKind> = (
  sql: Sql,
  scope: RequestScope,
  orderId: string,
) => Promise<Result<PayloadOf[K]>>;

/** Treatments and payments over REST: every write becomes the operation that a tablet would have queued. */
export const orderRoutes: Routes = (ports) => async (api) => {
  const pool = ports.database.$client;
  const newId = () => uuidV7(ports.clock(), randomBytes(10));

  /** Runs a write as an operation under the caller's idempotency key, or under a new id where none was sent. */
  async function write<K extends OperationKind>(
    request: FastifyRequest,
    reply: FastifyReply,
    kind: K,
    orderId: string,
    complete: Complete<K>,
  ) {
    const { session } = request;
    const outcome = await inTransaction(pool, (sql) =>
      applyRequest(sql, {
        session,
        receivedAtMs: ports.clock(),
        newId,
        opId: keyOf(request) ?? newId(),
        kind,
        aggregate: orderAggregate(orderId),
        body: { ...(request.body as object), order_id: orderId },
        complete: (scopeSql, scope) => complete(scopeSql, scope, orderId),
      }),
    );
    if (!outcome.replayed && outcome.status === 'applied') publishChange(pool, session.clinicId);
    return sendStored(reply, kind, outcome);
  }

  async function find(request: FastifyRequest<{ Params: { id: string } }>): Promise<Order | undefined> {
    const { id } = request.params;
    return inTransaction(
      pool,
      async (sql) => (await loadOrders(sql, request.session.clinicId, [id])).get(id),
      'snapshot',
    );
  }

  api.get('/orders', { config: requires('order.read'), schema: { querystring: listQuery } }, async (request) => {
    const { status, search, page, per_page } = request.query;
    const { orders, total } = await inTransaction(
      pool,
      (sql) =>
        listOrders(sql, request.session.clinicId, { status, search, limit: per_page, offset: (page - 1) * per_page }),
      'snapshot',
    );
    const pagination = { total, page, per_page, totalPages: Math.ceil(total / per_page) };
    return { success: true, data: orders.map(orderResource), pagination };
  });

  api.get(
    '/orders/:id',
    { config: requires('order.read'), schema: { params: orderParams } },
    async (request, reply) => {
      const order = await find(request);
      return order ? { success: true, data: orderResource(order) } : sendRefusal(reply, { code: 'ORDER_NOT_FOUND' });
    },
  );

  api.get(
    '/orders/:id/payments',
    { config: requires('order.read'), schema: { params: orderParams } },
    async (request, reply) => {
      const order = await find(request);
      return order
        ? { success: true, data: order.payments.map(paymentResource) }
        : sendRefusal(reply, { code: 'ORDER_NOT_FOUND' });
    },
  );

  api.get(
    '/orders/:id/payment-summary',
    { config: requires('order.read'), schema: { params: orderParams } },
    async (request, reply) => {
      const order = await find(request);
      return order ? { success: true, data: paymentSummary(order) } : sendRefusal(reply, { code: 'ORDER_NOT_FOUND' });
    },
  );

  // One and the same: whoever serves the rooms knows it by the second name.
  for (const url of ['/orders', '/server/orders']) {
    api.post(url, { config: requires('order.create'), schema: { body: createOrderBodySchema } }, (request, reply) =>
      // Repeated without an order id a request must still name the same treatment: its key is unique and serves as the id.
      write(request, reply, 'order.create', request.body.order_id ?? keyOf(request) ?? newId(), (sql, scope, orderId) =>
        completeCreate(sql, scope, orderId, request.body),
      ),
    );
  }

  api.patch(
    '/orders/:id',
    { config: requires('order.add_services'), schema: { params: orderParams, body: addServicesBodySchema } },
    (request, reply) =>
      write(request, reply, 'order.add_services', request.params.id, (sql, scope, orderId) =>
        completeAddServices(sql, scope, orderId, request.body),
      ),
  );

  api.put(
    '/orders/:id/status',
    { config: requires('order.cancel'), schema: { params: orderParams, body: statusBodySchema } },
    (request, reply) =>
      write(request, reply, 'order.cancel', request.params.id, async (_sql, _scope, orderId) => {
        const { status, notes } = request.body;
        return status === 'cancelled'
          ? accept({ order_id: orderId, status, notes })
          : refuse('STATUS_NOT_SETTABLE', { status });
      }),
  );

  api.post(
    '/orders/:id/refunds',
    { config: requires('order.refund'), schema: { params: orderParams, body: refundBodySchema } },
    (request, reply) =>
      write(request, reply, 'order.refund', request.params.id, (sql, scope, orderId) =>
        completeRefund(sql, scope, orderId, request.body),
      ),
  );

  for (const url of ['/orders/:id/payments', '/payments/orders/:id/pay']) {
    api.post(
      url,
      { config: requires('order.pay'), schema: { params: orderParams, body: payBodySchema } },
      (request, reply) =>
        write(request, reply, 'order.pay', request.params.id, (sql, scope, orderId) =>
          completePay(sql, scope, orderId, request.body),
        ),
    );
  }
};
