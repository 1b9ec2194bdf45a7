/** What a tablet may do while it is locked, and what its signatures are worth after its session has ended. */
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SessionResource } from '#domain/protocol/sync.ts';
import { keySlackMs } from '#domain/limits.ts';
import { pinAttempts } from '#domain/staff/pin.ts';
import { line, TestDevice } from '#tests/support/device.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { insertStockItem } from '#tests/support/stock.ts';

const minuteMs = 60_000;
const start = Date.parse('2026-04-06T08:00:00Z');
let nowMs = start;
let server: TestServer;
let manager: TestDevice;
let clerk: TestDevice;

beforeAll(async () => {
  server = await startTestServer({ now: () => nowMs });
  await insertStockItem(server, { name: 'Gloves' });
});
afterAll(() => server.close());
beforeEach(async () => {
  // Sessions of earlier tests are over.
  nowMs += 86_400_000;
  manager = await TestDevice.enrol(server, 'manager');
  clerk = await TestDevice.enrol(server, 'counter');
});

const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, token: string, payload?: object) =>
  server.app.inject({
    method,
    url: `/api${path}`,
    headers: { authorization: `Bearer ${token}` },
    ...(payload && { payload }),
  });
const statusOf = async (token: string): Promise<number> => (await call('GET', '/orders', token)).statusCode;
const unlock = async ({ token }: TestDevice): Promise<string> =>
  (await call('POST', '/auth/unlock', token)).json<{ data: { token: string } }>().data.token;

describe('a page token', () => {
  test('reaches what its person may do, and ends with the lock for good', async () => {
    const token = manager.info.page_token!;
    expect(await statusOf(token)).toBe(200);
    expect((await call('POST', '/auth/lock', token)).statusCode).toBe(200);
    expect(await statusOf(token)).toBe(401);
    const next = await unlock(manager);
    expect([await statusOf(token), await statusOf(next)]).toEqual([401, 200]);
  });

  test('ends when the tablet has been silent for ten minutes, and goes on while it asks', async () => {
    const token = manager.info.page_token!;
    nowMs += 9 * minuteMs;
    await unlock(manager);
    nowMs += 9 * minuteMs;
    expect(await statusOf(token)).toBe(200);
    nowMs += minuteMs;
    expect(await statusOf(token)).toBe(401);
    await unlock(manager);
    expect(await statusOf(token)).toBe(401);
  });

  test('begins no unlock, and brings neither another page token nor a key that outlives it', async () => {
    const token = manager.info.page_token!;
    for (const one of [token, manager.info.sync_token!])
      expect((await call('POST', '/auth/unlock', one)).statusCode).toBe(403);
    const { device_id, device_key } = manager.info;
    const { data } = (await call('POST', '/devices', token, { device_id, device_key })).json();
    expect(data).toMatchObject({ device_id });
    for (const secret of ['page_token', 'sync_token', 'actor_key', 'session_id'])
      expect(data).not.toHaveProperty(secret);
    nowMs += 11 * minuteMs;
    expect(await statusOf(token)).toBe(401);
  });

  test('ends with its session', async () => {
    await call('POST', '/auth/logout', manager.token);
    expect([
      await statusOf(manager.info.page_token!),
      (await call('POST', '/auth/unlock', manager.token)).statusCode,
    ]).toEqual([401, 401]);
  });
});

test('a page token says who its person is now, and the sync token, which lies on a locked tablet, says of nobody', async () => {
  const { page_token, sync_token } = clerk.info;
  expect(decodeJwt(page_token!)).toMatchObject({ id: clerk.userId, name: 'counter', role: 'counter', scope: 'page' });
  expect(Object.keys(decodeJwt(sync_token!)).sort()).toEqual(['aud', 'cid', 'exp', 'iat', 'jti', 'scope']);
  await server.database.$client.query(`update users set name = 'Renamed' where id = $1`, [clerk.userId]);
  expect(decodeJwt(await unlock(clerk))).toMatchObject({ name: 'Renamed' });
});

test('the sync token brings what a manager has to look at while the tablet is unlocked only', async () => {
  await clerk.send(
    clerk.operation('stock.adjust', { stock_id: 1, action: 'add', amount: 5 }, { actor_id: manager.userId }),
  );
  const seen = async () => {
    const { data } = (await call('GET', '/sync/changes', manager.info.sync_token!)).json();
    return data.rows.attention.length as number;
  };
  expect(await seen()).toBeGreaterThan(0);
  await call('POST', '/auth/lock', manager.info.page_token!);
  expect(await seen()).toBe(0);
  await unlock(manager);
  expect(await seen()).toBeGreaterThan(0);
});

