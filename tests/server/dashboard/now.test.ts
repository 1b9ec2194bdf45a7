import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { maxOpenDrawers } from '#domain/limits.ts';
import type { DashboardNow } from '#domain/report/now.ts';
import type { PayloadOf } from '#domain/protocol/operations.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { raiseAttention } from '#server/modules/attention/service.ts';
import type { AttentionKind } from '#server/modules/attention/service.ts';
import { line, TestDevice } from '#tests/support/device.ts';
import { newId } from '#tests/support/unique.ts';
import { soundItem } from '../stock/clinic.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
/** A Wednesday, a quarter past two in Madrid. */
const now = Date.parse('2026-05-20T12:15:00Z');

let nowMs = now;
const servers: TestServer[] = [];
let server: TestServer;

beforeEach(async () => {
  nowMs = now;
  server = await startTestServer({ now: () => nowMs });
  servers.push(server);
});
afterAll(() => Promise.all(servers.map((each) => each.close())));

async function read(): Promise<DashboardNow> {
  const headers = { authorization: `Bearer ${await server.login('manager')}` };
  const reply = await server.app.inject({ url: '/api/admin/dashboard/now', headers });
  expect(reply.statusCode).toBe(200);
  return reply.json<{ data: DashboardNow }>().data;
}

async function sell(device: TestDevice, price: number, atMs: number, method: 'cash' | 'card' = 'card'): Promise<void> {
  const at = { occurred_at: new Date(atMs).toISOString() };
  const items = [line({ unit_price: price })];
  const created = device.create(items, at);
  const payment = { payment_method: method, invoice: device.invoice(items) };
  const results = await device.send(created, device.pay(created, price, payment, at));
  expect(results.map(({ status }) => status)).toEqual(['applied', 'applied']);
}

async function openDrawer(device: TestDevice): Promise<string> {
  const at = { occurred_at: new Date(nowMs).toISOString() };
  const open = device.operation('drawer.open', { drawer_id: newId(), currency: 'EUR', float: 100 }, at);
  await device.send(open);
  return (open.payload as PayloadOf['drawer.open']).drawer_id;
}

describe('what needs a hand', () => {
  test('is nothing in a new clinic', async () => {
    expect(await read()).toMatchObject({
      asOf: new Date(now).toISOString(),
      drawers: { open: [], count: 0, outside: { count: 0, amount: 0 } },
      stock: { count: 0, high: 0, names: [] },
      attention: { count: 0, kinds: [] },
      devices: [],
      sameHour: { time: '14:15', today: 0, usual: null, days: [] },
    });
  });

  test('names the open drawers, and the cash of today that is in none', async () => {
    const desk = await TestDevice.enrol(server);
    await sell(desk, 190, now - hourMs, 'cash');
    await sell(desk, 300, now - 30 * hourMs, 'cash');
    const id = await openDrawer(desk);
    nowMs += minuteMs;
    await sell(desk, 60, nowMs, 'cash');
    expect((await read()).drawers).toEqual({
      open: [{ id, device: desk.info.code, opened_at: new Date(now).toISOString(), opened_by: 'counter' }],
      count: 1,
      outside: { count: 1, amount: 190 },
    });
    const others = await Promise.all([1, 2, 3].map(() => TestDevice.enrol(server)));
    await Promise.all(others.map(openDrawer));
    const { open, count } = (await read()).drawers;
    expect([open.length, open[0]!.id, count]).toEqual([3, id, 4]);
    expect(count).toBeLessThan(maxOpenDrawers);
  });

  test('counts stock alerts and attention items, and names the latest', async () => {
    const manager = await TestDevice.enrol(server, 'manager');
    for (const [name, quantity] of [
      ['Gloves', 0],
      ['Masks', 2],
    ] as const) {
      const payload = { ...soundItem, name, quantity, low_stock_threshold: 5 };
      const added = await server.app.inject({ method: 'POST', url: '/api/stock', headers: manager.headers, payload });
      expect(added.statusCode).toBe(201);
    }
    const desk = await TestDevice.enrol(server);
    await sell(desk, 61, now);
    const { stock, attention } = await read();
    expect(stock).toEqual({ count: 2, high: 1, names: ['Masks', 'Gloves'] });
    expect(attention).toEqual({ count: 1, kinds: ['price_differs'] });
  });

  test('counts more than a hundred open attention items, and names the latest kinds', async () => {
    const raise = (kind: AttentionKind, count: number, atMs: number) =>
      inTransaction(server.database.$client, (sql) =>
        raiseAttention(
          sql,
          server.clinicId,
          atMs,
          Array.from({ length: count }, () => ({ kind, opId: newId(), opKind: null, orderId: null, details: {} })),
        ),
      );
    await raise('price_differs', 60, now - hourMs);
    await raise('under_invoiced', 60, now);
    await raise('discount_over_limit', 1, now - minuteMs);
    expect((await read()).attention).toEqual({
      count: 121,
      kinds: ['under_invoiced', 'discount_over_limit', 'price_differs'],
    });
  });

  test('names devices with unsent work that went silent, and those that have not reported for a day', async () => {
    const [busy, left, quiet, out] = [
      await TestDevice.enrol(server),
      await TestDevice.enrol(server),
      await TestDevice.enrol(server),
      await TestDevice.enrol(server),
    ];
    await busy.pull(undefined, 2);
    await left.pull(undefined, 3);
    await quiet.pull(undefined, 0);
    await server.app.inject({ method: 'POST', url: '/api/auth/logout', headers: out.headers, payload: {} });
    expect((await read()).devices).toEqual([]);
    nowMs += 3 * minuteMs;
    await busy.pull(undefined, 1);
    expect(await read()).toMatchObject({
      devices: [
        { id: left.info.device_id, code: left.info.code, waiting: 3, last_seen_at: new Date(now).toISOString() },
      ],
    });
    nowMs = now + dayMs + minuteMs;
    expect((await read()).devices.map(({ id, waiting }) => [id, waiting])).toEqual([
      [left.info.device_id, 3],
      [busy.info.device_id, 1],
      [quiet.info.device_id, 0],
    ]);
  });

  test('compares today with the same hour of the last four same weekdays, without days on which nothing was taken', async () => {
    const desk = await TestDevice.enrol(server);
    const weekAgo = (weeks: number) => now - weeks * 7 * dayMs;
    await sell(desk, 100, weekAgo(1) - hourMs);
    await sell(desk, 999, weekAgo(1) + hourMs);
    await sell(desk, 51, weekAgo(2));
    // Three weeks ago the clinic was closed. Four weeks ago it took money in the afternoon only.
    await sell(desk, 70, weekAgo(4) + hourMs);
    await sell(desk, 500, weekAgo(5));
    await sell(desk, 500, now - dayMs);
    await sell(desk, 80, now - hourMs);
    expect((await read()).sameHour).toEqual({
      time: '14:15',
      today: 80,
      usual: 50.33,
      days: [
        { day: '2026-04-22', revenue: 0 },
        { day: '2026-05-06', revenue: 51 },
        { day: '2026-05-13', revenue: 100 },
      ],
    });
  });
});
