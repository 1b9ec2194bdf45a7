import { eq } from 'drizzle-orm';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SessionResource } from '#domain/protocol/sync.ts';
import type { Role } from '#domain/staff/roles.ts';
import { auditLog } from '#server/db/schema/access.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

let nowMs = Date.parse('2026-04-06T08:00:00Z');
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ now: () => nowMs });
});
afterAll(() => server.close());
// Sessions of earlier tests are over.
beforeEach(() => (nowMs += 86_400_000));

const call = (method: 'GET' | 'POST' | 'DELETE', path: string, token: string, payload?: object) =>
  server.app.inject({
    method,
    url: `/api${path}`,
    headers: { authorization: `Bearer ${token}` },
    ...(payload && { payload }),
  });
const listed = async (token: string) =>
  (await call('GET', '/sessions', token)).json<{ data: SessionResource[] }>().data;
const own = async (token: string, manager: string) => {
  const { id } = decodeJwt<{ id: number }>(token);
  return (await listed(manager)).find(({ user }) => user.id === id)!;
};
const isOpen = async (token: string) => (await call('GET', '/auth/me', token)).statusCode === 200;

describe('the list of sessions', () => {
  test('shows managers who is signed in, on which device and since when, and nothing of the token', async () => {
    const [manager, counter] = [await server.login('manager'), await server.login('counter')];
    const { device_id, code } = (await call('POST', '/devices', counter, { name: 'Front desk' })).json().data;
    nowMs += 20 * 60_000;
    await isOpen(counter);
    const reply = await call('GET', '/sessions', manager);
    const times = {
      created_at: new Date(nowMs - 20 * 60_000).toISOString(),
      last_seen_at: new Date(nowMs).toISOString(),
    };
    const id = expect.any(Number) as number;
    const sessions = reply.json<{ data: SessionResource[] }>().data;
    expect(sessions).toHaveLength(2);
    expect(sessions.find(({ current }) => current)).toEqual({
      id,
      current: true,
      device: null,
      user: { id, name: 'manager', role: 'manager' },
      ...times,
    });
    expect(sessions.find(({ current }) => !current)).toEqual({
      id,
      current: false,
      device: { id: device_id, code, name: 'Front desk' },
      user: { id, name: 'counter', role: 'counter' },
      ...times,
    });
    for (const token of [manager, counter]) expect(reply.body).not.toContain(decodeJwt(token).jti);
  });

  test('has no sessions that are over', async () => {
    const [manager, counter] = [await server.login('manager'), await server.login('counter')];
    await call('POST', '/auth/logout', counter);
    expect(await listed(manager)).toMatchObject([{ current: true }]);
    nowMs += 9 * 3_600_000;
    expect(await listed(await server.login('admin'))).toMatchObject([{ current: true }]);
  });
});

describe('ending a session', () => {
  test('takes effect at once, ends no other, and is audited', async () => {
    const [manager, counter, other] = [
      await server.login('manager'),
      await server.login('counter'),
      await server.login('counter'),
    ];
    const { id, user } = await own(counter, manager);
    expect((await call('DELETE', `/sessions/${id}`, manager)).statusCode).toBe(200);
    expect([await isOpen(counter), await isOpen(other)]).toEqual([false, true]);
    expect((await call('DELETE', `/sessions/${id}`, manager)).statusCode).toBe(404);
    const [entry] = await server.database.select().from(auditLog).where(eq(auditLog.action, 'session.ended'));
    expect(entry).toMatchObject({ subject: `user:${user.id}`, userId: decodeJwt(manager)['id'] });
  });

  test.each([
    ['manager', 'admin', 403],
    ['admin', 'admin', 200],
    ['manager', 'manager', 200],
    ['counter', 'kitchen', 403],
  ] as const)('of %s over %s gives %i', async (actor, subject, status) => {
    const [token, target, admin] = [
      await server.login(actor),
      await server.login(subject),
      await server.login('admin'),
    ];
    const { id } = await own(target, admin);
    expect((await call('DELETE', `/sessions/${id}`, token)).statusCode).toBe(status);
    expect(await isOpen(target)).toBe(status !== 200);
  });

  test('does not reach another clinic', async () => {
    const clinicId = await server.addClinic();
    const role: Role = 'admin';
    const [here, there] = [await server.login(role), await server.login(role, { clinicId })];
    const { id } = await own(there, there);
    expect((await call('DELETE', `/sessions/${id}`, here)).statusCode).toBe(404);
    expect(await isOpen(there)).toBe(true);
  });
});
