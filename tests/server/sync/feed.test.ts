import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer } from '../../support/server.ts';
import type { TestServer } from '../../support/server.ts';
import { TestDevice } from '../../support/device.ts';

let server: TestServer;
let tablet: TestDevice;

beforeAll(async () => {
  server = await startTestServer({ demo: true });
  tablet = await TestDevice.enrol(server);
});
afterAll(() => server.close());

describe('SYNC-9 the change feed', () => {
  it('begins with the catalogue, the settings and the open treatments', async () => {
    const { rows, counters, epoch } = await tablet.pull();
    expect(rows.stock.length).toBeGreaterThan(30);
    expect(rows.categories.length).toBe(8);
    expect(rows.settings?.practice_name).toBeTruthy();
    expect(rows.orders.some((order) => order.status === 'confirmed')).toBe(true);
    expect(Object.values(counters!)).toEqual([{ treatment: 0, invoice: 0, credit_note: 0 }]);
    expect(epoch).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('brings what changed since, with the receipts of this device alone', async () => {
    const other = await TestDevice.enrol(server);
    const before = await tablet.pull();
    const mine = tablet.create();
    const theirs = other.create();
    await tablet.send(mine);
    await other.send(theirs);
    const { rows, receipts, cursor } = await tablet.pull(before.cursor);
    expect(rows.orders.map(({ id }) => id).sort()).toEqual([mine.payload.order_id, theirs.payload.order_id].sort());
    expect(receipts).toEqual([{ op_id: mine.op_id, device_seq: mine.device_seq, status: 'applied', code: null, message: null, details: null, superseded_by: null }]);
    expect(rows.categories).toEqual([]);
    const idle = await tablet.pull(cursor);
    expect(idle.rows.orders).toEqual([]);
    expect(idle.receipts).toEqual([]);
  });

  it('never skips a transaction that commits late', async () => {
    const { cursor } = await tablet.pull();
    const late = await server.database.$client.connect();
    await late.query('begin');
    await late.query(`update categories set description = 'late' where clinic_id = $1 and id = (select min(id) from categories where clinic_id = $1)`, [server.clinicId]);
    const quick = tablet.create();
    await tablet.send(quick);
    const meanwhile = await tablet.pullPage(cursor);
    await late.query('commit');
    late.release();
    const afterwards = await tablet.pull(meanwhile.cursor);
    expect(meanwhile.rows.categories).toEqual([]);
    expect(afterwards.rows.categories.map(({ description }) => description)).toContain('late');
    expect([...meanwhile.rows.orders, ...afterwards.rows.orders].map(({ id }) => id)).toContain(quick.payload.order_id);
  });

  it('tells of deleted items', async () => {
    const { cursor, rows } = await tablet.pull();
    const { id } = rows.stock[0]!;
    await server.database.$client.query('update stock_items set deleted_at = now() where clinic_id = $1 and id = $2', [server.clinicId, id]);
    expect((await tablet.pull(cursor)).tombstones.stock).toEqual([id]);
  });

  it('pages without losing or repeating a row', async () => {
    const { cursor } = await tablet.pull();
    await server.database.$client.query(
      `insert into categories (clinic_id, name) select $1, 'Category ' || n from generate_series(1, 1234) n`,
      [server.clinicId],
    );
    const { rows } = await tablet.pull(cursor);
    const names = rows.categories.map(({ name }) => name);
    expect(names.length).toBe(1234);
    expect(new Set(names).size).toBe(1234);
  });
});

describe('SYNC-16 a cursor that this server did not give', () => {
  const changes = (cursor: string) => server.app.inject({ url: `/api/sync/changes?cursor=${encodeURIComponent(cursor)}`, headers: tablet.headers });

  it('answers 410 after a restore', async () => {
    const { cursor } = await tablet.pull();
    await server.database.$client.query('update clinics set epoch = gen_random_uuid() where id = $1', [server.clinicId]);
    const reply = await changes(cursor);
    expect(reply.statusCode).toBe(410);
    expect(reply.json().code).toBe('CURSOR_GONE');
  });

  it('answers 410 to a cursor ahead of the database', async () => {
    const { cursor } = await tablet.pull();
    const [epoch, floor, places] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    places[0][0] = '999999999999';
    expect((await changes(Buffer.from(JSON.stringify([epoch, floor, places])).toString('base64url'))).statusCode).toBe(410);
  });

  it.each(['', 'x', 'bm90IGpzb24', Buffer.from('[1,2,3]').toString('base64url'), Buffer.from('[null,null,[]]').toString('base64url')].slice(1))(
    'answers 410 to nonsense: %s',
    async (cursor) => expect((await changes(cursor)).statusCode).toBe(410),
  );
});
