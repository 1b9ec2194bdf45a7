/** Data that move between clusters by PostgreSQL's own tools, as an upgrade or a managed service moves them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { ChangesPage } from '#domain/protocol/sync.ts';
import { programRole } from '#server/db/embedded/roles.ts';
import { debianBinaries, DebianPostgres, pgTool } from '#tests/support/debian-postgres.ts';
import { TestDevice } from '#tests/support/device.ts';
import { eventually } from '#tests/support/eventually.ts';
import { inLongRun } from '#tests/support/long-run.ts';
import { serverProgram } from '#tests/support/main-process.ts';
import { freePort } from '#tests/support/server-process.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { asSuperuser } from '#tests/support/superuser.ts';
import { unique } from '#tests/support/unique.ts';

/** Sales that raise the numbers of the old cluster far above those of a new one. */
const sales = inLongRun(200, { otherwise: 20 });
const oldRole =
  'create role clinic login; create role dental_counter_clinic nologin; grant dental_counter_clinic to clinic;';

interface Pulled {
  epoch: string;
  orders: string[];
  stock: number;
  settings: boolean;
}

/** Pulls from zero, as a tablet that starts over. */
async function pullAll(url: string, token: string): Promise<Pulled> {
  const found: Pulled = { epoch: '', orders: [], stock: 0, settings: false };
  for (let cursor = ''; ;) {
    const reply = await fetch(`${url}/api/sync/changes${cursor && `?cursor=${encodeURIComponent(cursor)}`}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { data } = (await reply.json()) as { data: ChangesPage };
    found.epoch = data.epoch;
    found.orders.push(...data.rows.orders.map(({ id }) => id));
    found.stock += data.rows.stock.length;
    found.settings ||= data.rows.settings !== null;
    if (!data.more) return found;
    cursor = data.cursor;
  }
}

interface Started {
  url: string;
  output: string;
  stop: () => Promise<void>;
}

/** Starts the server on data that have moved, as an operator starts it. */
async function startOn(databaseUrl: string): Promise<Started> {
  const port = await freePort();
  const child = spawn(process.execPath, serverProgram('main'), {
    env: { ...process.env, DATABASE_URL: databaseUrl, PORT: String(port), DEMO: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await eventually(() => expect(output).toMatch(/is ready|stopped with/));
  return {
    url: `http://127.0.0.1:${port}`,
    output,
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

describe.runIf(debianBinaries)('data of a clinic on PostgreSQL 15', () => {
  let old: DebianPostgres;
  let server: TestServer;
  let tablet: TestDevice;
  let before: Awaited<ReturnType<TestDevice['pull']>>;
  beforeAll(async () => {
    old = await DebianPostgres.start();
    await old.psql(oldRole);
    await old.psql('create database clinic owner clinic');
    // Its transactions are a million ahead of a new cluster's.
    await old.moveAhead(1_048_576);
    server = await startTestServer({ demo: true, databaseUrl: old.url('clinic', 'clinic') });
    tablet = await TestDevice.enrol(server);
    for (let sale = 0; sale < sales; sale++) await tablet.send(tablet.create());
    before = await tablet.pull();
  });
  afterAll(async () => {
    await server.close();
    await old.destroy();
  });

  /** Starts the server on moved data and compares what a tablet gets with what it had. */
  async function mustBeWhole(databaseUrl: string, { isNumberedAnew = true } = {}): Promise<void> {
    const moved = await startOn(databaseUrl);
    try {
      expect(moved.output.includes('came from another PostgreSQL cluster')).toBe(isNumberedAnew);
      expect((await fetch(`${moved.url}/api/ready`)).status).toBe(200);
      const login = await fetch(`${moved.url}/api/users/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'admin@demo.test', password: 'demo-admin' }),
      });
      const { data } = (await login.json()) as { data: { accessToken: string } };
      const pages = await pullAll(moved.url, data.accessToken);
      expect(pages.epoch).not.toBe(before.epoch);
      expect([pages.stock, pages.settings]).toEqual([before.rows.stock.length, true]);
      expect(pages.orders.toSorted()).toEqual(before.rows.orders.map(({ id }) => id).sort());
    } finally {
      await moved.stop();
    }
    // A second start finds them at home.
    const again = await startOn(databaseUrl);
    expect(again.output).not.toContain('came from another');
    await again.stop();
  }

  const dump = async () => {
    const file = path.join(old.folder, 'clinic.sql');
    await writeFile(file, await pgTool('pg_dump', '-d', old.url('clinic', 'clinic')));
    return file;
  };

  test('are whole for tablets after a dump into another PostgreSQL 15', async () => {
    const other = await DebianPostgres.start();
    try {
      await other.psql(oldRole);
      await other.psql('create database clinic owner clinic');
      await pgTool('psql', '-qX', '-v', 'ON_ERROR_STOP=1', '-d', other.url('clinic', 'clinic'), '-f', await dump());
      await mustBeWhole(other.url('clinic', 'clinic'));
    } finally {
      await other.destroy();
    }
  });

  test('are whole after a dump without owners and rights into PostgreSQL 18', async () => {
    const name = unique('moved').replace('-', '_');
    const file = path.join(old.folder, 'bare.sql');
    await writeFile(file, await pgTool('pg_dump', '-d', old.url('clinic', 'clinic'), '--no-owner', '--no-acl'));
    const url = inject('postgres').replace(/@\/[^?]+/, `@/${name}`);
    await asSuperuser(inject('postgres'), async (client) => {
      await client.query(`create database ${name} owner ${programRole}`);
    });
    try {
      await pgTool('psql', '-qX', '-v', 'ON_ERROR_STOP=1', '-d', url, '-f', file);
      await mustBeWhole(url);
    } finally {
      await asSuperuser(inject('postgres'), async (client) => {
        await client.query(`drop database ${name} with (force)`);
      });
    }
  });

  test('are whole after logical replication', async () => {
    const other = await DebianPostgres.start();
    try {
      await other.psql(oldRole);
      await other.psql('create database clinic owner clinic');
      const schema = path.join(old.folder, 'schema.sql');
      await writeFile(schema, await pgTool('pg_dump', '-s', '-d', old.url('clinic', 'clinic')));
      await pgTool('psql', '-qX', '-v', 'ON_ERROR_STOP=1', '-d', other.url('clinic', 'clinic'), '-f', schema);
      await old.psql('create publication everything for all tables', 'clinic');
      await other.psql(
        `create subscription everything connection '${old.url('postgres', 'clinic')}' publication everything`,
        'clinic',
      );
      await eventually(async () =>
        expect(await other.psql(`select count(*) from pg_subscription_rel where srsubstate <> 'r'`, 'clinic')).toBe(
          '0\n',
        ),
      );
      await other.psql('drop subscription everything', 'clinic');
      await mustBeWhole(other.url('clinic', 'clinic'));
    } finally {
      await old.psql('drop publication if exists everything', 'clinic');
      await other.destroy();
    }
  });

  test('are whole on a standby that was promoted, which is the same cluster on another timeline', async () => {
    const standby = await DebianPostgres.start(old);
    try {
      await standby.promote();
      await mustBeWhole(standby.url('clinic', 'clinic'), { isNumberedAnew: false });
    } finally {
      await standby.destroy();
    }
  });

  test('begin a new epoch as a copy within the cluster', async () => {
    server.database.$client.disconnect();
    await old.psql('create database copied template clinic owner clinic');
    await mustBeWhole(old.url('clinic', 'copied'));
  });
});
