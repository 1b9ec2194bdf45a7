/** The budgets of decision 047, on a clock that the test moves. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import { Budgets } from '#server/http/budgets.ts';
import { TestDevice } from '#tests/support/device.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { newId } from '#tests/support/unique.ts';

let server: TestServer;
let nowMs: number;

beforeAll(async () => {
  nowMs = Date.now();
  server = await startTestServer({ now: () => nowMs, environment: { REQUEST_LIMITS: '1' } });
});
afterAll(() => server.close());
// Every budget is full again.
beforeEach(() => void (nowMs += 3_600_000));

const get = (device: Pick<TestDevice, 'headers'>, url = '/api/auth/me', headers = {}) =>
  server.app.inject({ url, headers: { ...device.headers, ...headers } });
const batch = (device: TestDevice, operations: readonly AnyOperation[]) =>
  server.app.inject({
    method: 'POST',
    url: '/api/sync/batch',
    headers: device.headers,
    payload: { operations: device.signed(operations) },
  });
const count = async (sql: string, values: unknown[] = [server.clinicId]) =>
  Number((await server.database.$client.query<{ count: string }>(sql, values)).rows[0]!.count);

/** Sends until a request is turned away. Returns how many were served, and the reply that was not. */
async function untilTurnedAway(send: () => ReturnType<typeof get>) {
  for (let served = 0; served < 2000; served++) {
    const reply = await send();
    if (reply.statusCode === 429) return { served, reply };
  }
  throw new Error('Nobody is turned away');
}

test('a keyed write whose refusal is not stored costs nothing of what may be refused', async () => {
  const admin = await TestDevice.enrol(server, 'admin');
  const post = (url: string, payload: object, method: 'POST' | 'PUT' = 'POST') =>
    server.app.inject({
      method,
      url: `/api${url}`,
      headers: { ...admin.headers, 'idempotency-key': newId() },
      payload,
    });
  const expense = {
    title: 'Rent',
    description: 'The rooms',
    amount: 1000,
    category: 'rent',
    expense_date: '2026-05-01',
  };
  const { id } = (await post('/expenses', expense)).json<{ data: { id: number } }>().data;
  // A stored refusal costs one more for each 8,000 characters.
  const notSeen = { notes: 'Paid', seen: { notes: 'y'.repeat(80_000) } };
  for (let time = 0; time < 60; time += 1) {
    const reply = await post(`/expenses/${id}`, notSeen, 'PUT');
    expect([time, reply.statusCode, reply.json().code]).toEqual([time, 409, 'CHANGED_MEANWHILE']);
  }
  expect((await post('/expenses', expense)).statusCode).toBe(201);
});

describe('a person on a device', () => {
  test('is turned away after 600 reads at once, in words of both languages, and told when to come back', async () => {
    const kitchen = await TestDevice.enrol(server, 'kitchen');
    const { served, reply } = await untilTurnedAway(() => get(kitchen, '/api/orders'));
    expect(served).toBeGreaterThan(590);
    expect(served).toBeLessThanOrEqual(600);
    expect(reply.headers['retry-after']).toBe('1');
    expect(reply.json()).toMatchObject({ code: 'TOO_MANY_REQUESTS', message: expect.stringMatching(/wait a moment/) });
    const spanish = await get(kitchen, '/api/orders', { 'accept-language': 'es' });
    expect(spanish.json()).toMatchObject({ code: 'TOO_MANY_REQUESTS', message: expect.stringMatching(/Espere/) });
    nowMs += 1000;
    expect((await get(kitchen)).statusCode).toBe(200);
  });

  test('is not turned away until a time to come, when the clock was ahead and is right again', () => {
    let ownMs = Date.parse('2027-03-02T09:00:00Z');
    const budgets = new Budgets(() => ownMs, true);
    const kitchen = { clinicId: 1, userId: 2, deviceId: 3 };
    const asked = { what: 'GET /api/orders', via: '4711' };
    while (budgets.request(kitchen, 'token', asked) === 0);
    expect(budgets.waitOf('token', asked)).toBe(1);
    ownMs = Date.parse('2026-03-02T09:00:00Z');
    expect(budgets.waitOf('token', asked)).toBe(0);
  });

  test('uses up the budget of nobody else: not on another device, in the clinic or in another one', async () => {
    const kitchen = await TestDevice.enrol(server, 'kitchen');
    const clerk = await TestDevice.enrol(server);
    const other = await TestDevice.enrol(server, 'manager', await server.addClinic());
    await untilTurnedAway(() => get(kitchen));
    expect((await get(clerk)).statusCode).toBe(200);
    expect((await get(other)).statusCode).toBe(200);
    expect(await clerk.send(clerk.create())).toMatchObject([{ status: 'applied' }]);
  });

  test('has one budget on all devices too, which is less than that of the clinic', async () => {
    const token = await server.login('kitchen');
    const headers = { authorization: `Bearer ${token}` };
    const me = (await get({ headers })).json<{ data: { id: number } }>().data;
    const sessions = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const device = await TestDevice.enrol(server, 'kitchen');
        const { jti } = JSON.parse(Buffer.from(device.token.split('.')[1]!, 'base64url').toString()) as { jti: string };
        await server.database.$client.query('update sessions set user_id = $1 where jti = $2', [me.id, jti]);
        return device;
      }),
    );
    let served = 0;
    for (const device of sessions) served += (await untilTurnedAway(() => get(device))).served;
    expect(served).toBeGreaterThan(1150);
    expect(served).toBeLessThanOrEqual(1200);
  });
});

