import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { RoomResource, RoomList, RoomOverview } from '#domain/room/resources.ts';
import { auditLog } from '#server/db/schema/access.ts';
import { stockItems } from '#server/db/schema/catalogue.ts';
import { rooms } from '#server/db/schema/rooms.ts';
import { newId } from '#tests/support/unique.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

let server: TestServer;
let manager: string;
let clerk: string;
let stockId: number;

beforeAll(async () => {
  server = await startTestServer();
  [manager, clerk] = [await server.login('manager'), await server.login('counter')];
  const [item] = await server.database
    .insert(stockItems)
    .values({ clinicId: server.clinicId, name: 'Cleaning', searchKey: 'cleaning', costMinor: 6000, isAvailable: true })
    .returning();
  stockId = item!.id;
});
afterAll(() => server.close());
beforeEach(() => server.database.update(rooms).set({ deletedAt: Date.now() }));

interface Answer {
  success: boolean;
  code?: string;
  message?: string;
  details?: object;
  /** A room, or the fields of a treatment that these tests read. */
  data: RoomResource & RoomOverview & { price: number; room_id: number | null; room_number: string };
  pagination: RoomList['pagination'];
}
async function call(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  url: string,
  payload?: object,
  { as = manager, key }: { as?: string; key?: string } = {},
) {
  const headers = { authorization: `Bearer ${as}`, ...(key && { 'idempotency-key': key }) };
  const reply = await server.app.inject({ method, url: `/api${url}`, headers, ...(payload && { payload }) });
  return { status: reply.statusCode, headers: reply.headers, body: reply.json<Answer>() };
}
const refusalOf = ({ status, body }: Awaited<ReturnType<typeof call>>) => [status, body.code, body.message];

async function add(number: string, over: object = {}): Promise<RoomResource> {
  const { status, body } = await call('POST', '/tables', { number, capacity: 2, location: 'Ground floor', ...over });
  expect([status, body.code]).toEqual([201, undefined]);
  return body.data;
}
/** Returns the rows of a list response. */
const rowsOf = ({ body }: { body: Answer }) => body.data as unknown as (RoomResource & { rooms: RoomResource[] })[];
const read = async (id: number) => (await call('GET', `/tables/${id}`)).body.data;
const order = (body: object) =>
  call('POST', '/orders', { items: [{ stock_id: stockId, quantity: 1 }], ...body }, { as: clerk });
const pay = (id: number, amount: number) =>
  call('POST', `/orders/${id}/payments`, { payment_method: 'card', amount }, { as: clerk });

