import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { stockAggregate } from '../../../domain/stock/operations.ts';
import { idParamSchema } from '../../../domain/protocol/schemas.ts';
import { uuidV7 } from '../../../domain/uuid.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Routes } from '../../ports.ts';
import { requires } from '../../http/access.ts';
import { keyOf, sendStored } from '../../http/idempotency.ts';
import { applyRequest, publishChange } from '../../operations/rest-entry.ts';
import { adjustTogether, decideAdjustment, deductForOrder, holdItems } from './movements.ts';
import { adjustBodySchema, bulkBodySchema, deductBodySchema, holdBodySchema } from './schemas.ts';
import { catalogueWrites } from './writes.ts';

const params = z.object({ id: idParamSchema });
const actions = { update: 'set', add: 'add', subtract: 'subtract' } as const;

export const movementRoutes: Routes = (ports) => async (api) => {
  const pool = ports.database.$client;
  const write = catalogueWrites(ports);
  const config = requires('stock.adjust');

  for (const [verb, action] of Object.entries(actions)) {
    api.post(
      `/stock/stock/${verb}/:id`,
      { config, schema: { params, body: adjustBodySchema } },
      async (request, reply) => {
        const { session } = request;
        const stockId = request.params.id;
        const receivedAtMs = ports.clock();
        const newId = () => uuidV7(receivedAtMs, randomBytes(10));
        const payload = { ...request.body, stock_id: stockId, action };
        const outcome = await inTransaction(pool, (sql) =>
          applyRequest(sql, {
            session,
            receivedAtMs,
            newId,
            opId: keyOf(request) ?? newId(),
            kind: 'stock.adjust',
            aggregate: stockAggregate(stockId),
            body: payload,
            complete: () => decideAdjustment(sql, session.clinicId, payload),
          }),
        );
        if (!outcome.replayed && outcome.status === 'applied') publishChange(pool, session.clinicId);
        return sendStored(reply, 'stock.adjust', outcome);
      },
    );
  }

  api.post('/stock/stock/bulk-update', { config, schema: { body: bulkBodySchema } }, (request, reply) =>
    write(request, reply, { kind: 'stock.bulk_update' }, (context) => adjustTogether(context, request.body.updates)),
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