describe('SYNC-6 refused operations', () => {
  /** A batch that is refused as a whole: the kitchen creates no treatments. */
  const forbidden = (kitchen: TestDevice) => Array.from({ length: 200 }, () => kitchen.create());
  const receipts = 'select count(*) from sync_ops where clinic_id = $1';
  const items = `select count(*) from attention_items where clinic_id = $1 and settled_at is null`;

  test('fill neither the database nor the list of a manager: 11,800 leave 600 receipts, 200 items and a count', async () => {
    const kitchen = await TestDevice.enrol(server, 'kitchen');
    const clerk = await TestDevice.enrol(server);
    const before = { receipts: await count(receipts), items: await count(items) };
    const statuses: number[] = [];
    for (let sent = 0; sent < 59; sent++) {
      const reply = await batch(kitchen, forbidden(kitchen));
      statuses.push(reply.statusCode);
      nowMs += 250;
      if (reply.statusCode === 429) expect(Number(reply.headers['retry-after'])).toBeGreaterThan(60);
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(3);
    expect((await count(receipts)) - before.receipts).toBe(600);
    expect((await count(items)) - before.items).toBe(201);
    const manager = await TestDevice.enrol(server, 'manager');
    const { rows } = await manager.pull();
    expect(rows.attention.filter(({ kind }) => kind === 'refused_more')).toMatchObject([
      { details: { actor: 'kitchen', device: kitchen.info.code, count: 400 } },
    ]);
    // A manager hides nothing by settling the count: it begins again.
    const { id } = rows.attention.find(({ kind }) => kind === 'refused_more')!;
    const settled = await server.app.inject({
      method: 'POST',
      url: `/api/attention/${id}/settle`,
      headers: manager.headers,
      payload: { reason: 'asked her about it' },
    });
    expect(settled.statusCode).toBe(200);
    // The clerk at the same moment has their own.
    expect(await clerk.send(clerk.create())).toMatchObject([{ status: 'applied' }]);
    const [refused] = await clerk.send(clerk.operation('stock.adjust', { stock_id: 1, action: 'add', amount: 1 }));
    expect(refused!.status).toBe('refused');
    expect((await manager.pull()).rows.attention).toContainEqual(
      expect.objectContaining({ kind: 'refused', details: expect.objectContaining({ device: clerk.info.code }) }),
    );
  });

  test('of one outbox are all answered in the end, when the device waits as it is told', async () => {
    const kitchen = await TestDevice.enrol(server, 'kitchen');
    const outbox = Array.from({ length: 5 }, () => forbidden(kitchen));
    let waitedMs = 0;
    for (const operations of outbox) {
      for (;;) {
        const reply = await batch(kitchen, operations);
        if (reply.statusCode === 200) break;
        const ms = 1000 * Number(reply.headers['retry-after']);
        waitedMs += ms;
        nowMs += ms;
      }
    }
    const answered = await count('select count(*) from sync_ops where clinic_id = $1 and device_id = $2', [
      server.clinicId,
      kitchen.info.device_id,
    ]);
    expect(answered).toBe(1000);
    // 1,000 less the 500 at once and the last 200, at one in five seconds.
    expect(waitedMs / 60_000).toBeLessThan(30);
  });

  test('cost the more the longer they are', async () => {
    const kitchen = await TestDevice.enrol(server, 'kitchen');
    const long = () => {
      const operation = kitchen.operation('stock.adjust', { stock_id: 1, action: 'add', amount: 1 });
      return { ...operation, payload: { ...operation.payload, notes: 'n'.repeat(80_000) } } as AnyOperation;
    };
    const { served } = await untilTurnedAway(() => batch(kitchen, [long()]));
    expect(served).toBe(46);
  });

  test('over REST leave no receipt without a key, and with one as many as the budget holds, whatever their status', async () => {
    const clinician = await TestDevice.enrol(server, 'server');
    const clerk = await TestDevice.enrol(server);
    const send = (method: 'PATCH' | 'PUT', url: string, payload: object, key?: string) =>
      server.app.inject({
        method,
        url: `/api${url}`,
        headers: { ...clinician.headers, ...(key && { 'idempotency-key': key }) },
        payload,
      });
    const before = await count(receipts);
    const added = { items: [{ stock_id: 1, quantity: 1, notes: 'n'.repeat(2000) }] };
    for (let sent = 0; sent < 20; sent++)
      expect((await send('PATCH', `/orders/${newId()}`, added)).json()).toMatchObject({ code: 'ORDER_NOT_FOUND' });
    expect(await count(receipts)).toBe(before);

    const { data: patient } = (
      await server.app.inject({
        method: 'POST',
        url: '/api/patients',
        headers: clerk.headers,
        payload: { name: 'Ana García', phone: '' },
      })
    ).json<{ data: { id: string } }>();
    const details = { name: 'Ana García', notes: 'n'.repeat(2000) };
    let refusals = 0;
    for (; refusals < 700; refusals++) {
      const reply = await send('PUT', `/patients/${patient.id}`, details, newId());
      nowMs += 50;
      if (reply.statusCode === 429) break;
      expect(reply.json()).toMatchObject({ code: 'FORBIDDEN' });
    }
    expect(refusals).toBeLessThan(520);
    expect((await count(receipts)) - before).toBe(refusals);
  });

  test('and denials are recorded in the audit log as far as the budget reaches', async () => {
    const kitchen = await TestDevice.enrol(server, 'kitchen');
    const { served } = await untilTurnedAway(() => get(kitchen, '/api/patients'));
    expect(served).toBeLessThanOrEqual(501);
    const denials = await count(`select count(*) from audit_log where clinic_id = $1 and device_id = $2`, [
      server.clinicId,
      kitchen.info.device_id,
    ]);
    expect(denials).toBeLessThanOrEqual(502);
    // What the role may do goes on.
    expect((await get(kitchen, '/api/kitchen/orders')).statusCode).toBe(200);
  });
});

test('a busy clinic never meets a budget: a first pull, page after page, and a sale every two seconds beside it', async () => {
  const clerk = await TestDevice.enrol(server);
  const manager = await TestDevice.enrol(server, 'manager');
  const statuses = new Set<number>();
  // 200,000 patients in pages of a thousand, each in a twentieth of a second.
  for (let page = 0; page < 250; page++, nowMs += 50) statuses.add((await get(clerk, '/api/sync/patients')).statusCode);
  for (let second = 0; second < 120; second += 2, nowMs += 2000) {
    statuses.add((await batch(clerk, [clerk.create()])).statusCode);
    statuses.add((await get(clerk, '/api/sync/changes')).statusCode);
    // A manager opens a page of the back office.
    for (let read = 0; read < 15; read++) statuses.add((await get(manager)).statusCode);
  }
  expect([...statuses]).toEqual([200]);
});
