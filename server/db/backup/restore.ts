/**
 * Replaces all data by a backup while the server runs, in one transaction. Tablets notice the new epoch and send again
 * what the backup lacks (SYNC-16).
 */
import { readMigrationFiles } from 'drizzle-orm/migrator';
import type { MigrationMeta } from 'drizzle-orm/migrator';
import { escapeIdentifier } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { pipeline } from 'node:stream/promises';
import { migrationsFolder } from '../migrate.ts';
import { PrimaryPool } from '../pool.ts';
import type { Sql } from '../sql.ts';
import { gatherStatistics } from '../statistics.ts';
import { inTransaction } from '../transaction.ts';
import type { Header, Part } from './archive.ts';
import { carryOver, leavingData } from './carried-over.ts';
import { migrationsOf, readContents } from './contents.ts';
import { applyMigrations, forgetMigrations } from './tables.ts';

/**
 * The numbers left free above those in the backup: numbers granted after it are printed on documents and stored on
 * tablets that the restored server does not know.
 */
const unknownGrants = { devices: 100_000, codes: 1000, otherwise: 100_000 };

export interface Restored {
  /** The time of the backup in ISO 8601. */
  takenAt: string;
  /** True if there were no data before, so nobody knows what was decided since the backup. */
  isFirst: boolean;
}

/**
 * Restores a backup. The whole file is read and checked once before anything changes.
 *
 * @throws BackupUnreadable; DatabaseUnavailable
 */
export async function restoreBackup(
  connectionString: string,
  { file, passphrase }: { file: string; passphrase: string | null },
): Promise<Restored> {
  const known = readMigrationFiles({ migrationsFolder });
  await readThrough(readContents(file, passphrase, known));
  const pool = new PrimaryPool(connectionString, { max: 1 });
  try {
    return await inTransaction(pool, (sql) => putBack(sql, readContents(file, passphrase, known), known));
  } finally {
    await pool.end();
  }
}

async function readThrough(parts: AsyncGenerator<Part>): Promise<void> {
  while (!(await parts.next()).done);
}

async function putBack(sql: Sql, parts: AsyncGenerator<Part>, known: readonly MigrationMeta[]): Promise<Restored> {
  const next = async (): Promise<Part | undefined> => (await parts.next()).value as Part | undefined;
  const { value: header } = (await next()) as { value: Header };
  const made = migrationsOf(header, known);
  const carried = await leavingData(sql);
  await replaceSchema(sql, made);
  let part = await next();
  while (part?.type === 'table') {
    const table = escapeIdentifier(part.value.table);
    const columns = part.value.columns.map(escapeIdentifier).join(', ');
    // Triggers stay silent: the backup already contains their effects.
    await sql.query(`alter table ${table} disable trigger user`);
    const rows = async function* (): AsyncGenerator<Buffer> {
      for (part = await next(); part?.type === 'rows'; part = await next()) yield part.value;
    };
    await pipeline(rows, sql.query(copyFrom(`copy ${table} (${columns}) from stdin`)));
    await sql.query(`alter table ${table} enable trigger user`);
  }
  await applyMigrations(sql, known.slice(made.length));
  await carryOver(sql, carried);
  await leaveRoom(sql);
  await askTheAgency(sql, header.takenAt);
  await gatherStatistics(sql);
  return { takenAt: header.takenAt, isFirst: carried.people === '[]' };
}

/**
 * Recreates the schema of the backup, empty. The row of the installation stays: its secret signs the tokens of running
 * servers.
 */
async function replaceSchema(sql: Sql, migrations: readonly MigrationMeta[]): Promise<void> {
  const { rows: own } = await sql.query<{ token_secret: string }>('select token_secret from installation');
  await sql.query('drop schema public cascade');
  await sql.query('create schema public');
  await forgetMigrations(sql);
  await applyMigrations(sql, migrations);
  for (const { token_secret } of own)
    await sql.query('insert into installation (token_secret) values ($1)', [token_secret]);
}

/**
 * Makes the sender ask the tax agency what it has of the months since the backup, and of those whose records the backup has
 * as unsent (`fiscal/inquiry.ts`).
 */
async function askTheAgency(sql: Sql, takenAt: string): Promise<void> {
  await sql.query(
    `insert into fiscal_inquiries (tax_id, month, next_at)
     select t.tax_id, m.month, $1::timestamptz from (
       select distinct data ->> 'tax_id' as tax_id from settings where data ->> 'tax_profile' = 'ES' and data ->> 'verifactu_since' <> '') t
     join lateral (
       select to_char(g, 'YYYY-MM') as month from generate_series(date_trunc('month', $1::timestamptz at time zone 'Europe/Madrid'),
         greatest($1::timestamptz, $2::timestamptz) at time zone 'Europe/Madrid', interval '1 month') g
       union select substr(r.record -> 'fields' ->> 'issued_on', 7, 4) || '-' || substr(r.record -> 'fields' ->> 'issued_on', 4, 2)
         from fiscal_sendings s join fiscal_records r on r.clinic_id = s.clinic_id and r.id = s.record_id
         where s.state = 'unsent' and s.tax_id = t.tax_id) m on true
     on conflict (tax_id, month) do update set after_number = null, after_issued_on = null, failures = 0, next_at = excluded.next_at`,
    [takenAt, new Date()],
  );
}

/**
 * Gives every clinic a new epoch and raises counters above every number that may have been granted since the backup.
 */
async function leaveRoom(sql: Sql): Promise<void> {
  const { rows } = await sql.query<{ table: string; column: string; sequence: string }>(`
    select c.relname as "table", a.attname as "column", pg_get_serial_sequence(quote_ident(c.relname), a.attname) as sequence
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where a.attidentity <> '' and c.relnamespace = 'public'::regnamespace`);
  for (const { table, column, sequence } of rows) {
    const room = table === 'devices' ? unknownGrants.devices : unknownGrants.otherwise;
    await sql.query(`select setval($1, (select coalesce(max(${column}), 0) from ${table}) + $2)`, [sequence, room]);
  }
  await sql.query('update clinics set epoch = gen_random_uuid(), next_device = next_device + $1', [
    unknownGrants.codes,
  ]);
  // The server has numbered documents since the backup, and the other copy of the data may still do.
  await sql.query(`insert into forgotten_prefixes (tax_id, prefix)
    select tax_id, prefix from taxpayer_codes where prefix is not null on conflict do nothing`);
  await sql.query('update taxpayer_codes set granted = granted + $1, prefix = null', [unknownGrants.codes]);
  await sql.query(`update device_codes set retired_at = now() where tax_id is not null and code like '%0'`);
}
