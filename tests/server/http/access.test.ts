import Fastify from 'fastify';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { may } from '#domain/permissions.ts';
import type { Action } from '#domain/permissions.ts';
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

/** The routes by the permission that they need, without `/api/`; those under `public` need no session. */
const routesBy: Partial<Record<Action | 'public', string[]>> = {
  public: [
    'GET health ready session-options /uploads/{clinicId}/{file}',
    'POST users/login auth/passkeys/challenge users/login/passkey',
  ],
  'session.use': [
    'POST auth/logout auth/unlock auth/lock auth/passkeys auth/passkeys/remove auth/password',
    'GET auth/me',
    'PUT auth/me',
  ],
  'sync.use': ['POST auth/pin-tries sync/batch', 'GET sync/changes sync/patients sync/events'],
  'session.read': ['GET sessions'],
  'session.end': ['DELETE sessions/{id}', 'POST devices/{id}/lock'],
  'staff.read': ['GET users'],
  'staff.write': ['POST users', 'PUT users/{id}', 'DELETE users/{id}'],
  'device.enrol': ['POST devices'],
  'device.read': ['GET devices'],
  'device.revoke': ['POST devices/{id}/revoke devices/prefix'],
  'settings.write': ['PUT devices/{id} settings fiscal/certificate', 'POST settings/test-mail'],
  'settings.read': ['GET settings storage fiscal/declaration'],
  'catalogue.read': ['GET stock stock/{id} products products/{id} categories services'],
  'stock.write': [
    'POST stock stock/{id}/restore products products/{id}/restore categories stock/import products/import stock/starter',
    'PUT stock/{id} products/{id} categories/{id} stock/inventory/alerts/{id}/acknowledge',
    'PUT stock/inventory/alerts/{id}/resolve',
    'DELETE stock/{id} products/{id} categories/{id}',
    'GET stock/starter',
  ],
  'stock.read': [
    'GET stock/stats stock/inventory/report stock/export.csv products/export.csv stock/inventory/transactions',
    'GET stock/transactions stock/inventory/transactions/stats stock/lots stock/lots/recipients',
    'GET stock/lots/{id}/recipients stock/inventory/alerts stock/inventory/alerts/stats purchase-orders',
    'GET purchase-orders/suggestions purchase-orders/{id} stock/{id}/purchase-orders',
  ],
  'stock.adjust': [
    'POST stock/stock/update/{id} stock/stock/add/{id} stock/stock/subtract/{id} stock/stock/bulk-update',
    'POST stock/reserve stock/unreserve stock/deduct-for-order stock/transactions',
  ],
  'attention.settle': ['POST attention/{id}/approve attention/{id}/settle'],
  'order.read': ['GET orders orders/{id} orders/{id}/payments orders/{id}/payment-summary'],
  'order.create': ['POST orders server/orders'],
  'order.add_services': ['PATCH orders/{id}'],
  'order.pay': ['POST orders/{id}/payments payments/orders/{id}/pay'],
  'order.change': ['POST orders/{id}/changes'],
  'order.cancel': ['PUT orders/{id}/status'],
  'order.refund': ['POST orders/{id}/refunds'],
  'order.invoice': ['POST orders/{id}/invoices'],
  'order.collect': [
    'GET collective-invoices collective-invoices/payers collective-invoices/billable collective-invoices/{id}',
    'POST collective-invoices collective-invoices/preview collective-invoices/{id}/payments',
  ],
  'patient.read': ['GET patients patients/{id} patients/{id}/treatments'],
  'patient.write': ['POST patients', 'PUT patients/{id}'],
  'patient.export': ['GET patients/{id}/export'],
  'patient.erase': ['POST patients/{id}/erase'],
  'preparation.read': ['GET kitchen/orders'],
  'preparation.write': ['PATCH kitchen/orders/{orderId}/items/{itemId}/status'],
  'drawer.read': ['GET drawers'],
  'drawer.open': ['POST drawers'],
  'drawer.use': ['GET drawers/current drawers/{id}/report'],
  'drawer.move': ['POST drawers/{id}/movements'],
  'drawer.close': ['POST drawers/{id}/close'],
  'fiscal.read': ['GET fiscal/verify fiscal/sending fiscal/chains fiscal/records fiscal/export'],
  'fiscal.correct': ['POST fiscal/records/{id}/correct'],
  'fiscal.release': ['POST fiscal/records/{id}/release'],
  'fiscal.annul': ['POST fiscal/records/{id}/annul'],
  'purchase.write': [
    'POST purchase-orders stock/purchase-orders purchase-orders/{id}/send purchase-orders/{id}/cancel',
    'POST purchase-orders/{id}/receive stock/purchase-orders/items/{id}/receive',
    'PUT purchase-orders/{id}',
  ],
  'expense.read': ['GET expenses expenses/summary expenses/{id}'],
  'expense.write': ['POST expenses expenses/{id}/restore', 'PUT expenses/{id}', 'DELETE expenses/{id}'],
  'expense.decide': ['POST expenses/{id}/approve expenses/{id}/reject'],
  'report.read': [
    'POST reports/sales/export/excel reports/removals/export/excel reports/sales/export/pdf',
    'POST reports/removals/export/pdf reports/book/export/excel reports/book/export/csv',
    'GET admin/dashboard/stats admin/dashboard/income-report reports/analytics reports/orders reports/sales/preview',
    'GET reports/removals reports/book reports/uninvoiced reports/sales/taxes admin/dashboard/now reports/day-end',
  ],
  'upload.create': ['POST upload/file upload/drawing'],
  'upload.read': ['GET uploads/{id}'],
  'room.read': ['GET tables tables/stats/overview tables/by-location tables/status tables/{id}'],
  'room.write': ['POST tables', 'PUT tables/{id}', 'DELETE tables/{id}'],
  'audit.read': ['GET audit audit/choices audit/export.csv'],
};

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
  test('needs the permission of the table above', () => {
    const expected = Object.entries(routesBy).flatMap(([action, lines]) =>
      lines.flatMap((line) => {
        const [method, ...paths] = line.split(' ');
        return paths.map((address) => [`${method} ${address.replace(/^(?!\/)/, '/api/')}`, action]);
      }),
    );
    const declared = routesOf(server.app).map(({ name, action }) => [name, action ?? 'public']);
    expect(Object.fromEntries(declared)).toEqual(Object.fromEntries(expected));
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
