import { afterAll, beforeAll, expect, test } from 'vitest';
import { routesOf } from '../../support/openapi-routes.ts';
import type { Route } from '../../support/openapi-routes.ts';
import { startTestServer } from '../../support/server.ts';
import type { TestServer } from '../../support/server.ts';

/** Their address says all that they need; the last reads a form of its own, whose bounds have their own tests. */
const bodiless = [
  'POST /api/auth/logout',
  'POST /api/purchase-orders/{id}/cancel',
  'POST /api/purchase-orders/{id}/send',
  'POST /api/settings/test-mail',
  'PUT /api/stock/inventory/alerts/{id}/acknowledge',
  'PUT /api/stock/inventory/alerts/{id}/resolve',
  'POST /api/upload/file',
];
/** It answers 404 to whatever is no picture, as to a picture that is not there, and judges its address by itself. */
const picture = 'GET /uploads/{clinicId}/{file}';

let server: TestServer;
let routes: Route[];
beforeAll(async () => {
  server = await startTestServer();
  routes = routesOf(server.app);
});
afterAll(() => server.close());

test('SECURITY every part of an address has a form', () => {
  const parts = routes
    .filter(({ name }) => name !== picture)
    .flatMap(({ name, path, parameters }) =>
      [...path.matchAll(/\{(\w+)\}/g)].map(([, part]) => ({
        name,
        part,
        schema: parameters.find((one) => one.in === 'path' && one.name === part)?.schema,
      })),
    );
  expect(parts.length).toBeGreaterThan(30);
  const formless = parts.filter(
    ({ schema }) => !schema || (schema.type === 'string' && Object.keys(schema).length === 1),
  );
  expect(formless.map(({ name, part }) => `${name} ${part}`)).toEqual([]);
});

test('SECURITY every body has a form', () => {
  const writes = routes.filter(({ method }) => method === 'POST' || method === 'PUT' || method === 'PATCH');
  expect(writes.length).toBeGreaterThan(30);
  expect(
    writes
      .filter(({ body }) => !body)
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(bodiless.toSorted());
});
