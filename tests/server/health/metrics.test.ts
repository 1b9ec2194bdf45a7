import { afterAll, beforeAll, expect, test } from 'vitest';
import { line, TestDevice } from '#tests/support/device.ts';
import { newId } from '#tests/support/unique.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { quietTime } from '#tests/support/quiet-time.ts';

const token = 'a token for the watchers';
let server: TestServer;
let tablet: TestDevice;

beforeAll(async () => {
  server = await startTestServer({ environment: { METRICS_TOKEN: token } });
  tablet = await TestDevice.enrol(server);
});
afterAll(() => server.close());

const ask = (authorization?: string) =>
  server.app.inject({ url: '/api/metrics', ...(authorization && { headers: { authorization } }) });
const metrics = async () => (await ask(`Bearer ${token}`)).body;

test('returns 404 to a request without the token, even from a signed-in user, and to all requests when no token is set', async () => {
  const admin = await server.login('admin');
  for (const authorization of [undefined, 'Bearer', `Bearer ${token}x`, `bearer ${token}`, token, `Bearer ${admin}`]) {
    const reply = await ask(authorization);
    expect([authorization, reply.statusCode, reply.json().code]).toEqual([authorization, 404, 'NOT_FOUND']);
  }
  const plain = await startTestServer();
  for (const authorization of ['Bearer undefined', 'Bearer null', 'Bearer ']) {
    expect((await plain.app.inject({ url: '/api/metrics', headers: { authorization } })).statusCode).toBe(404);
  }
  await plain.close();
});

test('counts operations by kind and outcome, from the batch route and over REST', async () => {
  const create = tablet.create([line({ name: 'Marta Gil' })]);
  const bad = tablet.create([line({ unit_price: -1 })]);
  const early = tablet.pay(tablet.create(), 60);
  await tablet.send(create, bad, early);
  await tablet.send(create);
  const manager = { authorization: `Bearer ${await server.login('manager')}`, 'idempotency-key': newId() };
  for (const _ of [1, 2])
    await server.app.inject({
      method: 'POST',
      url: '/api/tables',
      headers: manager,
      payload: { number: 'Box 1', capacity: 2 },
    });

  const text = await metrics();
  const counted = text.split('\n').filter((one) => one.startsWith('dental_counter_operations_total{'));
  expect(counted.sort()).toEqual([
    'dental_counter_operations_total{kind="order.create",result="applied"} 1',
    'dental_counter_operations_total{kind="order.create",result="refused"} 1',
    'dental_counter_operations_total{kind="order.create",result="replayed"} 1',
    'dental_counter_operations_total{kind="order.pay",result="waiting"} 1',
    'dental_counter_operations_total{kind="room.create",result="applied"} 1',
    'dental_counter_operations_total{kind="room.create",result="replayed"} 1',
  ]);
  expect(text).not.toContain('Marta');
});

test('measures requests by declared route and class of status, never by URL', async () => {
  await server.app.inject({ url: '/api/orders?search=Marta', headers: tablet.headers });
  await server.app.inject({ url: '/api/orders/0190a5b0-0000-7000-8000-00000000abcd', headers: tablet.headers });
  await server.app.inject({ url: '/api/Marta' });
  const text = await metrics();
  expect(text).toMatch(
    /dental_counter_request_seconds_bucket\{method="POST",route="\/api\/sync\/batch",status="2xx",le="\+Inf"\} 2\n/,
  );
  expect(text).toMatch(/dental_counter_request_seconds_count\{method="GET",route="\/api\/orders",status="2xx"\} 1\n/);
  expect(text).toContain('route="/api/orders/:id",status="4xx"');
  expect(text).not.toMatch(/Marta|abcd/);
});

test('reports unsent operations, listening tablets, and the state of process and database', async () => {
  await server.app.inject({ url: '/api/sync/changes?waiting=7', headers: tablet.headers });
  const address = await server.app.listen({ port: 0, host: '127.0.0.1' });
  const listening = new AbortController();
  await fetch(`${address}/api/sync/events`, { headers: tablet.headers, signal: listening.signal });
  const text = await metrics();
  expect(text).toContain(`dental_counter_device_waiting{clinic="${server.clinicId}",device="${tablet.info.code}"} 7\n`);
  expect(text).toContain('dental_counter_event_streams 1\n');
  expect(text).toMatch(/dental_counter_build_info\{version="[\d.]+"\} 1\n/);
  expect(text).toContain('dental_counter_database_up 1\n');
  // The listener for news keeps one connection.
  expect(text).toMatch(/dental_counter_database_connections\{state="in_use"\} [1-9]/);
  expect(text).toContain('dental_counter_database_requests_waiting 0\n');
  for (const name of [
    'process_resident_memory_bytes',
    'process_heap_used_bytes',
    'dental_counter_event_loop_lag_seconds{quantile="0.99"}',
  ]) {
    expect(
      Number(
        text
          .split('\n')
          .find((one) => one.startsWith(`${name} `))
          ?.split(' ')
          .at(-1),
      ),
      name,
    ).toBeGreaterThan(0);
  }
  listening.abort();
  await expect.poll(metrics).toContain('dental_counter_event_streams 0\n');
  // Node's fetch keeps a spare connection, for which the server would wait.
  server.app.server.closeAllConnections();
});

test('answers within about a second when the pool is exhausted', async () => {
  const pool = server.database.$client;
  const { max } = pool.options;
  // The server listens on one.
  const held = await Promise.all(Array.from({ length: max - 1 }, () => pool.connect()));
  let text = '';
  const read = async () => void (text = await metrics());
  expect(await quietTime(read, { attempts: 1 })).toBeLessThan(2500);
  expect(text).toContain('dental_counter_database_up 0\n');
  expect(text).toContain(`dental_counter_database_connections{state="in_use"} ${max}\n`);
  for (const client of held) client.release();
});
