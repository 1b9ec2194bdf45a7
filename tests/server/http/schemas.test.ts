import { afterAll, beforeAll, expect, test } from 'vitest';
import { routesOf } from '#tests/support/openapi-routes.ts';
import type { Route } from '#tests/support/openapi-routes.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

/** These routes take no body. The last reads a multipart form, whose limits have tests of their own. */
const bodiless = [
  'POST /api/auth/lock',
  'POST /api/auth/logout',
  'POST /api/auth/unlock',
  'POST /api/devices/prefix',
  'POST /api/settings/test-mail',
  'POST /api/upload/file',
];
/** Returns 404 for any address that is not a picture, and validates the address itself. */
const picture = 'GET /uploads/{clinicId}/{file}';

let server: TestServer;
let routes: Route[];
beforeAll(async () => {
  server = await startTestServer();
  routes = routesOf(server.app);
});
afterAll(() => server.close());

test('SECURITY every route has a schema for each parameter', () => {
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

test('SECURITY every route with a body has a schema for it', () => {
  const writes = routes.filter(({ method }) => method === 'POST' || method === 'PUT' || method === 'PATCH');
  expect(writes.length).toBeGreaterThan(30);
  expect(
    writes
      .filter(({ body }) => !body)
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(bodiless.toSorted());
});

test('SECURITY a body changes only the fields of its route: nobody changes their role, state, clinic or id by the profile', async () => {
  const token = await server.login('counter');
  const headers = { authorization: `Bearer ${token}` };
  const me = async () => (await server.app.inject({ url: '/api/auth/me', headers })).json<{ data: object }>().data;
  const before = await me();
  const foreign = {
    id: 1,
    clinic_id: 2,
    clinicId: 2,
    cid: 2,
    role: 'admin',
    status: 'inactive',
    email: 'x@clinic.test',
  };
  const secrets = { password: 'another password', password_hash: 'x', deleted_at: 1, token_secret: 'x' };
  const payload = { name: 'Renamed', ...foreign, ...secrets };
  const reply = await server.app.inject({ method: 'PUT', url: '/api/auth/me', headers, payload });
  expect([reply.statusCode, Object.keys(reply.json<{ details: object }>().details).toSorted()]).toEqual([
    400,
    Object.keys({ ...foreign, ...secrets }).toSorted(),
  ]);
  expect(await me()).toEqual(before);
});
