import { z } from 'zod';
import { boardHours } from '../../../domain/preparation/documents.ts';
import { preparationStatuses } from '../../../domain/preparation/steps.ts';
import type { PreparationStatus } from '../../../domain/preparation/steps.ts';
import { orderAggregate } from '../../../domain/protocol/operations.ts';
import { uuidSchema } from '../../../domain/protocol/schemas.ts';
import { idempotencyHeader } from '../../../domain/protocol/sync.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Routes } from '../../deps.ts';
import { requires } from '../../http/access.ts';
import { keyHeaders, sendStored } from '../../http/idempotency.ts';
import { applyOnce, publishChange } from '../sync/service.ts';
import { moveItem } from './service.ts';
import { readBoard } from './store.ts';

const status = z.enum(preparationStatuses);
const params = z.object({ orderId: uuidSchema, itemId: uuidSchema });
const none: Record<PreparationStatus, number> = { pending: 0, preparing: 0, ready: 0, served: 0 };

/** The preparation board. */
export const preparationRoutes: Routes = ({ database, clock }) => async (api) => {
  const pool = database.$client;

  api.get(
    '/kitchen/orders',
    { config: requires('preparation.read'), schema: { querystring: z.object({ status: status.optional() }) } },
    async ({ session, query }) => {
      const { orders, counts } = await readBoard(pool, session.clinicId, { sinceMs: clock() - boardHours * 3_600_000, status: query.status });
      return { success: true, data: orders, counts: { ...none, ...counts } };
    },
  );

  api.patch(
    '/kitchen/orders/:orderId/items/:itemId/status',
    { config: requires('preparation.write'), schema: { params, body: z.object({ status }), headers: keyHeaders } },
    async (request, reply) => {
      const { session, params: item, body } = request;
      const atMs = clock();
      const write = {
        session, receivedAtMs: atMs, opId: request.headers[idempotencyHeader],
        kind: 'preparation.move', aggregate: orderAggregate(item.orderId), body: { item: item.itemId, ...body },
      };
      const outcome = await inTransaction(pool, (sql) => applyOnce(sql, write, 200, () => moveItem(sql, session, { ...item, ...body, atMs })));
      if (!outcome.replayed && outcome.httpStatus === 200) publishChange(pool, session.clinicId);
      return sendStored(reply, write.kind, outcome);
    },
  );
};