describe('a room', () => {
  test('is added by a manager and read by everyone', async () => {
    const made = await add('  4 ', { location: ' First floor ' });
    expect(made).toMatchObject({
      number: '4',
      table_number: '4',
      capacity: 2,
      location: 'First floor',
      status: 'available',
      is_occupied: false,
      orders: [],
    });
    for (const role of ['counter', 'server', 'kitchen'] as const) {
      const as = await server.login(role);
      expect((await call('GET', `/tables/${made.id}`, undefined, { as })).body.data).toEqual(made);
    }
    expect((await call('POST', '/tables', { table_number: '6', capacity: 1 })).body.data).toMatchObject({
      number: '6',
      location: '',
    });
    expect(refusalOf(await call('GET', '/tables/2000000000'))).toEqual([
      404,
      'ROOM_NOT_FOUND',
      'This room does not exist.',
    ]);
  });

  test('is refused with a message per field when the form is invalid', async () => {
    const wrong = (payload: object) =>
      call('POST', '/tables', payload).then(({ status, body }) => [status, body.details]);
    expect(await wrong({})).toEqual([
      400,
      { number: 'Table number is required', capacity: 'Table must have at least 1 seat' },
    ]);
    expect(await wrong({ number: '1', capacity: 21 })).toEqual([400, { capacity: 'Maximum 20 seats per table' }]);
    expect(await wrong({ number: '1', capacity: 1.5 })).toEqual([400, { capacity: 'Enter a whole number' }]);
    for (const over of [{ status: 'closed' }, { number: 'a\u0000' }, { capacity: 'many' }]) {
      expect([over, (await call('POST', '/tables', { number: '1', capacity: 1, ...over })).status]).toEqual([
        over,
        400,
      ]);
    }
    expect((await call('GET', '/tables/stats/overview')).body.data.total).toBe(0);
  });

  test('has a unique number until it is deleted, also when two are created at the same time', async () => {
    const first = await add('Árbol');
    expect(refusalOf(await call('POST', '/tables', { number: 'arbol', capacity: 1 }))).toEqual([
      409,
      'ROOM_EXISTS',
      'A room with this number already exists.',
    ]);
    const other = await add('2');
    expect((await call('PUT', `/tables/${other.id}`, { number: 'ÁRBOL' })).body.code).toBe('ROOM_EXISTS');
    expect((await call('PUT', `/tables/${first.id}`, { number: 'árbol' })).status).toBe(200);
    const replies = await Promise.all([1, 2, 3].map(() => call('POST', '/tables', { number: '9', capacity: 1 })));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(replies.filter(({ body }) => body.code === 'ROOM_EXISTS')).toHaveLength(2);
    expect((await call('DELETE', `/tables/${first.id}`)).body.data).toEqual({ id: first.id });
    expect((await add('Árbol')).id).not.toBe(first.id);
  });

  test('keeps fields that a change omits, and each change is audited', async () => {
    const { id } = await add('1');
    expect((await call('PUT', `/tables/${id}`, { capacity: 20 })).body.data).toMatchObject({
      number: '1',
      capacity: 20,
      location: 'Ground floor',
    });
    expect((await call('PUT', `/tables/${id}`, { capacity: 0 })).body.details).toEqual({
      capacity: 'Table must have at least 1 seat',
    });
    await call('PUT', `/tables/${id}`, { status: 'occupied' });
    await call('PUT', `/tables/${id}`, { status: 'available' });
    await call('DELETE', `/tables/${id}`);
    const log = await server.database
      .select()
      .from(auditLog)
      .where(eq(auditLog.subject, String(id)))
      .orderBy(auditLog.id);
    expect(log.map(({ action, details }) => [action, details])).toEqual([
      ['room.created', { number: '1', capacity: 2, location: 'Ground floor' }],
      ['room.changed', { capacity: '2 → 20' }],
      ['room.changed', { is_occupied: 'false → true' }],
      ['room.changed', { is_occupied: 'true → false' }],
      ['room.deleted', { number: '1' }],
    ]);
  });
});

describe('an occupied room', () => {
  test('cannot be deleted while somebody has marked it as occupied', async () => {
    const { id } = await add('1', { status: 'occupied' });
    expect(await read(id)).toMatchObject({ status: 'occupied', is_occupied: true, orders: [] });
    expect(refusalOf(await call('DELETE', `/tables/${id}`))).toEqual([
      409,
      'ROOM_OCCUPIED',
      'Table is currently occupied. Please clear the table first.',
    ]);
    expect((await call('PUT', `/tables/${id}`, { status: 'available' })).body.data).toMatchObject({
      status: 'available',
      is_occupied: false,
    });
    expect((await call('DELETE', `/tables/${id}`)).status).toBe(200);
    expect((await call('GET', `/tables/${id}`)).status).toBe(404);
    expect((await call('PUT', `/tables/${id}`, { capacity: 3 })).body.code).toBe('ROOM_NOT_FOUND');
  });

  test('cannot be cleared or deleted while an open treatment names it', async () => {
    const { id } = await add('1');
    const made = (await order({ room_id: id, customer_name: 'Eva' })).body.data;
    expect(made).toMatchObject({ room_id: id, room_number: '1' });
    const other = (await order({ room_id: id })).body.data;
    expect((await read(id)).orders).toMatchObject([
      { id: other.id, customer_name: '' },
      { id: made.id, customer_name: 'Eva' },
    ]);
    expect(refusalOf(await call('PUT', `/tables/${id}`, { status: 'available' }))).toEqual([
      409,
      'ROOM_IN_USE',
      'A treatment is under way in this room. It becomes free when the treatment is paid or cancelled.',
    ]);
    expect((await call('DELETE', `/tables/${id}`)).body.code).toBe('ROOM_OCCUPIED');
    // A status that is saved as it was read does not mark the room as occupied.
    const { number, capacity, status } = await read(id);
    expect((await call('PUT', `/tables/${id}`, { number, capacity, status })).body.data).toMatchObject({
      status: 'occupied',
      is_occupied: false,
    });
    await pay(made.id, 10);
    expect((await read(id)).orders).toHaveLength(2);
    await pay(made.id, made.price - 10);
    expect((await read(id)).orders).toMatchObject([{ id: other.id }]);
    await call('PUT', `/orders/${other.id}/status`, { status: 'cancelled' });
    expect(await read(id)).toMatchObject({ status: 'available', orders: [] });
    // Added services open the paid treatment again, in the same room.
    await call('PATCH', `/orders/${made.id}`, { items: [{ stock_id: stockId, quantity: 1 }] });
    expect(await read(id)).toMatchObject({ status: 'occupied', orders: [{ id: made.id }] });
  });

  test('SYNC-2 a request must name an existing room, and a fact keeps the room that it recorded', async () => {
    const { id } = await add('1');
    expect(refusalOf(await order({ room_id: 2_000_000_000 }))).toEqual([
      404,
      'ROOM_NOT_FOUND',
      'This room does not exist.',
    ]);
    expect((await order({})).body.data).toMatchObject({ room_id: null, room_number: '' });
    await call('PUT', `/tables/${id}`, { number: 'One' });
    expect((await order({ room_id: id, room_number: 'mine' })).body.data.room_number).toBe('One');
    const fact = {
      order_id: newId(),
      number: 'T-Z9-000001',
      currency: 'EUR',
      total: 60,
      room_id: 2_000_000_000,
      room_number: 'Gone',
      items: [{ line_id: newId(), stock_id: stockId, name: 'Cleaning', quantity: 1, unit_price: 60 }],
    };
    expect((await order(fact)).body.data).toMatchObject({ room_id: 2_000_000_000, room_number: 'Gone' });
  });
});

