import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { Client } from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate } from '#server/db/migrate.ts';
import { freshDatabase } from '#tests/support/database.ts';
import type { FreshDatabase } from '#tests/support/database.ts';

const shipped = path.resolve(import.meta.dirname, '../../../server/db/migrations');
const shippedCount = readMigrationFiles({ migrationsFolder: shipped }).length;

let database: FreshDatabase;
let client: Client;
beforeEach(async () => {
  database = await freshDatabase();
  client = new Client(database.connectionString);
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

const empty = () => client.query('drop schema public cascade; drop schema drizzle cascade; create schema public');

test('migrates an empty database once when several processes start together', async () => {
  await empty();
  await Promise.all(Array.from({ length: 5 }, () => migrate(database.connectionString)));
  const { rows } = await client.query(
    'select count(*)::int as applied, count(distinct hash)::int as different from drizzle.__drizzle_migrations',
  );
  expect(rows).toEqual([{ applied: shippedCount, different: shippedCount }]);
});

test('refuses a database that a newer version has migrated', async () => {
  await client.query("insert into drizzle.__drizzle_migrations (hash, created_at) values ('later', 99999999999999)");
  await expect(migrate(database.connectionString)).rejects.toThrow('newer version');
});

test('detects a migration that was skipped because its time stamp is too early', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'migrations-'));
  try {
    await cp(shipped, folder, { recursive: true });
    const journalFile = path.join(folder, 'meta/_journal.json');
    const journal = JSON.parse(await readFile(journalFile, 'utf8')) as { entries: object[] };
    journal.entries.push({ idx: shippedCount, version: '7', when: 1, tag: 'late_merge', breakpoints: true });
    await writeFile(journalFile, JSON.stringify(journal));
    await writeFile(path.join(folder, 'late_merge.sql'), 'create table late_merge ()');
    await expect(migrate(database.connectionString, folder)).rejects.toThrow(
      `Only ${shippedCount} of ${shippedCount + 1}`,
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('moves a changed row to the end of the feed in every feed table', async () => {
  const { rows } = await client.query<{ table: string; stamped: boolean }>(`
    select c.table_name as table, exists (select from pg_trigger t
      where t.tgrelid = c.table_name::regclass and t.tgname = 'stamp_feed_row') as stamped
    from information_schema.columns c where c.table_schema = 'public' and c.column_name = 'xid' order by 1`);
  expect(rows.map(({ table }) => table)).toEqual([
    'attention_items',
    'categories',
    'drawers',
    'orders',
    'patients',
    'products',
    'rooms',
    'settings',
    'stock_items',
    'sync_ops',
  ]);
  expect(rows.every(({ stamped }) => stamped)).toBe(true);

  await client.query("insert into clinics (name) values ('A')");
  const inserted = await client.query("insert into categories (clinic_id, name) values (1, 'X') returning xid");
  const updated = await client.query("update categories set name = 'Y', xid = '3' returning xid");
  expect(BigInt(updated.rows[0].xid)).toBeGreaterThan(BigInt(inserted.rows[0].xid));
});

test('refuses to change or delete audit entries and invoices', async () => {
  await client.query("insert into audit_log (clinic_id, action) values (1, 'sign_in')");
  for (const statement of [
    "update audit_log set action = 'x'",
    'delete from audit_log',
    'truncate audit_log',
    'delete from invoices',
  ]) {
    await expect(client.query(statement)).rejects.toThrow('only grows');
  }
});
