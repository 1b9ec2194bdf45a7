import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { may } from '#domain/permissions.ts';
import { totalPages } from '#domain/pagination.ts';
import { shownTo } from '#domain/column-permissions.ts';
import { orderResource, paymentSummary } from '#domain/order/resource.ts';
import type { OrderResource } from '#domain/order/resource.ts';
import type { Order } from '#domain/order/order.ts';
import { orderStatuses } from '#domain/order/vocabulary.ts';
import { preparationStatuses } from '#domain/preparation/steps.ts';
import { orderAggregate } from '#domain/order/operations.ts';
import type { OperationKind } from '#domain/protocol/operations.ts';
import { textSchema, uuidSchema } from '#domain/wire/schemas.ts';
import {
  addServicesBodySchema,
  changeBodySchema,
  createOrderBodySchema,
  orderTypeSchema,
  payBodySchema,
  invoiceBodySchema,
  refundBodySchema,
  statusBodySchema,
} from '#domain/order/schemas.ts';
import { refuse } from '#domain/result.ts';
import { newIdAt } from '#server/context.ts';
import type { Routes } from '#server/ports.ts';
import { withinClinic } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { requires } from '#server/http/access.ts';
import { pageNumber, pageSize } from '#server/http/paging.ts';
import { repeatsId } from '#server/http/bodies.ts';
import { receiptIdOf } from '#server/http/idempotency.ts';
import { sendRefusal } from '#server/http/refusals.ts';
import { operationWrites } from '#server/operations/rest-writes.ts';
import type { OperationCall } from '#server/operations/rest-writes.ts';
import { completeCancel, completeInvoice, completePay, completeRefund } from './document-requests.ts';
import { completeAddServices, completeChange, completeCreate } from './requests.ts';
import { listOrders, loadOrders } from './store.ts';

const orderParams = z.strictObject({ id: uuidSchema });
const listQuery = z.strictObject({
  // The words of the preparation board are those of single lines: no treatment has them, and nobody is wrong to ask.
  status: z.enum([...orderStatuses, ...preparationStatuses]).optional(),
  type: orderTypeSchema.optional(),
  search: textSchema(100).optional(),
  start_date: z.iso.date().optional(),
  end_date: z.iso.date().optional(),
  page: pageNumber,
  per_page: pageSize(),
  /** Another name of `per_page`. */
  limit: pageSize().unwrap().optional(),
});

const seesPatients = ({ session }: FastifyRequest): boolean => may(session.role, 'patient.read');

/** Returns what the caller may see of a treatment. */
function shown(request: FastifyRequest, order: Order): OrderResource {
  return orderResource(shownTo(request.session.role, 'order', order));
}