describe('the lists of rooms', () => {
  beforeEach(async () => {
    for (const [number, location] of [
      ['10', 'Planta Baja'],
      ['9', 'Planta Baja'],
      ['Cirugía', 'Ático'],
      ['X', ''],
    ] as const)
      await add(number, { location });
    const found = async (search: string) => rowsOf(await call('GET', `/tables?search=${search}`))[0]!.id;
    await order({ room_id: await found('cirugia') });
    await call('PUT', `/tables/${await found('10')}`, { status: 'occupied' });
  });
  const listed = async (search: string) => {
    const answer = await call('GET', `/tables?${search}`);
    return { numbers: rowsOf(answer).map(({ number }) => number), ...answer.body.pagination };
  };

  test('are paged, sorted by location and number, and searched by the beginning of a word of either', async () => {
    expect(await listed('per_page=3')).toEqual({
      numbers: ['9', '10', 'Cirugía'],
      total: 4,
      page: 1,
      per_page: 3,
      totalPages: 2,
    });
    expect((await listed('per_page=3&page=2')).numbers).toEqual(['X']);
    expect((await listed('search=CIRUG%C3%8DA')).numbers).toEqual(['Cirugía']);
    expect((await listed('search=baj')).numbers).toEqual(['9', '10']);
    for (const search of ['aja', '%25', '_', String.raw`\ `])
      expect([search, (await listed(`search=${search}`)).numbers]).toEqual([search, []]);
  });

  test('contain the same status as every other list of rooms', async () => {
    expect((await listed('status=occupied')).numbers).toEqual(['10', 'Cirugía']);
    expect((await listed('status=available')).numbers).toEqual(['9', 'X']);
    expect((await listed('status=all')).total).toBe(4);
    expect((await call('GET', '/tables?status=dirty')).status).toBe(400);
    expect((await call('GET', '/tables/stats/overview')).body.data).toEqual({
      total: 4,
      available: 2,
      occupied: 2,
      capacity: 8,
      available_capacity: 4,
    });
    const statuses = rowsOf(await call('GET', '/tables/status'));
    expect(statuses.map(({ number, status }) => [number, status])).toEqual([
      ['9', 'available'],
      ['10', 'occupied'],
      ['Cirugía', 'occupied'],
      ['X', 'available'],
    ]);
    const groups = rowsOf(await call('GET', '/tables/by-location'));
    expect(groups.map(({ location, rooms: placed }) => [location, placed.map(({ number }) => number)])).toEqual([
      ['Planta Baja', ['9', '10']],
      ['Ático', ['Cirugía']],
      ['', ['X']],
    ]);
  });
});
