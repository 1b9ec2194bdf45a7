/** What a page of another site can make a browser send, and what it may read of the reply. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { routesOf, someUuid } from '#tests/support/openapi-routes.ts';
import type { Route } from '#tests/support/openapi-routes.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { changedTables, tableDigests } from '#tests/support/table-digests.ts';

let server: TestServer;
let token: string;
let routes: (Pick<Route, 'method' | 'name'> & { url: string })[];
beforeAll(async () => {
  server = await startTestServer();
  token = await server.login('admin');
  routes = routesOf(server.app)
    .filter(({ path }) => path !== '/api/sync/events' && path !== '/api/auth/logout')
    .map(({ method, name, path }) => ({ method, name, url: path.replace(/\{[^}]+\}/g, someUuid) }));
});
afterAll(() => server.close());

const origin = 'https://elsewhere.test';
const allowed = (headers: object): string[] =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'));

test('SECURITY no reply lets a page of another site read it', async () => {
  for (const { method, url, name } of routes) {
    const headers = { origin, authorization: `Bearer ${token}` };
    const reply = await server.app.inject({ method, url, headers, ...(method !== 'GET' && { payload: {} }) });
    expect([name, allowed(reply.headers)]).toEqual([name, []]);
  }
});

test('SECURITY a preflight of another site is answered by a refusal', async () => {
  for (const { method, url, name } of routes) {
    const headers = { origin, 'access-control-request-method': method };
    const reply = await server.app.inject({ method: 'OPTIONS', url, headers });
    expect([name, reply.statusCode, allowed(reply.headers)]).toEqual([name, 404, []]);
  }
});

/** Writes of somebody who has no session yet. They take only JSON. */
const withoutSession = ['POST /api/users/login', 'POST /api/users/login/passkey', 'POST /api/auth/passkeys/challenge'];

test('SECURITY a form of another site writes nothing: it cannot send the header of a session, nor JSON to the sign-in', async () => {
  const writes = routes.filter(({ method }) => method !== 'GET');
  expect(writes.length).toBeGreaterThan(30);
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    for (const { method, url, name } of writes) {
      const payload = '{"email":"admin@demo.test","password":"demo-admin"}';
      const cookie = `pos_token=${token}`;
      const reply = await server.app.inject({ method, url, headers: { 'content-type': type, cookie }, payload });
      const isOpen = withoutSession.includes(name);
      const expected = isOpen ? (type === 'text/plain' ? 400 : 415) : 401;
      expect([name, reply.statusCode]).toEqual([name, expected]);
    }
  }
});

test('SECURITY the method TRACE is not served', async () => {
  for (const url of ['/', '/api/health', '/api/orders']) {
    const reply = await server.app.inject({ method: 'TRACE' as 'GET', url, headers: { 'x-probe': 'echo' } });
    expect([url, reply.statusCode, reply.body.includes('echo')]).toEqual([url, 404, false]);
  }
});

test('SECURITY no address redirects', async () => {
  for (const { method, url, name } of routes) {
    for (const address of [url, `${url}/`, url.replace('/', '//')]) {
      const reply = await server.app.inject({ method, url: address, ...(method !== 'GET' && { payload: {} }) });
      expect([name, reply.statusCode >= 300 && reply.statusCode < 400, reply.headers.location]).toEqual([
        name,
        false,
        undefined,
      ]);
    }
  }
});

test('SECURITY reading changes nothing but what is stored about reading itself', async () => {
  const clinic = await startTestServer({ demo: true });
  const headers = { authorization: `Bearer ${await clinic.login('admin')}` };
  const before = await tableDigests(clinic.database.$client);
  const reached = new Set<string>();
  for (const { name, path } of routesOf(clinic.app).filter(({ method }) => method === 'GET')) {
    if (path === '/api/sync/events') continue;
    for (const id of ['1', someUuid]) {
      const reply = await clinic.app.inject({ url: path.replace(/\{[^}]+\}/g, id), headers });
      if (reply.statusCode === 200) reached.add(name);
    }
  }
  expect(reached.size).toBeGreaterThan(30);
  const after = await tableDigests(clinic.database.$client);
  // Exports are audited, a session notes its last request, and the totals of finished days are kept.
  expect(changedTables(before, after)).toEqual([
    'audit_log',
    'day_figures',
    'day_items',
    'day_orders',
    'sessions',
    'stale_days',
  ]);
  await clinic.close();
});
