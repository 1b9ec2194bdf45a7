import { eq } from 'drizzle-orm';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { drawerAggregate } from '#domain/drawer/operations.ts';
import type { ChangesPage } from '#domain/protocol/sync.ts';
import { auditLog } from '#server/db/schema/access.ts';
import { drawerMovements } from '#server/db/schema/drawers.ts';
import { expenses } from '#server/db/schema/expenses.ts';
import { inTransaction } from '#server/db/transaction.ts';
import type { ReportedDrawer } from '#server/modules/drawers/service.ts';
import { lockAggregates } from '#server/operations/store.ts';
import { TestDevice } from '#tests/support/device.ts';
import { newId } from '#tests/support/unique.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

const morning = Date.parse('2026-05-12T07:00:00Z');
let nowMs = morning;
const servers: TestServer[] = [];
let server: TestServer;
let desk: TestDevice;

beforeEach(async () => {
  nowMs = morning;
  server = await startTestServer({ now: () => nowMs });
  servers.push(server);
  desk = await TestDevice.enrol(server, 'manager');
});
afterAll(() => Promise.all(servers.map((each) => each.close())));

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
async function call(
  method: Method,
  url: string,
  payload?: object,
  { by = desk, key }: { by?: TestDevice; key?: string } = {},
) {
  const headers = { ...by.headers, ...(key && { 'idempotency-key': key }) };
  const reply = await server.app.inject({ method, url: `/api/${url}`, headers, ...(payload && { payload }) });
  return {
    status: reply.statusCode,
    text: reply.body,
    body: reply.json<{ code?: string; data: never; details?: object }>(),
  };
}
async function openDrawer(by = desk): Promise<string> {
  return ((await call('POST', 'drawers', { float: 100 }, { by })).body.data as { id: string }).id;
}
const closeDrawer = (id: string) =>
  call('POST', `drawers/${id}/close`, { counted: { cash: 100, card: 0, insurance: 0, others: 0 } });
const reportOf = async (id: string) => ((await call('GET', `drawers/${id}/report`)).body.data as ReportedDrawer).report;

const taxi = (over: object = {}) => ({
  title: 'Taxi',
  description: 'To the laboratory',
  amount: 18.6,
  category: 'transportation',
  expense_date: '2026-05-12',
  paid_from_drawer: true,
  ...over,
});
/** How an expense was paid is said once, when it is created. */
const corrected = ({ ...over }: object) => {
  const { paid_from_drawer: _paid, ...rest } = taxi(over);
  return rest;
};
const spend = (over: object = {}, options: { by?: TestDevice; key?: string } = {}) =>
  call('POST', 'expenses', taxi(over), options);
const idOf = ({ body }: { body: { data: never } }) => (body.data as { id: number }).id;