/** Treatments and payments over REST: every write becomes the operation that a tablet would have queued. */
export const orderRoutes: Routes = (ports) => async (api) => {
  const apply = operationWrites(ports);
  const write = <K extends OperationKind>(
    request: FastifyRequest,
    reply: FastifyReply,
    kind: K,
    orderId: string,
    complete: OperationCall<K>['complete'],
  ) =>
    apply(request, reply, {
      kind,
      aggregate: orderAggregate(orderId),
      body: { ...(request.body as object), order_id: orderId },
      complete,
    });

  async function find(request: FastifyRequest<{ Params: { id: string } }>): Promise<Order | undefined> {
    const { id } = request.params;
    return inTransaction(
      withinClinic(ports.database, request.session.clinicId),
      async (sql) => (await loadOrders(sql, request.session.clinicId, [id])).get(id),
      'snapshot',
    );
  }

  api.get('/orders', { config: requires('order.read'), schema: { querystring: listQuery } }, async (request) => {
    const { status, type, search, start_date, end_date, page, per_page: perPage, limit = perPage } = request.query;
    const { orders, total } = await inTransaction(
      withinClinic(ports.database, request.session.clinicId),
      (sql) =>
        listOrders(sql, request.session.clinicId, {
          status,
          type,
          search,
          from: start_date,
          to: end_date,
          // A search by names would also tell them.
          byName: seesPatients(request),
          limit,
          offset: (page - 1) * limit,
        }),
      'snapshot',
    );
    const pagination = { total, page, per_page: limit, totalPages: totalPages(total, limit) };
    return { success: true, data: orders.map((order) => shown(request, order)), pagination };
  });

  api.get(
    '/orders/:id',
    { config: requires('order.read'), schema: { params: orderParams } },
    async (request, reply) => {
      const order = await find(request);
      return order ? { success: true, data: shown(request, order) } : sendRefusal(reply, { code: 'ORDER_NOT_FOUND' });
    },
  );

  api.get(
    '/orders/:id/payments',
    { config: requires('order.read'), schema: { params: orderParams } },
    async (request, reply) => {
      const order = await find(request);
      if (!order) return sendRefusal(reply, { code: 'ORDER_NOT_FOUND' });
      return { success: true, data: shown(request, order).Payments };
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

  // The second address is for staff who serve in the rooms.
  for (const url of ['/orders', '/server/orders']) {
    api.post(url, { config: requires('order.create'), schema: { body: createOrderBodySchema } }, (request, reply) => {
      // A repetition without an order id must name the same treatment, so it follows from the person's key.
      const orderId = request.body.order_id ?? receiptIdOf(request) ?? newIdAt(ports.clock());
      return write(request, reply, 'order.create', orderId, (context, settings) =>
        completeCreate(context, settings, orderId, request.body),
      );
    });
  }

  api.patch(
    '/orders/:id',
    {
      config: { ...requires('order.add_services'), ...repeatsId('order_id') },
      schema: { params: orderParams, body: addServicesBodySchema },
    },
    (request, reply) =>
      write(request, reply, 'order.add_services', request.params.id, (context, settings) =>
        completeAddServices(context, settings, request.params.id, request.body),
      ),
  );

  api.post(
    '/orders/:id/changes',
    {
      config: { ...requires('order.change'), ...repeatsId('order_id') },
      schema: { params: orderParams, body: changeBodySchema },
    },
    (request, reply) =>
      write(request, reply, 'order.change', request.params.id, (context, settings) =>
        completeChange(context, settings, request.params.id, request.body),
      ),
  );

  api.put(
    '/orders/:id/status',
    {
      config: { ...requires('order.cancel'), ...repeatsId('order_id') },
      schema: { params: orderParams, body: statusBodySchema },
    },
    (request, reply) => {
      const { id } = request.params;
      const { status } = request.body;
      return write(request, reply, 'order.cancel', id, async (context, settings) =>
        status === 'cancelled'
          ? completeCancel(context, settings, id, request.body)
          : refuse('STATUS_NOT_SETTABLE', { status }),
      );
    },
  );

  api.post(
    '/orders/:id/refunds',
    {
      config: { ...requires('order.refund'), ...repeatsId('order_id') },
      schema: { params: orderParams, body: refundBodySchema },
    },
    (request, reply) =>
      write(request, reply, 'order.refund', request.params.id, (context, settings) =>
        completeRefund(context, settings, request.params.id, request.body),
      ),
  );

  api.post(
    '/orders/:id/invoices',
    {
      config: { ...requires('order.invoice'), ...repeatsId('order_id') },
      schema: { params: orderParams, body: invoiceBodySchema },
    },
    (request, reply) =>
      write(request, reply, 'order.invoice', request.params.id, (context, settings) =>
        completeInvoice(context, settings, request.params.id, request.body),
      ),
  );

  for (const url of ['/orders/:id/payments', '/payments/orders/:id/pay']) {
    api.post(
      url,
      {
        config: { ...requires('order.pay'), ...repeatsId('order_id') },
        schema: { params: orderParams, body: payBodySchema },
      },
      (request, reply) =>
        write(request, reply, 'order.pay', request.params.id, (context, settings) =>
          completePay(context, settings, request.params.id, request.body),
        ),
    );
  }
};
