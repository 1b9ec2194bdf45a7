import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { decideClose, decideMove, decideOpen } from '../../../domain/drawer/decisions.ts';
import { drawerRowResource } from '../../../domain/drawer/resource.ts';
import { currentDrawer } from '../../../domain/drawer/drawer.ts';
import type { ByMethod, Drawer } from '../../../domain/drawer/drawer.ts';
import { minorFromWire } from '../../../domain/money.ts';
import { drawerAggregate } from '../../../domain/drawer/operations.ts';
import type { OperationKind, PayloadOf } from '../../../domain/protocol/operations.ts';
import { uuidSchema } from '../../../domain/protocol/schemas.ts';
import { closeDrawerBodySchema, moveMoneyBodySchema, openDrawerBodySchema } from '../../../domain/drawer/schemas.ts';
import { accept, refuse } from '../../../domain/result.ts';
import type { Result } from '../../../domain/result.ts';
import { uuidV7 } from '../../../domain/uuid.ts';
import type { Sql } from '../../db/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Routes } from '../../ports.ts';
import { requires } from '../../http/access.ts';
import { keyOf, sendStored } from '../../http/idempotency.ts';
import { sendRefusal } from '../../http/refusals.ts';
import { applyRequest, lockAggregates, publishChange, sessionDevice } from '../../operations/rest-entry.ts';
import type { RequestScope } from '../../operations/rest-entry.ts';
import { reportDrawers } from './service.ts';
import { drawerRow, listDrawers, loadDrawers, openDrawers } from './store.ts';

const params = z.object({ id: uuidSchema });
const listQuery = z.object({
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  per_page: z.coerce.number().int().min(1).max(200).default(10),
});

type Complete<K extends OperationKind> = (sql: Sql, scope: RequestScope) => Promise<Result<PayloadOf[K]>>;

const inMinor = ({ cash, card, insurance, others }: ByMethod): ByMethod => ({
  cash: minorFromWire(cash),
  card: minorFromWire(card),
  insurance: minorFromWire(insurance),
  others: minorFromWire(others),
});

/** Cash drawers over REST: every write becomes the operation that a tablet would have queued. */
export const drawerRoutes: Routes = (ports) => async (api) => {
  const pool = ports.database.$client;
  const newId = () => uuidV7(ports.clock(), randomBytes(10));

  async function write<K extends OperationKind>(
    request: FastifyRequest,
    reply: FastifyReply,
    kind: K,
    drawerId: string,
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
        aggregate: drawerAggregate(drawerId),
        body: { ...(request.body as object), drawer_id: drawerId },
        complete,
      }),
    );
    if (!outcome.replayed && outcome.status === 'applied') publishChange(pool, session.clinicId);
    return sendStored(reply, kind, outcome);
  }

  /** What a person asks of a drawer is judged by how it stands; what is agreed is the payload. */
  const agreedOn =
    <K extends OperationKind>(
      drawerId: string,
      payload: PayloadOf[K],
      agree: (drawer: Drawer) => Result<null>,
    ): Complete<K> =>
    async (sql, { clinicId }) => {
      const drawer = (await loadDrawers(sql, clinicId, [drawerId])).get(drawerId);
      if (!drawer) return refuse('DRAWER_NOT_FOUND');
      const agreed = agree(drawer);
      return agreed.ok ? accept(payload) : agreed;
    };

  api.get(
    '/drawers',
    { config: requires('drawer.read'), schema: { querystring: listQuery } },
    async ({ session, query }) => {
      const { page, per_page } = query;
      const { data, total } = await inTransaction(
        pool,
        async (sql) => {
          const { drawers, total: all } = await listDrawers(sql, session.clinicId, {
            limit: per_page,
            offset: (page - 1) * per_page,
          });
          return { data: await reportDrawers(sql, session.clinicId, drawers), total: all };
        },
        'snapshot',
      );
      return { success: true, data, pagination: { total, page, per_page, totalPages: Math.ceil(total / per_page) } };
    },
  );

  api.get('/drawers/current', { config: requires('drawer.use') }, async ({ session }) => {
    const drawer = await inTransaction(
      pool,
      async (sql) => currentDrawer(await openDrawers(sql, session.clinicId), await sessionDevice(sql, session)),
      'snapshot',
    );
    return { success: true, data: drawer && drawerRowResource(drawer) };
  });

  api.get(
    '/drawers/:id/report',
    { config: requires('drawer.use'), schema: { params } },
    async ({ session, params: { id } }, reply) => {
      const [reported] = await inTransaction(
        pool,
        async (sql) => {
          const drawer = await drawerRow(sql, session.clinicId, id);
          return drawer ? reportDrawers(sql, session.clinicId, [drawer]) : [];
        },
        'snapshot',
      );
      return reported ? { success: true, data: reported } : sendRefusal(reply, { code: 'DRAWER_NOT_FOUND' });
    },
  );

  api.post(
    '/drawers',
    { config: requires('drawer.open'), schema: { body: openDrawerBodySchema } },
    (request, reply) => {
      const { drawer_id, float } = request.body;
      // Repeated without an id a request must still name the same drawer: its key is unique and serves as the id.
      const drawerId = drawer_id ?? keyOf(request) ?? newId();
      return write(request, reply, 'drawer.open', drawerId, async (sql, { clinicId }) => {
        const deviceId = await sessionDevice(sql, request.session);
        // Two that are asked for at once would each find none open.
        await lockAggregates(sql, clinicId, [`drawers of device ${deviceId}`]);
        const agreed = decideOpen(await openDrawers(sql, clinicId), { deviceId, floatMinor: minorFromWire(float) });
        return agreed.ok ? accept({ drawer_id: drawerId, float }) : agreed;
      });
    },
  );

  api.post(
    '/drawers/:id/movements',
    { config: requires('drawer.move'), schema: { params, body: moveMoneyBodySchema } },
    (request, reply) => {
      const { id } = request.params;
      const { direction, amount, reason } = request.body;
      const payload = { drawer_id: id, direction, amount, reason };
      return write(
        request,
        reply,
        'drawer.move',
        id,
        agreedOn(id, payload, (drawer) => decideMove(drawer, { amountMinor: minorFromWire(amount), reason })),
      );
    },
  );

  api.post(
    '/drawers/:id/close',
    { config: requires('drawer.close'), schema: { params, body: closeDrawerBodySchema } },
    (request, reply) => {
      const { id } = request.params;
      const { counted, notes } = request.body;
      const payload = { drawer_id: id, counted, notes };
      return write(
        request,
        reply,
        'drawer.close',
        id,
        agreedOn(id, payload, (drawer) => decideClose(drawer, { counted: inMinor(counted) })),
      );
    },
  );
};
