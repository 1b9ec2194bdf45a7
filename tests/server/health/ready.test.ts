import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const statusOf = async (url: string) => (await server.app.inject({ url })).statusCode;

test('is ready when the database has the latest migration, or a later one', async () => {
  expect((await server.app.inject({ url: '/api/ready' })).json()).toEqual({
    success: true,
    data: { status: 'ready', version: expect.any(String) },
  });
  await server.database.execute(
    `insert into drizzle.__drizzle_migrations (hash, created_at) values ('a later version', 0)`,
  );
  expect(await statusOf('/api/ready')).toBe(200);
});

test('is healthy but not ready while a migration is missing', async () => {
  await server.database.execute(`delete from drizzle.__drizzle_migrations where id > 1`);
  expect([await statusOf('/api/ready'), await statusOf('/api/health')]).toEqual([503, 200]);
  await server.database.execute(
    `insert into drizzle.__drizzle_migrations (hash, created_at) select 'again', 0 from generate_series(1, 100)`,
  );
  expect(await statusOf('/api/ready')).toBe(200);
});

test('is not ready and closes its connections during shutdown', async () => {
  server.app.shutdown.isStopping = true;
  const reply = await server.app.inject({ url: '/api/ready' });
  expect([reply.statusCode, reply.json().code, reply.headers.connection]).toEqual([503, 'UNAVAILABLE', 'close']);
  expect(await statusOf('/api/health')).toBe(200);
  server.app.shutdown.isStopping = false;
});
