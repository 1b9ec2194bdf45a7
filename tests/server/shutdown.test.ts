import type { ChildProcess } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BatchReply } from '#domain/protocol/sync.ts';
import { line, TestDevice } from '../support/device.ts';
import { exitOf, startMain } from '../support/main-process.ts';
import type { MainProcess } from '../support/main-process.ts';
import { startTestServer } from '../support/server.ts';
import type { TestServer } from '../support/server.ts';
import { slowness } from '../support/quiet-time.ts';

/** Creates the clinic, its users and devices. The process under test serves the same database. */
let server: TestServer;
let tablets: TestDevice[];
const running = new Set<ChildProcess>();

beforeAll(async () => {
  server = await startTestServer();
  tablets = await Promise.all(Array.from({ length: 6 }, () => TestDevice.enrol(server)));
});
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await server.close();
});

async function startProcess(environment: Record<string, string> = {}): Promise<MainProcess> {
  const started = await startMain(server, environment);
  running.add(started.child);
  started.child.once('exit', () => running.delete(started.child));
  return started;
}

/** Sells without a pause until the server refuses connections. @returns the acknowledged operations */
async function sellUntilRefused(tablet: TestDevice, url: string, acknowledged: Set<string>): Promise<void> {
  for (;;) {
    const creates = Array.from({ length: 5 }, () => tablet.create([line()]));
    try {
      const reply = await fetch(`${url}/api/sync/batch`, {
        method: 'POST',
        headers: { ...tablet.headers, 'content-type': 'application/json' },
        body: JSON.stringify({
          operations: tablet.signed(creates.flatMap((create) => [create, tablet.pay(create, 60)])),
        }),
      });
      if (reply.status !== 200) throw new Error(`answered ${reply.status}`);
      for (const { op_id, status } of ((await reply.json()) as BatchReply).data.results)
        if (status === 'applied') acknowledged.add(op_id);
    } catch (error) {
      // The server may refuse or close the connection, but must not cut off a response.
      expect(String((error as Error).cause)).toMatch(/ECONNREFUSED|other side closed|ECONNRESET/);
      return;
    }
  }
}

test('answers accepted requests, keeps their effects and exits with 0 when stopped under load', async () => {
  const { child, url } = await startProcess();
  const acknowledged = new Set<string>();
  const listening = fetch(`${url}/api/sync/events`, { headers: tablets[0]!.headers });
  // An idle connection of a browser, without a request.
  const silent = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined);
  const selling = tablets.map((tablet) => sellUntilRefused(tablet, url, acknowledged));
  while (acknowledged.size < 200) await delay(20);
  child.kill('SIGTERM');
  const { code, ms } = await exitOf(child);
  await Promise.all(selling);
  await (await listening).text();
  silent.destroy();
  expect(code).toBe(0);
  expect(ms / slowness()).toBeLessThan(4000);

  const again = await startProcess();
  const { rows } = await server.database.$client.query<{ op_id: string }>(
    `select op_id from sync_ops where status = 'applied'`,
  );
  const kept = new Set(rows.map(({ op_id }) => op_id));
  expect([...acknowledged].filter((id) => !kept.has(id))).toEqual([]);
  // Every committed operation was acknowledged, so that no device has to send it again.
  expect([...kept].filter((id) => !acknowledged.has(id))).toEqual([]);
  again.child.kill('SIGTERM');
  expect((await exitOf(again.child)).code).toBe(0);
});

const waitsForLock = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;

test('commits and answers a batch that waits for the database before it exits', async () => {
  const { child, url } = await startProcess();
  const tablet = tablets[0]!;
  const blocker = new Client({ connectionString: server.connectionString });
  await blocker.connect();
  await blocker.query('begin');
  await blocker.query('lock table orders in exclusive mode');
  const create = tablet.create();
  const answer = fetch(`${url}/api/sync/batch`, {
    method: 'POST',
    headers: { ...tablet.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ operations: tablet.signed([create]) }),
  });
  // Within a transaction, pg_stat_activity keeps the backends of its first reading.
  const waiting = async () => (await server.database.$client.query(waitsForLock)).rowCount;
  await expect.poll(waiting).toBe(1);
  child.kill('SIGTERM');
  const exited = exitOf(child);
  const health = () => fetch(`${url}/api/health`).then(() => 'answers', String);
  await expect.poll(health).toContain('fetch failed');
  await blocker.query('commit');
  await blocker.end();
  const reply = await answer;
  expect([reply.status, reply.headers.get('connection')]).toEqual([200, 'close']);
  expect(((await reply.json()) as BatchReply).data.results[0]).toMatchObject({
    op_id: create.op_id,
    status: 'applied',
  });
  expect((await exited).code).toBe(0);
  const { rows } = await server.database.$client.query('select 1 from orders where id = $1', [create.payload.order_id]);
  expect(rows).toHaveLength(1);
});

test('keeps serving and reports not ready during the drain time', async () => {
  const { child, url } = await startProcess({ DRAIN_SECONDS: '3' });
  const statuses = async () =>
    Promise.all(['ready', 'health'].map(async (name) => (await fetch(`${url}/api/${name}`)).status));
  expect(await statuses()).toEqual([200, 200]);
  child.kill('SIGTERM');
  const exited = exitOf(child);
  await expect.poll(statuses).toEqual([503, 200]);
  const { code, ms } = await exited;
  expect(code).toBe(0);
  expect(ms).toBeGreaterThan(2000);
});
