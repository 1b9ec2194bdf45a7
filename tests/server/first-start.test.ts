import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import { openDatabase } from '#server/db/database.ts';
import type { Database } from '#server/db/database.ts';
import { users } from '#server/db/schema/access.ts';
import { clinics, devices } from '#server/db/schema/clinics.ts';
import type { Ports } from '#server/ports.ts';
import { ensureClinic } from '#server/first-start.ts';
import { openDemoAccounts } from '#server/modules/users/service.ts';
import { secretInDatabase, secretInFolder } from '#server/token-secret.ts';
import { demoAccounts } from '#server/seed/demo-accounts.ts';
import { freshDatabase } from '../support/database.ts';
import type { FreshDatabase } from '../support/database.ts';
import { cheapPasswords } from '../support/server.ts';
import { signInAs } from '#tests/support/sign-in.ts';

let fresh: FreshDatabase;
let database: Database;
beforeEach(async () => {
  fresh = await freshDatabase();
  database = openDatabase(fresh.connectionString);
});
afterEach(async () => {
  await database.$client.end();
  await fresh.drop();
});

const ports = (demo: '0' | '1'): Ports => ({
  database,
  config: readConfig({ DEMO: demo }),
  clock: () => Date.parse('2026-03-02T15:00:00Z'),
  secret: new Uint8Array(32),
  passwords: cheapPasswords,
});

describe('the first start', () => {
  test('creates an empty clinic and an administrator, and shows the password once', async () => {
    const admin = await ensureClinic(ports('0'));
    expect(admin!.password.length).toBeGreaterThanOrEqual(16);
    expect(await signInAs(ports('0'), admin!)).not.toBeNull();
    expect(await ensureClinic(ports('0'))).toBeNull();
    expect(await database.select().from(devices)).toMatchObject([{ code: 'S0', keyHash: null }]);
    expect(await openDemoAccounts(database.$client)).toEqual([]);
  });

  test('creates one clinic when several processes start together', async () => {
    const admins = await Promise.all(Array.from({ length: 4 }, () => ensureClinic(ports('0'))));
    expect(admins.filter(Boolean)).toHaveLength(1);
    expect(await database.select().from(clinics)).toHaveLength(1);
  });

  test('creates the demo clinic once in demo mode', async () => {
    for (let start = 0; start < 2; start++) expect(await ensureClinic(ports('1'))).toBeNull();
    expect(await database.select().from(clinics)).toHaveLength(1);
    expect(await openDemoAccounts(database.$client)).toEqual(demoAccounts);
    for (const account of demoAccounts) expect(await signInAs(ports('1'), account)).not.toBeNull();
  });

  test('gathers statistics on the tables of the demo clinic that have rows', async () => {
    await ensureClinic(ports('1'));
    const { rows } = await database.$client.query<{ table: string; known: boolean }>(
      `select relname as "table", reltuples > 0 as known from pg_class where relname in ('orders', 'sync_ops') order by 1`,
    );
    expect(rows).toEqual([
      { table: 'orders', known: true },
      { table: 'sync_ops', known: false },
    ]);
  });

  test('closes the demo accounts outside demo mode and creates an administrator, and opens them again in demo mode', async () => {
    await ensureClinic(ports('1'));
    const admin = await ensureClinic(ports('0'));
    expect(await signInAs(ports('0'), admin!)).not.toBeNull();
    for (const account of demoAccounts) expect(await signInAs(ports('0'), account)).toBeNull();
    expect(await openDemoAccounts(database.$client)).toEqual([]);
    await ensureClinic(ports('1'));
    expect(await openDemoAccounts(database.$client)).toEqual(demoAccounts);
  });

  test('opens no account with a known password in a clinic that did not begin as a demo', async () => {
    await ensureClinic(ports('0'));
    await ensureClinic(ports('1'));
    expect(await openDemoAccounts(database.$client)).toEqual([]);
    expect(await database.select().from(users)).toHaveLength(1);
  });
});

describe('the signing secret', () => {
  test('has 256 bits, is in a file that only its owner can read, and survives a restart', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'secret-'));
    try {
      const dataDir = path.join(folder, 'data');
      const [secret, again] = await Promise.all([secretInFolder(dataDir), secretInFolder(dataDir)]);
      expect(secret).toHaveLength(32);
      expect(again).toEqual(secret);
      expect(await secretInFolder(dataDir)).toEqual(secret);
      const file = path.join(dataDir, 'token-secret');
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect((await readFile(file, 'utf8')).trim()).toHaveLength(64);
      await writeFile(file, 'short');
      await expect(secretInFolder(dataDir)).rejects.toThrow('damaged');
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('is the same for all processes that share a database', async () => {
    const secrets = await Promise.all(Array.from({ length: 4 }, () => secretInDatabase(database.$client)));
    expect(secrets[0]).toHaveLength(32);
    for (const secret of secrets) expect(secret).toEqual(secrets[0]);
  });
});
