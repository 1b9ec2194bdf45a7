import { z } from 'zod';
import { decisionBodySchema, idParamSchema, textSchema } from '#domain/wire/schemas.ts';
import { shownTo } from '#domain/column-permissions.ts';
import { blankRoom, roomProblems } from '#domain/room/draft.ts';
import type { RoomResource } from '#domain/room/resources.ts';
import { byLocation, roomStatuses as statuses } from '#domain/room/room.ts';
import type { Session } from '#server/context.ts';
import { withinClinic } from '#server/db/database.ts';
import type { Routes } from '#server/ports.ts';
import { requires } from '#server/http/access.ts';
import { readOnly } from '#server/http/bodies.ts';
import { changeBody, changesIn } from '#server/http/change-body.ts';
import { changeForm, newForm } from '#server/http/form-rules.ts';
import { orAll, pageQuery } from '#server/http/paging.ts';
import { sendRefusal } from '#server/http/refusals.ts';
import { feedWrites } from '#server/operations/rest-writes.ts';
import type { WriteCall } from '#server/operations/rest-writes.ts';
import { changeRoom, createRoom, deleteRoom } from './service.ts';
import { allRooms, countRooms, listRooms, loadRoom, roomStatuses } from './store.ts';

const params = z.strictObject({ id: idParamSchema });
const listQuery = pageQuery.extend({
  search: textSchema(200).optional(),
  status: orAll(statuses),
});

/** The domain validates the values. The room's number may come under either of its two names. */
const roomFields = z.strictObject({
  number: textSchema(1000).optional(),
  table_number: textSchema(1000).optional(),
  capacity: z.number().min(-1_000_000).max(1_000_000).optional(),
  location: textSchema(1000)
    .nullish()
    .transform((location) => location ?? undefined),
  status: z.enum(statuses).optional(),
});
const numbered = <Body extends { number?: string | undefined; table_number?: string | undefined }>({
  table_number,
  number = table_number,
  ...rest
}: Body) => ({ ...rest, number });
const bodySchema = roomFields.transform(numbered);
const changeSchema = changeBody(roomFields).transform(numbered);

/** The form under both names of the number. */
const blank = { ...blankRoom, table_number: undefined as string | undefined };
const problemsOf = ({ table_number, number, ...rest }: typeof blank) =>
  roomProblems({ ...rest, number: number || (table_number ?? '') });

/** Returns a room as the caller may see it. */
const roomFor =
  ({ role }: Session) =>
  (room: RoomResource): RoomResource => ({
    ...room,
    orders: room.orders.map((order) => shownTo(role, 'roomOrder', order)),
  });

/** The room that is changed or deleted. */
const recordFor =
  (session: Session, id: number): NonNullable<WriteCall['record']> =>
  async (sql, clinicId) => {
    const room = await loadRoom(sql, clinicId, id);
    return room && roomFor(session)(room);
  };

/** Rooms, which the API calls tables. */
export const roomRoutes: Routes = (ports) => async (api) => {
  const write = feedWrites(ports, 'rooms');
  const reads = requires('room.read');
  const writes = requires('room.write');

  api.get('/tables', { config: reads, schema: { querystring: listQuery } }, async ({ session, query }) => {
    const { data, pagination } = await listRooms(
      withinClinic(ports.database, session.clinicId),
      session.clinicId,
      query,
    );
    return { success: true, data: data.map(roomFor(session)), pagination };
  });

  api.get('/tables/stats/overview', { config: reads }, async ({ session }) => ({
    success: true,
    data: await countRooms(withinClinic(ports.database, session.clinicId), session.clinicId),
  }));

  api.get('/tables/by-location', { config: reads }, async ({ session }) => ({
    success: true,
    data: byLocation(
      (await allRooms(withinClinic(ports.database, session.clinicId), session.clinicId)).map(roomFor(session)),
    ),
  }));

  api.get('/tables/status', { config: reads }, async ({ session }) => ({
    success: true,
    data: await roomStatuses(withinClinic(ports.database, session.clinicId), session.clinicId),
  }));

  api.get('/tables/:id', { config: reads, schema: { params } }, async ({ session, params: { id } }, reply) => {
    const room = await loadRoom(withinClinic(ports.database, session.clinicId), session.clinicId, id);
    return room ? { success: true, data: roomFor(session)(room) } : sendRefusal(reply, { code: 'ROOM_NOT_FOUND' });
  });

  api.post(
    '/tables',
    { config: { ...writes, ...newForm(blank, problemsOf) }, schema: { body: bodySchema } },
    (request, reply) =>
      write(request, reply, { kind: 'room.create', status: 201 }, (context) => createRoom(context, request.body)),
  );

  api.put(
    '/tables/:id',
    {
      config: { ...writes, ...readOnly('is_occupied', 'orders'), ...changeForm(blank, problemsOf) },
      schema: { params, body: changeSchema },
    },
    (request, reply) => {
      const { id } = request.params;
      return write(request, reply, { kind: 'room.change', record: recordFor(request.session, id) }, (context) =>
        changeRoom(context, id, changesIn(request.body)),
      );
    },
  );

  api.delete('/tables/:id', { config: writes, schema: { params, body: decisionBodySchema } }, (request, reply) => {
    const { id } = request.params;
    return write(request, reply, { kind: 'room.delete', record: recordFor(request.session, id) }, (context) =>
      deleteRoom(context, id),
    );
  });
};
