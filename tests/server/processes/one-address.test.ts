/** Tests real processes: several of one address, and two on one database. */
import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { line, TestDevice } from '#tests/support/device.ts';
import { exitOf, startMain } from '#tests/support/main-process.ts';
import type { MainProcess } from '#tests/support/main-process.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { slowness } from '#tests/support/quiet-time.ts';

let server: TestServer;
let tablet: TestDevice;
const running = new Set<ChildProcess>();

beforeAll(async () => {
  server = await startTestServer();
  tablet = await TestDevice.enrol(server);
});
afterEach(() => {
  for (const child of running) child.kill('SIGKILL');
});
afterAll(() => server.close());

async function start(environment: Record<string, string> = {}): Promise<MainProcess> {
  const started = await startMain(server, environment);
  running.add(started.child);
  started.child.once('exit', () => running.delete(started.child));
  return started;
}

/** Sends a sale to that address. @returns the status code */
async function sell(url: string): Promise<number> {
  const create = tablet.create([line()]);
  const reply = await fetch(`${url}/api/sync/batch`, {
    method: 'POST',
    headers: { ...tablet.headers, 'content-type': 'application/json', connection: 'close' },
    body: JSON.stringify({ operations: tablet.signed([create, tablet.pay(create, 60)]) }),
  });
  return reply.status;
}

/** Listens to events at that address, and counts the pokes. */
async function listenAt(url: string): Promise<{ pokes: () => number; stop: () => void }> {
  const stop = new AbortController();
  const { body } = await fetch(`${url}/api/sync/events`, { headers: tablet.headers, signal: stop.signal });
  let heard = '';
  void body!
    .pipeTo(new WritableStream({ write: (chunk: Uint8Array) => void (heard += Buffer.from(chunk).toString()) }))
    .catch(() => undefined);
  return { pokes: () => heard.split('event: change').length - 1, stop: () => stop.abort() };
}

async function childrenOf({ child }: MainProcess): Promise<number[]> {
  const list = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8');
  return list.split(' ').map(Number).filter(Boolean);
}

test('SYNC-9 a tablet that listens to one process is poked within a second of a write at another, also after the listener lost its connection', async () => {
  const [one, other] = await Promise.all([start(), start()]);
  const listening = await listenAt(one.url);
  await sell(other.url);
  await expect.poll(listening.pokes, { timeout: 1000 * slowness(), interval: 10 }).toBeGreaterThan(0);

  const before = listening.pokes();
  const database = new Client({ connectionString: server.connectionString });
  await database.connect();
  const ended = await database.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen %'`,
  );
  await database.end();
  // The listeners of the two processes, and that of this test's own app.
  expect(ended.rowCount).toBe(3);
  // After it reconnects, the process pokes its tablets, because it may have missed changes.
  await expect.poll(listening.pokes, { interval: 10 }).toBeGreaterThan(before);
  const again = listening.pokes();
  await sell(other.url);
  await expect.poll(listening.pokes, { timeout: 1000 * slowness(), interval: 10 }).toBeGreaterThan(again);
  listening.stop();
});

test('several processes share one address and its sessions, replace a killed process without a failed request, and shut down in order', async () => {
  const all = await start({ PROCESSES: '3' });
  await expect.poll(async () => (await childrenOf(all)).length).toBe(3);
  const connected = async () => {
    const { rows } = await server.database.$client.query<{ count: number }>(
      `select count(*)::int from pg_stat_activity where datname = current_database() and query like 'listen %'`,
    );
    return rows[0]!.count;
  };
  await expect.poll(connected, { timeout: 30_000 }).toBe(4);
  const listening = await Promise.all([1, 2, 3].map(() => listenAt(all.url)));
  // Each call uses its own connection, so that every process receives some.
  for (let sale = 0; sale < 6; sale++) expect(await sell(all.url)).toBe(200);
  for (const { pokes } of listening) await expect.poll(pokes).toBeGreaterThan(0);

  const [first, ...others] = await childrenOf(all);
  process.kill(first!, 'SIGKILL');
  await expect.poll(() => all.output()).toContain('A server process ended (SIGKILL) and is replaced.');
  for (let sale = 0; sale < 6; sale++) expect(await sell(all.url)).toBe(200);
  await expect.poll(connected, { timeout: 30_000 }).toBe(4);
  expect((await childrenOf(all)).filter((pid) => others.includes(pid))).toEqual(others);
  for (const { stop } of listening) stop();

  const { rows } = await server.database.$client.query('select 1 from payments group by order_id having count(*) > 1');
  expect(rows).toEqual([]);
  const sellers = Promise.all([1, 2, 3].map(() => delay(50).then(() => sell(all.url))));
  expect(await sellers).toEqual([200, 200, 200]);
  all.child.kill('SIGTERM');
  expect((await exitOf(all.child)).code).toBe(0);
  await expect(fetch(`${all.url}/api/health`)).rejects.toThrow('fetch failed');
});

test('several processes that cannot start exit with a reason, and leave no process behind', async () => {
  await expect(start({ PROCESSES: '2', DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })).rejects.toThrow(
    'The server ended',
  );
});
