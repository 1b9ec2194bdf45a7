import { z } from 'zod';
import { idParamSchema, textSchema } from '../../../domain/protocol/schemas.ts';
import { may } from '../../../domain/permissions.ts';
import { blankRoom, roomProblems } from '../../../domain/room/draft.ts';
import type { RoomResource } from '../../../domain/room/resources.ts';
import { byLocation, roomStatuses as statuses } from '../../../domain/room/room.ts';
import type { Session } from '../../context.ts';
import type { Routes } from '../../ports.ts';
import { requires } from '../../http/access.ts';
import { changeForm, newForm } from '../../http/form-rules.ts';
import { pageNumber, pageSize } from '../../http/paging.ts';
import { sendRefusal } from '../../http/refusals.ts';
import { feedWrites } from '../../operations/rest-writes.ts';
import { changeRoom, createRoom, deleteRoom } from './service.ts';
import { allRooms, countRooms, listRooms, loadRoom, roomStatuses } from './store.ts';

const params = z.strictObject({ id: idParamSchema });
const listQuery = z.strictObject({
  page: pageNumber,
  per_page: pageSize(),
  search: textSchema(200).optional(),
  status: z.preprocess(
    (status) => (status === 'all' || status === '' ? undefined : status),
    z.enum(statuses).optional(),
  ),
});

/** The domain validates the values. The room's number may come under either of its two names. */
const bodySchema = z
  .strictObject({
    number: textSchema(1000).optional(),
    table_number: textSchema(1000).optional(),
    capacity: z.number().min(-1_000_000).max(1_000_000).optional(),
    location: textSchema(1000)
      .nullish()
      .transform((location) => location ?? undefined),
    status: z.enum(statuses).optional(),
  })
  .transform(({ table_number, number = table_number, ...rest }) => ({ ...rest, number }));

/** The form under both names of the number. */
const blank = { ...blankRoom, table_number: undefined as string | undefined };
const problemsOf = ({ table_number, number, ...rest }: typeof blank) =>
  roomProblems({ ...rest, number: number || (table_number ?? '') });

/** Returns a room as the caller may see it: names of patients only with the right to read them. */
const shownTo =
  ({ role }: Session) =>
  (room: RoomResource): RoomResource =>
    may(role, 'patient.read')
      ? room
      : { ...room, orders: room.orders.map((order) => ({ ...order, customer_name: '' })) };

/** Rooms, which the API calls tables. */
export const roomRoutes: Routes = (ports) => async (api) => {
  const pool = ports.database.$client;
  const write = feedWrites(ports, 'rooms');
  const reads = requires('room.read');
  const writes = requires('room.write');

  api.get('/tables', { config: reads, schema: { querystring: listQuery } }, async ({ session, query }) => {
    const { data, pagination } = await listRooms(pool, session.clinicId, query);
    return { success: true, data: data.map(shownTo(session)), pagination };
  });

  api.get('/tables/stats/overview', { config: reads }, async ({ session }) => ({
    success: true,
    data: await countRooms(pool, session.clinicId),
  }));

  api.get('/tables/by-location', { config: reads }, async ({ session }) => ({
    success: true,
    data: byLocation((await allRooms(pool, session.clinicId)).map(shownTo(session))),
  }));

  api.get('/tables/status', { config: reads }, async ({ session }) => ({
    success: true,
    data: await roomStatuses(pool, session.clinicId),
  }));

  api.get('/tables/:id', { config: reads, schema: { params } }, async ({ session, params: { id } }, reply) => {
    const room = await loadRoom(pool, session.clinicId, id);
    return room ? { success: true, data: shownTo(session)(room) } : sendRefusal(reply, { code: 'ROOM_NOT_FOUND' });
  });

  api.post(
    '/tables',
    { config: { ...writes, ...newForm(blank, problemsOf) }, schema: { body: bodySchema } },
    (request, reply) =>
      write(request, reply, { kind: 'room.create', status: 201 }, (context) => createRoom(context, request.body)),
  );

  api.put(
    '/tables/:id',
    { config: { ...writes, ...changeForm(blank, problemsOf) }, schema: { params, body: bodySchema } },
    (request, reply) =>
      write(request, reply, { kind: 'room.change' }, (context) => changeRoom(context, request.params.id, request.body)),
  );

  api.delete('/tables/:id', { config: writes, schema: { params } }, (request, reply) =>
    write(request, reply, { kind: 'room.delete' }, (context) => deleteRoom(context, request.params.id)),
  );
};