describe('the actor key of a session that somebody has ended', () => {
  const saleAt = (atMs: number) =>
    clerk.create([line()], { occurred_at: new Date(atMs).toISOString(), clock_offset_ms: 0 });
  const endSession = async (): Promise<void> => {
    const { data } = (await call('GET', '/sessions', manager.token)).json<{ data: SessionResource[] }>();
    const { id } = data.find(({ device }) => device?.id === clerk.info.device_id)!;
    expect((await call('DELETE', `/sessions/${id}`, manager.token)).statusCode).toBe(200);
  };

  test('proves what was done before, and nothing after; a manager decides about that', async () => {
    await endSession();
    const endedMs = nowMs;
    nowMs += 60 * minuteMs;
    const [before, after] = [saleAt(endedMs + keySlackMs), saleAt(endedMs + keySlackMs + 1)];
    const results = await manager.send(...clerk.signed([before, after]));
    expect(results).toMatchObject([{ status: 'applied' }, { status: 'refused', reply: { code: 'KEY_ENDED' } }]);
    const item = (await manager.pull()).rows.attention.find(({ op_id }) => op_id === after.op_id);
    expect(item).toMatchObject({ kind: 'refused', details: { code: 'KEY_ENDED', actor: 'counter' } });
    const approved = await call('POST', `/attention/${item!.id}/approve`, manager.token, { reason: 'It was her' });
    expect(approved.statusCode).toBe(200);
    expect((await call('GET', `/orders/${after.payload.order_id}`, manager.token)).statusCode).toBe(200);
  });

  test('also ends with a new password, which keeps the key of the session that changed it', async () => {
    const payload = { name: 'counter', status: 'active', role: 'counter', password: 'five horses run' };
    const { data } = (await call('GET', `/users`, manager.token)).json();
    const { email, phone } = data.find(({ id }: { id: number }) => id === clerk.userId);
    const changed = await call('PUT', `/users/${clerk.userId}`, manager.token, { ...payload, email, phone });
    expect(changed.statusCode).toBe(200);
    nowMs += 60 * minuteMs;
    expect(await manager.send(...clerk.signed([saleAt(nowMs)]))).toMatchObject([{ reply: { code: 'KEY_ENDED' } }]);
    expect(await manager.send(manager.create())).toMatchObject([{ status: 'applied' }]);
  });

  test('does not end with a sign-out, after which its person may sell without a network', async () => {
    await call('POST', '/auth/logout', clerk.token);
    nowMs += 60 * minuteMs;
    expect(await manager.send(...clerk.signed([saleAt(nowMs)]))).toMatchObject([{ status: 'applied' }]);
  });
});

describe('wrong PINs', () => {
  const tell = async (userId: number, failed: boolean, token = clerk.info.sync_token!): Promise<number> =>
    (await call('POST', '/auth/pin-tries', token, { user_id: userId, failed })).json<{ data: { wait_ms: number } }>()
      .data.wait_ms;

  test('are counted at the server: beyond those of the tablet each makes wait longer, until their person unlocks', async () => {
    // As if the manager had signed in there: a session stays on its device.
    await server.database.$client.query('update sessions set device_id = null where user_id = $1', [manager.userId]);
    const onClerksTablet = await call('POST', '/devices', manager.token, {
      device_id: clerk.info.device_id,
      device_key: clerk.info.device_key,
    });
    expect(onClerksTablet.statusCode).toBe(200);
    const waits: number[] = [];
    for (let count = 0; count < pinAttempts + 2; count += 1) {
      const waitMs = await tell(manager.userId, true);
      waits.push(waitMs);
      nowMs += waitMs;
    }
    expect(waits).toEqual([...Array.from({ length: pinAttempts - 1 }, () => 0), 1000, 2000, 4000]);
    nowMs -= 1000;
    expect([await tell(manager.userId, false), await tell(clerk.userId, false)]).toEqual([1000, 0]);
    await unlock(clerk);
    expect(await tell(manager.userId, false)).toBe(1000);
    await unlock(manager);
    expect(await tell(manager.userId, false)).toBe(0);
  });

  test('of nobody are not counted', async () => {
    for (let count = 0; count < pinAttempts + 2; count += 1) await tell(2_000_000_000, true);
    expect(await tell(2_000_000_000, false)).toBe(0);
  });
});
