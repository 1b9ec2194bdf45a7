/** Routes of what is in stock: its figures, its report, and what adjusts and reserves it. */
import { z } from 'zod';
import { stockAggregate } from '#domain/stock/operations.ts';
import { stockReportTypes } from '#domain/stock/reports.ts';
import { idParamSchema } from '#domain/wire/schemas.ts';
import type { Routes } from '#server/ports.ts';
import { withinClinic } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { requires } from '#server/http/access.ts';
import { repeatsId } from '#server/http/bodies.ts';
import { invalidField, sendInvalid } from '#server/http/validation.ts';
import { feedWrites, operationWrites } from '#server/operations/rest-writes.ts';
import { decideAdjustment } from '../ledger/service.ts';
import { adjustTogether, deductForOrder, holdItems } from './adjustments-service.ts';
import { stockReport, stockStats } from './reports-service.ts';
import { adjustBodySchema, bulkBodySchema, deductBodySchema, holdBodySchema } from './schemas.ts';
import { catalogueLock } from './service.ts';

const params = z.strictObject({ id: idParamSchema });
const reportQuery = z
  .strictObject({
    type: z.enum(stockReportTypes).default('summary'),
    from: z.iso.date().optional(),
    to: z.iso.date().optional(),
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
    path: ['to'],
    message: 'beforeStart',
  });

const actions = { update: 'set', add: 'add', subtract: 'subtract' } as const;

export const inventoryRoutes: Routes = (ports) => async (api) => {
  const apply = operationWrites(ports);
  const write = feedWrites(ports, catalogueLock);
  const config = requires('stock.adjust');

  api.get('/stock/stats', { config: requires('stock.read') }, async ({ session }) => ({
    success: true,
    data: await inTransaction(
      withinClinic(ports.database, session.clinicId),
      (sql) => stockStats(sql, session.clinicId),
      'snapshot',
    ),
  }));

  api.get(
    '/stock/inventory/report',
    { config: requires('stock.read'), schema: { querystring: reportQuery } },
    async ({ session, query }) => ({
      success: true,
      data: await inTransaction(
        withinClinic(ports.database, session.clinicId),
        (sql) => stockReport(sql, session.clinicId, { ...query, nowMs: ports.clock() }),
        'snapshot',
      ),
    }),
  );

  for (const [verb, action] of Object.entries(actions)) {
    api.post(
      `/stock/stock/${verb}/:id`,
      { config: { ...config, ...repeatsId('stock_id') }, schema: { params, body: adjustBodySchema } },
      (request, reply) => {
        const { type = action, ...adjusted } = request.body;
        if (type !== action) return sendInvalid(request, reply, [invalidField('type', 'actionDiffers')]);
        const payload = { ...adjusted, stock_id: request.params.id, action };
        return apply(request, reply, {
          kind: 'stock.adjust',
          aggregate: stockAggregate(payload.stock_id),
          body: payload,
          complete: ({ sql, clinicId }) => decideAdjustment(sql, clinicId, payload),
        });
      },
    );
  }

  api.post('/stock/stock/bulk-update', { config, schema: { body: bulkBodySchema } }, (request, reply) =>
    write(request, reply, { kind: 'stock.bulk_update' }, (context) =>
      adjustTogether(ports.operations, context, request.body.updates),
    ),
  );

  api.post('/stock/reserve', { config, schema: { body: holdBodySchema } }, (request, reply) =>
    write(request, reply, { kind: 'stock.reserve' }, (context) => holdItems(context, request.body.stock, 1)),
  );

  api.post('/stock/unreserve', { config, schema: { body: holdBodySchema } }, (request, reply) =>
    write(request, reply, { kind: 'stock.unreserve' }, (context) => holdItems(context, request.body.stock, -1)),
  );

  api.post('/stock/deduct-for-order', { config, schema: { body: deductBodySchema } }, (request, reply) =>
    write(request, reply, { kind: 'stock.deduct_for_order' }, (context) =>
      deductForOrder(context, request.body.orderId, request.body.stock),
    ),
  );
};
