import { hourMs } from '#domain/durations.ts';
import { z } from 'zod';
import { shownTo } from '#domain/column-permissions.ts';
import { boardHours } from '#domain/preparation/resources.ts';
import { preparationStatuses } from '#domain/preparation/steps.ts';
import type { PreparationStatus } from '#domain/preparation/steps.ts';
import { orderAggregate } from '#domain/order/operations.ts';
import { uuidSchema } from '#domain/wire/schemas.ts';
import { withinClinic } from '#server/db/database.ts';
import type { Routes } from '#server/ports.ts';
import { orAll } from '#server/http/paging.ts';
import { requires } from '#server/http/access.ts';
import { changeBody, changesIn } from '#server/http/change-body.ts';
import { feedWrites } from '#server/operations/rest-writes.ts';
import type { WriteCall } from '#server/operations/rest-writes.ts';
import { moveItem } from './service.ts';
import { loadItem, readBoard } from './store.ts';

const status = z.enum(preparationStatuses);
const params = z.strictObject({ orderId: uuidSchema, itemId: uuidSchema });
const none: Record<PreparationStatus, number> = { pending: 0, preparing: 0, ready: 0, served: 0 };

/** The preparation board. */
export const preparationRoutes: Routes = (ports) => async (api) => {
  const write = feedWrites(ports, 'preparation');

  api.get(
    '/kitchen/orders',
    {
      config: requires('preparation.read'),
      schema: { querystring: z.strictObject({ status: orAll(preparationStatuses) }) },
    },
    async ({ session, query }) => {
      const { orders, counts } = await readBoard(withinClinic(ports.database, session.clinicId), session.clinicId, {
        sinceMs: ports.clock() - boardHours * hourMs,
        status: query.status,
      });
      const data = orders.map((order) => shownTo(session.role, 'boardOrder', order));
      return { success: true, data, counts: { ...none, ...counts } };
    },
  );

  api.patch(
    '/kitchen/orders/:orderId/items/:itemId/status',
    { config: requires('preparation.write'), schema: { params, body: changeBody(z.strictObject({ status })) } },
    // Runs under the lock of the treatment, whose row notifies every board.
    (request, reply) => {
      const { params: item, body } = request;
      const record: WriteCall['record'] = (sql, clinicId) => loadItem(sql, clinicId, item);
      return write(
        request,
        reply,
        { kind: 'preparation.move', aggregate: orderAggregate(item.orderId), record },
        ({ sql, session, atMs }) => moveItem(sql, session, { ...item, ...changesIn(body), atMs }),
      );
    },
  );
};
