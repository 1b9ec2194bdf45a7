import Fastify from 'fastify';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { may } from '#domain/permissions.ts';
import { roles } from '#domain/staff/roles.ts';
import { auditLog } from '#server/db/schema/access.ts';
import { RequestTurns } from '#server/http/turns.ts';
import { Budgets } from '#server/http/budgets.ts';
import { guard, requires } from '#server/http/access.ts';
import type { Session } from '#server/context.ts';
import { TestDevice } from '#tests/support/device.ts';
import { routesOf, someUuid } from '#tests/support/openapi-routes.ts';
import type { Route } from '#tests/support/openapi-routes.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

type Call = Pick<Route, 'method' | 'action'> & { url: string };

let server: TestServer;
let routes: Call[];

beforeAll(async () => {
  server = await startTestServer();
  routes = routesOf(server.app).map(({ path, ...route }) => ({ ...route, url: path.replace(/\{[^}]+\}/g, someUuid) }));
});
afterAll(() => server.close());

const call = ({ method, url }: Call, token?: string) =>
  server.app.inject({
    method,
    url,
    ...(token && { headers: { authorization: `Bearer ${token}` } }),
    ...(method !== 'GET' && { payload: {} }),
  });

describe('every route', () => {
  test('requires a session, except those listed here', () => {
    expect(routes.length).toBeGreaterThan(18);
    const pictures = `/uploads/${someUuid}/${someUuid}`;
    expect(
      routes
        .filter(({ action }) => action === null)
        .map(({ url }) => url)
        .sort(),
    ).toEqual([
      '/api/auth/passkeys/challenge',
      '/api/health',
      '/api/ready',
      '/api/session-options',
      '/api/users/login',
      '/api/users/login/passkey',
      pictures,
    ]);
  });

  test('returns 401 without a session unless it is public', async () => {
    for (const route of routes) {
      const { statusCode } = await call(route);
      expect([`${route.method} ${route.url}`, statusCode === 401]).toEqual([
        `${route.method} ${route.url}`,
        route.action !== null,
      ]);
    }
  });

  test.each(roles)('allows %s exactly what the permissions state', async (role) => {
    const token = await server.login(role);
    for (const route of routes) {
      // The event stream never ends by itself; it needs `sync.use` like the other sync routes.
      if (route.action === null || route.url === '/api/sync/events' || route.url === '/api/auth/logout') continue;
      const { statusCode } = await call(route, token);
      expect(statusCode, `${role} ${route.method} ${route.url}`).toSatisfy(
        (status: number) => (status === 403) === !may(role, route.action!),
      );
      expect(statusCode, `${role} ${route.method} ${route.url}`).toBeLessThan(500);
    }
  });

  test('lets the token for syncing through only to what the worker of a tablet calls, and its lock', async () => {
    const { info } = await TestDevice.enrol(server, 'admin');
    const reached: string[] = [];
    for (const route of routes.filter(({ action }) => action !== null)) {
      const { method, url } = route;
      const headers = { authorization: `Bearer ${info.sync_token}` };
      // The event stream never ends by itself.
      const reply = await server.app.inject({
        method,
        url,
        headers,
        payloadAsStream: true,
        ...(method !== 'GET' && { payload: {} }),
      });
      reply.stream().destroy();
      if (reply.statusCode !== 403) reached.push(`${method} ${url}`);
      expect([`${method} ${url}`, reply.statusCode === 403]).toEqual([
        `${method} ${url}`,
        route.action !== 'sync.use' && route.action !== 'device.enrol',
      ]);
    }
    expect(reached.sort()).toEqual([
      'GET /api/sync/changes',
      'GET /api/sync/events',
      'GET /api/sync/patients',
      'POST /api/auth/pin-tries',
      'POST /api/devices',
      'POST /api/sync/batch',
    ]);
  });

  test('is refused at registration when it declares no action', async () => {
    const api = Fastify();
    guard(api, {
      clinicOf: () => Promise.resolve(null),
      readSession: () => Promise.resolve(null),
      turns: new RequestTurns(),
      recordDenial: () => Promise.resolve(),
      budgets: new Budgets(Date.now, false),
    });
    expect(() => api.get('/open', () => 'everything')).toThrow('must declare');
    expect(() => api.get('/both', { config: { public: true, action: 'order.read' } }, () => 'everything')).toThrow(
      'must declare',
    );
  });

  test('looks at no session of a token that has just been turned away', async () => {
    const api = Fastify();
    let looks = 0;
    let nowMs = 0;
    guard(api, {
      clinicOf: () => Promise.resolve(1),
      readSession: () => {
        looks += 1;
        return Promise.resolve({ clinicId: 1, userId: 1, deviceId: 1, role: 'manager', scope: 'full' } as Session);
      },
      turns: new RequestTurns(),
      recordDenial: () => Promise.resolve(),
      budgets: new Budgets(() => nowMs, true),
    });
    api.get('/list', { config: requires('order.read') }, () => 'everything');
    const ask = async (token: string) =>
      (await api.inject({ url: '/list', headers: { authorization: `Bearer ${token}` } })).statusCode;
    for (let count = 0; count < 600; count++) expect(await ask('one')).toBe(200);
    expect([await ask('one'), looks]).toEqual([429, 601]);
    for (let count = 0; count < 100; count++) expect(await ask('one')).toBe(429);
    expect(looks).toBe(601);
    nowMs += 1000;
    expect([await ask('one'), looks]).toEqual([200, 602]);
  });

  test('records each denial in the audit log', async () => {
    const token = await server.login('kitchen');
    await server.app.inject({
      method: 'POST',
      url: '/api/orders?x=patient',
      headers: { authorization: `Bearer ${token}` },
      payload: {},
    });
    const log = await server.database.select().from(auditLog).where(eq(auditLog.action, 'denied'));
    expect(log.at(-1)).toMatchObject({ clinicId: server.clinicId, subject: 'POST /api/orders' });
  });
});
