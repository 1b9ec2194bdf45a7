import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { paginationOf } from '#domain/pagination.ts';
import { decideClose, decideMove, decideOpen } from '#domain/drawer/decisions.ts';
import { drawerRowResource } from '#domain/drawer/resource.ts';
import type { ByMethod, Drawer } from '#domain/drawer/drawer.ts';
import { minorFromWire } from '#domain/money.ts';
import { drawerAggregate } from '#domain/drawer/operations.ts';
import type { DrawerPayloads } from '#domain/drawer/operations.ts';
import type { OperationKind } from '#domain/protocol/operations.ts';
import { uuidSchema } from '#domain/wire/schemas.ts';
import { closeDrawerBodySchema, moveMoneyBodySchema, openDrawerBodySchema } from '#domain/drawer/schemas.ts';
import { accept, refuse } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';
import { newIdAt } from '#server/context.ts';
import type { WriteContext } from '#server/context.ts';
import { withinClinic } from '#server/db/database.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { Api, RoutePorts, Routes } from '#server/ports.ts';
import { requires } from '#server/http/access.ts';
import { largeRowsQuery, partOf } from '#server/http/paging.ts';
import { repeatsId } from '#server/http/bodies.ts';
import { receiptIdOf } from '#server/http/idempotency.ts';
import { sendRefusal } from '#server/http/refusals.ts';
import { operationWrites } from '#server/operations/rest-writes.ts';
import type { OperationCall } from '#server/operations/rest-writes.ts';
import { deviceOf, loadClinic, lockAggregates } from '#server/operations/store.ts';
import { reportDrawers } from './service.ts';
import { countOpenDrawers, currentDrawer, drawerRow, listDrawers, loadDrawers } from './store.ts';

const params = z.strictObject({ id: uuidSchema });

const inMinor = ({ cash, card, insurance, others }: ByMethod): ByMethod => ({
  cash: minorFromWire(cash),
  card: minorFromWire(card),
  insurance: minorFromWire(insurance),
  others: minorFromWire(others),
});

/** Decides a request on the drawer as it is now. */
const decidedOn =
  <Payload>(drawerId: string, payload: Payload, decide: (drawer: Drawer) => Result<null>) =>
  async ({ sql, clinicId }: WriteContext): Promise<Result<Payload>> => {
    const drawer = (await loadDrawers(sql, clinicId, [drawerId])).get(drawerId);
    if (!drawer) return refuse('DRAWER_NOT_FOUND');
    const decided = decide(drawer);
    return decided.ok ? accept(payload) : decided;
  };

/** Opens a drawer on the device of the request, which has no other. */
const openedOn =
  (drawerId: string, { currency, float }: z.output<typeof openDrawerBodySchema>) =>
  async (context: WriteContext): Promise<Result<DrawerPayloads['drawer.open']>> => {
    const { sql, clinicId } = context;
    const deviceId = await deviceOf(sql, context);
    // Without the lock, two requests at once would each find no open drawer.
    await lockAggregates(sql, clinicId, [`drawers of device ${deviceId}`]);
    const hasOpen = (await countOpenDrawers(sql, clinicId, [deviceId])).has(deviceId);
    const agreed = decideOpen({ hasOpen, floatMinor: minorFromWire(float) });
    if (!agreed.ok) return agreed;
    const opened = currency ?? (await loadClinic(sql, clinicId)).settings.currency;
    return accept({ drawer_id: drawerId, currency: opened, float });
  };

function readRoutes(api: Api, { database }: RoutePorts): void {
  api.get(
    '/drawers',
    { config: requires('drawer.read'), schema: { querystring: largeRowsQuery } },
    async ({ session, query }) => {
      const { data, total } = await inTransaction(
        withinClinic(database, session.clinicId),
        async (sql) => {
          const { drawers, total: all } = await listDrawers(sql, session.clinicId, partOf(query));
          return { data: await reportDrawers(sql, session.clinicId, drawers), total: all };
        },
        'snapshot',
      );
      return { success: true, data, pagination: paginationOf({ ...query, total, rows: data.length }) };
    },
  );

  api.get('/drawers/current', { config: requires('drawer.use') }, async ({ session }) => {
    const drawer = await inTransaction(
      withinClinic(database, session.clinicId),
      async (sql) => currentDrawer(sql, session.clinicId, await deviceOf(sql, session)),
      'snapshot',
    );
    return { success: true, data: drawer ? drawerRowResource(drawer) : null };
  });

  api.get(
    '/drawers/:id/report',
    { config: requires('drawer.use'), schema: { params } },
    async ({ session, params: { id } }, reply) => {
      const [reported] = await inTransaction(
        withinClinic(database, session.clinicId),
        async (sql) => {
          const drawer = await drawerRow(sql, session.clinicId, id);
          return drawer ? reportDrawers(sql, session.clinicId, [drawer]) : [];
        },
        'snapshot',
      );
      return reported ? { success: true, data: reported } : sendRefusal(reply, { code: 'DRAWER_NOT_FOUND' });
    },
  );
}

function writeRoutes(api: Api, ports: RoutePorts): void {
  const apply = operationWrites(ports);
  const write = <K extends OperationKind>(
    request: FastifyRequest,
    reply: FastifyReply,
    { kind, drawerId, complete }: { kind: K; drawerId: string; complete: OperationCall<K>['complete'] },
  ) =>
    apply(request, reply, {
      kind,
      aggregate: drawerAggregate(drawerId),
      body: { ...(request.body as object), drawer_id: drawerId },
      complete,
    });

  api.post(
    '/drawers',
    { config: requires('drawer.open'), schema: { body: openDrawerBodySchema } },
    (request, reply) => {
      const { drawer_id } = request.body;
      // A repetition without an id must name the same drawer, so it follows from the person's key.
      const drawerId = drawer_id ?? receiptIdOf(request) ?? newIdAt(ports.clock());
      return write(request, reply, { kind: 'drawer.open', drawerId, complete: openedOn(drawerId, request.body) });
    },
  );

  api.post(
    '/drawers/:id/movements',
    {
      config: { ...requires('drawer.move'), ...repeatsId('drawer_id') },
      schema: { params, body: moveMoneyBodySchema },
    },
    (request, reply) => {
      const { id } = request.params;
      const { direction, amount, reason } = request.body;
      const payload = { drawer_id: id, direction, amount, reason };
      return write(request, reply, {
        kind: 'drawer.move',
        drawerId: id,
        complete: decidedOn(id, payload, (drawer) =>
          decideMove(drawer, { amountMinor: minorFromWire(amount), reason }),
        ),
      });
    },
  );

  api.post(
    '/drawers/:id/close',
    {
      config: { ...requires('drawer.close'), ...repeatsId('drawer_id') },
      schema: { params, body: closeDrawerBodySchema },
    },
    (request, reply) => {
      const { id } = request.params;
      const { counted, notes } = request.body;
      const payload = { drawer_id: id, counted, notes };
      return write(request, reply, {
        kind: 'drawer.close',
        drawerId: id,
        complete: decidedOn(id, payload, (drawer) => decideClose(drawer, { counted: inMinor(counted) })),
      });
    },
  );
}

/** Cash drawers over REST. Every write becomes the operation that a tablet would have queued. */
export const drawerRoutes: Routes = (ports) => async (api) => {
  readRoutes(api, ports);
  writeRoutes(api, ports);
};