describe('an expense paid from the drawer', () => {
  test('takes the money from the open drawer, and appears in its report and on every tablet', async () => {
    const drawer = await openDrawer();
    nowMs += 60_000;
    const spent = await spend({ title: ' Taxi ' });
    expect([spent.status, spent.body.data]).toMatchObject([
      201,
      { title: 'Taxi', paid_from_drawer: true, status: 'pending' },
    ]);
    expect(await reportOf(drawer)).toMatchObject({
      expected: { cash: 81.4 },
      movements: [{ amount: -18.6, reason: 'Taxi', actor_id: desk.userId, created_at: new Date(nowMs).toISOString() }],
    });
    const told = async () => ((await call('GET', 'sync/changes')).body.data as ChangesPage).rows.drawers;
    // The feed waits for every open transaction of the PostgreSQL server, on which other tests write as well.
    await expect.poll(told).toMatchObject([{ id: drawer, movements: [{ amount: -18.6, reason: 'Taxi' }] }]);
    const [log] = await server.database
      .select()
      .from(auditLog)
      .where(eq(auditLog.subject, `expense:${idOf(spent)}`));
    expect(log!.details).toMatchObject({ amount: 18.6, paid_from: 'drawer' });
    expect((await call('GET', `expenses/${idOf(spent)}`)).body.data).toMatchObject({ paid_from_drawer: true });
    expect((await spend({ paid_from_drawer: false })).body.data).toMatchObject({ paid_from_drawer: false });
    expect(await server.database.$count(drawerMovements)).toBe(1);
  });

  test('is refused and writes nothing when there is no open drawer or the chosen one is closed', async () => {
    expect(await spend()).toMatchObject({
      status: 409,
      body: { code: 'DRAWER_NOT_OPEN', message: 'No drawer is open.' },
    });
    const drawer = await openDrawer();
    expect((await spend({ drawer_id: newId() })).body.code).toBe('DRAWER_NOT_OPEN');
    await closeDrawer(drawer);
    expect((await spend({ drawer_id: drawer })).body.code).toBe('DRAWER_NOT_OPEN');
    expect(await server.database.$count(expenses)).toBe(0);
    expect(await server.database.$count(drawerMovements)).toBe(0);
  });

  test('needs an amount above 0', async () => {
    const drawer = await openDrawer();
    expect(await spend({ amount: 0 })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION', details: { amount: 'Amount must be greater than 0' } },
    });
    expect((await reportOf(drawer)).movements).toEqual([]);
  });

  test('uses the chosen drawer, or else that of the device, or else the first', async () => {
    const [surgery, office] = [await TestDevice.enrol(server, 'manager'), await TestDevice.enrol(server, 'manager')];
    const first = await openDrawer();
    nowMs += 60_000;
    const second = await openDrawer(surgery);
    await spend({ amount: 1 }, { by: surgery });
    await spend({ amount: 2 }, { by: office });
    nowMs += 1;
    await spend({ amount: 4, drawer_id: second }, { by: office });
    expect(
      [await reportOf(first), await reportOf(second)].map(({ movements }) => movements.map(({ amount }) => amount)),
    ).toEqual([[-2], [-1, -4]]);
  });

  test('SYNC-4 takes the money once when it is repeated under one key, also at the same time', async () => {
    const drawer = await openDrawer();
    const key = newId();
    const replies = await Promise.all([1, 2, 3].map(() => spend({}, { key })));
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
    expect((await reportOf(drawer)).expected.cash).toBe(81.4);
    expect(await server.database.$count(expenses)).toBe(1);
  });

  test('is refused when the drawer closes at the same time, so that no movement follows the count', async () => {
    const drawer = await openDrawer();
    const pool = server.database.$client;
    let spending: ReturnType<typeof spend> | undefined;
    await inTransaction(pool, async (closing) => {
      await lockAggregates(closing, server.clinicId, [drawerAggregate(drawer)]);
      spending = spend();
      const waits = async () =>
        (await pool.query("select 1 from pg_locks where locktype = 'advisory' and not granted")).rows.length;
      await expect.poll(waits).toBe(1);
      await closing.query('update drawers set closed_at = $2, closed_by = opened_by, counted = $3 where id = $1', [
        drawer,
        new Date(nowMs).toISOString(),
        { cash: 10_000, card: 0, insurance: 0, others: 0 },
      ]);
    });
    expect((await spending!).body.code).toBe('DRAWER_NOT_OPEN');
    expect((await reportOf(drawer)).movements).toEqual([]);
    expect(await server.database.$count(expenses)).toBe(0);
  });

  test('keeps its amount and its movement after every decision: the money has left the drawer', async () => {
    const drawer = await openDrawer();
    const [changed, rejected, deleted] = [idOf(await spend()), idOf(await spend()), idOf(await spend())];
    const dearer = await call('PUT', `expenses/${changed}`, corrected({ amount: 20 }));
    expect(dearer).toMatchObject({
      status: 400,
      body: { details: { amount: 'This amount has left the drawer and cannot be changed' } },
    });
    // How an expense was paid can be sent back, and no change sets it.
    const card = await call('PUT', `expenses/${changed}`, { ...corrected({}), paid_from_drawer: false });
    expect(card).toMatchObject({ status: 200, body: { data: { paid_from_drawer: true } } });
    expect((await call('PUT', `expenses/${changed}`, corrected({ title: 'Taxi back' }))).body.data).toMatchObject({
      title: 'Taxi back',
      paid_from_drawer: true,
    });
    expect((await call('POST', `expenses/${rejected}/reject`, { rejection_reason: 'by bus' })).status).toBe(200);
    expect((await call('DELETE', `expenses/${deleted}`)).status).toBe(200);
    const { expected, movements } = await reportOf(drawer);
    expect(movements.map(({ amount, reason }) => [amount, reason])).toEqual([1, 2, 3].map(() => [-18.6, 'Taxi']));
    expect(expected.cash).toBe(44.2);
  });
});
