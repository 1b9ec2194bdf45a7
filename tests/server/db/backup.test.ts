import { copyFile, cp, mkdtemp, readFile, readdir, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BackupUnreadable, newHeader, readArchive, writeArchive } from '#server/db/backup/archive.ts';
import type { Part, TableTitle } from '#server/db/backup/archive.ts';
import { migrationsOf } from '#server/db/backup/contents.ts';
import { restoreBackup } from '#server/db/backup/restore.ts';
import { applyMigrations, backedUpTables, tablesOfSchema } from '#server/db/backup/tables.ts';
import { NothingToBackUp, takeBackup, verifyBackup } from '#server/db/backup/take.ts';
import { migrationsFolder } from '#server/db/migrate.ts';
import { onConnection } from '#server/db/pool.ts';
import { freshDatabase } from '#tests/support/database.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { seededRandom } from '#tests/support/random.ts';

const nowMs = Date.parse('2026-05-04T10:00:00Z');

let server: TestServer;
let folder: string;
beforeAll(async () => {
  server = await startTestServer({ demo: true, now: nowMs });
  folder = await mkdtemp(path.join(tmpdir(), 'dental-counter-backup-'));
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const fileNamed = (name: string): string => path.join(folder, name);
const ask = async (text: string) => (await server.database.$client.query(text)).rows;

/** Returns every row of every table as text, without the values that a restore changes. */
async function everything(): Promise<Record<string, string[]>> {
  const tables = await ask(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`,
  );
  const found: Record<string, string[]> = {};
  for (const { name } of tables) {
    const rows = await ask(
      `select (to_jsonb(t) - 'xid' - 'epoch' - 'next_device' - 'table_oid')::text as row from ${name} t order by 1`,
    );
    found[name] = rows.map(({ row }) => row);
  }
  return found;
}

const appliedHashes = async () =>
  (await ask('select hash from drizzle.__drizzle_migrations order by created_at')).map(({ hash }) => hash as string);

let soundMade: Promise<string> | null = null;

/** Returns a backup that is not encrypted, for tests that damage a copy of it. */
const soundBackup = (): Promise<string> => (soundMade ??= makeSoundBackup());

async function makeSoundBackup(): Promise<string> {
  const file = fileNamed('sound');
  await takeBackup(server.connectionString, { file, passphrase: null, nowMs });
  return file;
}

const clinicFacts = async () =>
  (await ask('select epoch, next_device as "nextDevice" from clinics'))[0] as { epoch: string; nextDevice: number };

describe('a backup', () => {
  test('is refused, and leaves no file, for a database without a clinic', async () => {
    const empty = await freshDatabase();
    try {
      await expect(
        takeBackup(empty.connectionString, { file: fileNamed('nothing'), passphrase: null, nowMs }),
      ).rejects.toThrow(NothingToBackUp);
      expect(await readdir(folder)).not.toContain('nothing');
    } finally {
      await empty.drop();
    }
  });

  test('restores everything in a new epoch, and discards later writes', async () => {
    const before = await everything();
    const { epoch, nextDevice } = await clinicFacts();
    const summary = await takeBackup(server.connectionString, { file: fileNamed('plain'), passphrase: null, nowMs });
    expect(summary).toMatchObject({
      rows: Object.entries(before).reduce(
        (sum, [name, rows]) => sum + (['installation', 'home_cluster'].includes(name) ? 0 : rows.length),
        0,
      ),
    });
    expect(summary.rows).toBeGreaterThan(1000);

    await ask(`update orders set notes = 'written after the backup'`);
    await ask('delete from payments');
    const { rows: devices } = await server.database.$client.query('select max(id)::int as id from devices');
    expect(await restoreBackup(server.connectionString, { file: fileNamed('plain'), passphrase: null })).toEqual({
      takenAt: '2026-05-04T10:00:00.000Z',
      isFirst: false,
    });

    expect(await everything()).toEqual(before);
    const after = await clinicFacts();
    expect(after.epoch).not.toBe(epoch);
    expect(after.nextDevice).toBeGreaterThan(nextDevice);
    const [{ id }] = (await ask(`select nextval(pg_get_serial_sequence('devices', 'id'))::int as id`)) as [
      { id: number },
    ];
    expect(id).toBeGreaterThan(devices[0].id + 1000);
  });

  test('names the migrations by what they do, whatever their files are called', async () => {
    const renamed = await mkdtemp(path.join(tmpdir(), 'migrations-'));
    try {
      await cp(migrationsFolder, renamed, { recursive: true });
      const journalFile = path.join(renamed, 'meta/_journal.json');
      const journal = JSON.parse(await readFile(journalFile, 'utf8')) as { entries: { tag: string }[] };
      for (const entry of journal.entries) {
        const name = `${entry.tag}_by_another_name`;
        await rename(path.join(renamed, `${entry.tag}.sql`), path.join(renamed, `${name}.sql`));
        entry.tag = name;
      }
      await writeFile(journalFile, JSON.stringify(journal));
      const header = newHeader(nowMs, await appliedHashes(), {});
      const known = readMigrationFiles({ migrationsFolder: renamed });
      expect(migrationsOf(header, known)).toEqual(known);
    } finally {
      await rm(renamed, { recursive: true });
    }
  });

  test('serves the restored data from the running server, and the change feed sends every row again', async () => {
    const [{ horizon }] = (await ask('select pg_current_xact_id()::text as horizon')) as [{ horizon: string }];
    await restoreBackup(server.connectionString, { file: fileNamed('plain'), passphrase: null });
    const [{ old }] = (await ask(`select count(*)::int as old from orders where xid <= '${horizon}'::xid8`)) as [
      { old: number },
    ];
    expect(old).toBe(0);
    const token = await server.login('admin');
    const reply = await server.app.inject({
      url: '/api/orders?per_page=5',
      headers: { authorization: `Bearer ${token}` },
    });
    expect(reply.statusCode).toBe(200);
    expect(reply.json().data).toHaveLength(5);
  });

  test('leaves statistics on the restored rows', async () => {
    await restoreBackup(server.connectionString, { file: await soundBackup(), passphrase: null });
    expect(await ask(`select reltuples > 0 as known from pg_class where relname = 'orders'`)).toEqual([
      { known: true },
    ]);
  });

  test("keeps the tables' triggers: append-only rows still refuse a change", async () => {
    await expect(ask(`update audit_log set action = 'x'`)).rejects.toThrow('only grows');
    const xid = async () => BigInt((await ask('select xid::text from settings'))[0].xid);
    const before = await xid();
    await ask('update settings set data = data');
    expect(await xid()).toBeGreaterThan(before);
  });

  test('is encrypted with a passphrase, and opens only with it and only when complete', async () => {
    const sealed = fileNamed('sealed');
    await takeBackup(server.connectionString, { file: sealed, passphrase: 'correct horse', nowMs });
    expect((await readFile(sealed)).subarray(0, 21).toString()).toBe('age-encryption.org/v1');
    expect((await verifyBackup(sealed, 'correct horse')).rows).toBeGreaterThan(1000);
    await expect(verifyBackup(sealed, 'wrong horse')).rejects.toThrow('encrypted with another passphrase');
    await expect(verifyBackup(sealed, null)).rejects.toThrow('needs its passphrase');
    await truncate(sealed, 20_000);
    await expect(verifyBackup(sealed, 'correct horse')).rejects.toThrow(BackupUnreadable);
  });

  test.each([
    ['cut off', async (file: string) => truncate(file, 20_000)],
    ['changed in one byte', async (file: string) => writeFile(file, changed(await readFile(file), 20_000))],
    ['not a backup', async (file: string) => writeFile(file, 'not a backup')],
    ['empty', async (file: string) => writeFile(file, '')],
  ])('that is %s is refused before the restore changes anything', async (_, damage) => {
    const file = fileNamed('damaged');
    await copyFile(await soundBackup(), file);
    await damage(file);
    const { epoch } = await clinicFacts();
    await expect(restoreBackup(server.connectionString, { file, passphrase: null })).rejects.toThrow(BackupUnreadable);
    expect((await clinicFacts()).epoch).toBe(epoch);
  });

  test('that is not encrypted is refused where a passphrase is set', async () => {
    const file = await soundBackup();
    const { epoch } = await clinicFacts();
    await expect(restoreBackup(server.connectionString, { file, passphrase: 'correct horse' })).rejects.toThrow(
      'not encrypted, but there is a passphrase',
    );
    await expect(verifyBackup(file, 'correct horse')).rejects.toThrow(BackupUnreadable);
    expect((await clinicFacts()).epoch).toBe(epoch);
  });

  const shell = (file: string) => `copy (select 1) to program 'touch ${fileNamed(file)}'`;
  test.each<[string, (title: TableTitle) => TableTitle[], string]>([
    [
      'a command as the name of a table',
      (title) => [{ ...title, table: `rooms disable trigger user; ${shell('shell')}; --` }],
      'a table "rooms disable trigger user; copy',
    ],
    [
      'a command as the quoted name of a table',
      (title) => [{ ...title, table: `rooms"; ${shell('shell')}; --` }],
      String.raw`a table "rooms\"; copy`,
    ],
    [
      'a command as the name of a column',
      (title) => [{ ...title, columns: [`id) from stdin; ${shell('shell')}; --`, ...title.columns] }],
      'a column "id) from stdin; copy',
    ],
    ['a column that the table has not', (title) => [{ ...title, columns: [...title.columns, 'owner'] }], '"owner"'],
    ['a column twice', (title) => [{ ...title, columns: [...title.columns, 'id'] }], 'a column "id" in "rooms"'],
    ['a column less', ({ table, columns }) => [{ table, columns: columns.slice(1) }], 'lacks the column "clinic_id"'],
    ['a table that no backup has', () => [{ table: 'installation', columns: ['token_secret'] }], '"installation"'],
    ['a table of PostgreSQL', () => [{ table: 'pg_authid', columns: ['rolname'] }], '"pg_authid"'],
    ['a table twice', (title) => [title, title], 'a table "rooms"'],
    ['a table less', () => [], 'lacks the table "rooms"'],
  ])('with %s is refused before the restore changes anything', async (_, change, fault) => {
    const [sound, crafted] = [await soundBackup(), fileNamed('crafted')];
    async function* parts(): AsyncGenerator<Part> {
      for await (const part of readArchive(sound, null)) {
        if (part.type !== 'table' || part.value.table !== 'rooms') yield part;
        else for (const value of change(part.value)) yield { type: 'table', value };
      }
    }
    await writeArchive(crafted, parts(), null);
    const { epoch } = await clinicFacts();
    const refusal = await restoreBackup(server.connectionString, { file: crafted, passphrase: null }).catch(
      (error: unknown) => error,
    );
    expect(refusal).toBeInstanceOf(BackupUnreadable);
    expect((refusal as Error).message).toContain(fault);
    expect((await clinicFacts()).epoch).toBe(epoch);
    expect(await readdir(folder)).not.toContain('shell');
  });

  test('with rows before its first table, or of a table without names, is refused', async () => {
    const file = fileNamed('crafted');
    const header: Part = { type: 'header', value: newHeader(nowMs, await appliedHashes(), {}) };
    for (const part of [
      { type: 'rows', value: Buffer.from('1\n') },
      { type: 'table', value: { table: 'rooms' } },
    ]) {
      await writeArchive(file, Readable.from([header, part]) as AsyncIterable<Part>, null);
      await expect(restoreBackup(server.connectionString, { file, passphrase: null })).rejects.toThrow(
        BackupUnreadable,
      );
    }
  });

  test('has the tables and columns that the snapshot beside each migration names', async () => {
    const migrations = readMigrationFiles({ migrationsFolder });
    const empty = await freshDatabase();
    try {
      await onConnection(empty.connectionString, async (sql) => {
        await sql.query('drop schema public cascade; create schema public');
        for (const [index, migration] of migrations.entries()) {
          await applyMigrations(sql, [migration]);
          const found = (await backedUpTables(sql)).map(({ table, columns }) => [table, columns.toSorted()] as const);
          const named = [...(await tablesOfSchema(index + 1))].map(
            ([table, columns]) => [table, columns.toSorted()] as const,
          );
          expect(new Map(named), String(index)).toEqual(new Map(found));
        }
      });
    } finally {
      await empty.drop();
    }
  });

  test('is refused when empty, in whatever order its streams end', async () => {
    const file = fileNamed('nothing in it');
    await writeFile(file, '');
    for (let time = 0; time < 500; time++) await expect(verifyBackup(file, null)).rejects.toThrow(BackupUnreadable);
  });

  test.each([null, 'correct horse'])(
    'that fails while it is made leaves no file (passphrase %s)',
    async (passphrase) => {
      const file = fileNamed('broken off');
      // Nothing that compression makes small.
      const random = seededRandom(1, 'rows');
      async function* parts(): AsyncGenerator<Part> {
        yield { type: 'header', value: newHeader(nowMs, [], {}) };
        for (let chunk = 0; chunk < 50; chunk++) yield { type: 'rows', value: Buffer.from(random.bytes(10_000)) };
        throw new Error('The database went away');
      }
      await expect(writeArchive(file, parts(), passphrase)).rejects.toThrow('The database went away');
      expect((await readdir(folder)).filter((name) => name.startsWith('broken off'))).toEqual([]);
    },
  );

  test('leaves no partial file and keeps an existing one when writing fails', async () => {
    const file = fileNamed('kept');
    await writeFile(file, 'the last good one');
    const unwritable = takeBackup('postgresql://nobody@/nowhere?host=/nowhere', { file, passphrase: null, nowMs });
    await expect(unwritable).rejects.toThrow();
    await expect(
      takeBackup(server.connectionString, { file: path.join(folder, 'no such folder', 'x'), passphrase: null, nowMs }),
    ).rejects.toThrow('ENOENT');
    expect(await readFile(file, 'utf8')).toBe('the last good one');
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });
});

function changed(bytes: Buffer, at: number): Buffer {
  bytes[at] = bytes[at]! ^ 1;
  return bytes;
}
