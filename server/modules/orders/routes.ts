import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { may } from '#domain/permissions.ts';
import type { Action } from '#domain/permissions.ts';
import { paginationOf } from '#domain/pagination.ts';
import { shownTo } from '#domain/column-permissions.ts';
import { orderResource, paymentSummary } from '#domain/order/to-resource.ts';
import type { OrderResource } from '#domain/order/resource.ts';
import type { Order } from '#domain/order/order.ts';
import { orderStatuses } from '#domain/order/vocabulary.ts';
import { preparationStatuses } from '#domain/preparation/steps.ts';
import { orderAggregate } from '#domain/order/operations.ts';
import type { OperationKind, PayloadOf } from '#domain/protocol/operations.ts';
import { textSchema, uuidSchema } from '#domain/wire/schemas.ts';
import {
  addServicesBodySchema,
  changeBodySchema,
  createOrderBodySchema,
  payBodySchema,
  invoiceBodySchema,
  refundBodySchema,
  statusBodySchema,
} from '#domain/order/body-schemas.ts';
import { orderTypeSchema } from '#domain/order/schemas.ts';
import { refuse } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import { newIdAt } from '#server/context.ts';
import type { WriteContext } from '#server/context.ts';
import type { Api, RoutePorts, Routes } from '#server/ports.ts';
import { withinClinic } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { requires } from '#server/http/access.ts';
import { orAll, pageNumber, pageRow, pageSize, partOf } from '#server/http/paging.ts';
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
  // The preparation board has words for single lines. No treatment has them, but to ask for them is no mistake.
  status: orAll([...orderStatuses, ...preparationStatuses]),
  type: z.preprocess((type) => (type === 'all' ? undefined : type), orderTypeSchema.optional()),
  search: textSchema(100).optional(),
  start_date: z.iso.date().optional(),
  end_date: z.iso.date().optional(),
  page: pageNumber,
  row: pageRow,
  per_page: pageSize(),
  /** Another name of `per_page`. */
  limit: pageSize().unwrap().optional(),
});

const seesPatients = ({ session }: FastifyRequest): boolean => may(session.role, 'patient.read');

/** Returns what the caller may see of a treatment. */
function shown(request: FastifyRequest, order: Order): OrderResource {
  return orderResource(shownTo(request.session.role, 'order', order));
}

function readRoutes(api: Api, { database }: RoutePorts): void {
  async function find({ params: { id }, session }: FastifyRequest<{ Params: { id: string } }>) {
    const pool = withinClinic(database, session.clinicId);
    const loaded = await inTransaction(pool, (sql) => loadOrders(sql, session.clinicId, [id]), 'snapshot');
    return loaded.get(id);
  }

  api.get('/orders', { config: requires('order.read'), schema: { querystring: listQuery } }, async (request) => {
    const { status, type, search, start_date, end_date, page, row, per_page: perPage, limit = perPage } = request.query;
    const { orders, total } = await inTransaction(
      withinClinic(database, request.session.clinicId),
      (sql) =>
        listOrders(sql, request.session.clinicId, {
          status,
          type,
          search,
          from: start_date,
          to: end_date,
          // A search by names would also tell them.
          byName: seesPatients(request),
          ...partOf({ page, row, per_page: limit }),
        }),
      'snapshot',
    );
    const pagination = paginationOf({ total, page, per_page: limit, row, rows: orders.length });
    return { success: true, data: orders.map((order) => shown(request, order)), pagination };
  });

  /** Answers with one part of a treatment. */
  const getOne = (url: string, part: (request: FastifyRequest, order: Order) => unknown) =>
    api.get(url, { config: requires('order.read'), schema: { params: orderParams } }, async (request, reply) => {
      const order = await find(request);
      return order ? { success: true, data: part(request, order) } : sendRefusal(reply, { code: 'ORDER_NOT_FOUND' });
    });
  getOne('/orders/:id', shown);
  getOne('/orders/:id/payments', (request, order) => shown(request, order).Payments);
  getOne('/orders/:id/payment-summary', (_request, order) => paymentSummary(order));
}

/** What a write of one treatment takes: its kind is also the permission. */
interface OrderWrite<K extends OperationKind, Body extends z.ZodType> {
  kind: K;
  body: Body;
  complete: (
    context: WriteContext,
    settings: ClinicSettings,
    orderId: string,
    body: z.output<Body>,
  ) => Promise<Result<PayloadOf[K]>>;
}

function writeRoutes(api: Api, ports: RoutePorts): void {
  const apply = operationWrites(ports);
  const write = <K extends OperationKind>(
    request: FastifyRequest,
    reply: FastifyReply,
    { kind, orderId, complete }: { kind: K; orderId: string; complete: OperationCall<K>['complete'] },
  ) =>
    apply(request, reply, {
      kind,
      aggregate: orderAggregate(orderId),
      body: { ...(request.body as object), order_id: orderId },
      complete,
    });

  // The second address is for staff who serve in the rooms.
  for (const url of ['/orders', '/server/orders']) {
    api.post(url, { config: requires('order.create'), schema: { body: createOrderBodySchema } }, (request, reply) => {
      // A repetition without an order id must name the same treatment, so it follows from the person's key.
      const orderId = request.body.order_id ?? receiptIdOf(request) ?? newIdAt(ports.clock());
      return write(request, reply, {
        kind: 'order.create',
        orderId,
        complete: (context, settings) => completeCreate(context, settings, orderId, request.body),
      });
    });
  }

  const add = <K extends OperationKind & Action, Body extends z.ZodType>(
    method: 'PATCH' | 'POST' | 'PUT',
    url: string,
    { kind, body, complete }: OrderWrite<K, Body>,
  ) =>
    api.route({
      method,
      url,
      config: { ...requires(kind), ...repeatsId('order_id') },
      schema: { params: orderParams, body },
      handler: (request, reply) => {
        const { id: orderId } = request.params;
        return write(request, reply, {
          kind,
          orderId,
          complete: (context, settings) => complete(context, settings, orderId, request.body as z.output<Body>),
        });
      },
    });

  add('PATCH', '/orders/:id', {
    kind: 'order.add_services',
    body: addServicesBodySchema,
    complete: completeAddServices,
  });
  add('POST', '/orders/:id/changes', { kind: 'order.change', body: changeBodySchema, complete: completeChange });
  add('PUT', '/orders/:id/status', {
    kind: 'order.cancel',
    body: statusBodySchema,
    complete: async (context, settings, orderId, body) =>
      body.status === 'cancelled'
        ? completeCancel(context, settings, orderId, body)
        : refuse('STATUS_NOT_SETTABLE', { status: body.status }),
  });
  add('POST', '/orders/:id/refunds', { kind: 'order.refund', body: refundBodySchema, complete: completeRefund });
  add('POST', '/orders/:id/invoices', { kind: 'order.invoice', body: invoiceBodySchema, complete: completeInvoice });
  for (const url of ['/orders/:id/payments', '/payments/orders/:id/pay'])
    add('POST', url, { kind: 'order.pay', body: payBodySchema, complete: completePay });
}

/** Treatments and payments over REST: every write becomes the operation that a tablet would have queued. */
export const orderRoutes: Routes = (ports) => async (api) => {
  readRoutes(api, ports);
  writeRoutes(api, ports);
};
