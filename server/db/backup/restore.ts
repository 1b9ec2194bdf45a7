/**
 * Replaces all data by a backup while the server runs, in one transaction. Tablets notice the new epoch and send again
 * what the backup lacks (SYNC-16).
 */
import { readMigrationFiles } from 'drizzle-orm/migrator';
import type { MigrationMeta } from 'drizzle-orm/migrator';
import { escapeIdentifier } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { pipeline } from 'node:stream/promises';
import { noteHome } from '../home-cluster.ts';
import { migrationsFolder } from '../migrate.ts';
import { PrimaryPool } from '../pool.ts';
import type { Sql } from '../sql.ts';
import { gatherStatistics } from '../statistics.ts';
import { inTransaction } from '../transaction.ts';
import type { Header, Part } from './archive.ts';
import { carryOver, leavingData } from './carried-over.ts';
import { migrationsOf, readContents } from './contents.ts';
import { leaveRoom } from './leave-room.ts';
import { applyMigrations, forgetMigrations } from './tables.ts';

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
  await leaveRoom(sql, header.takenAt, header.grantedIds, carried.ids);
  await gatherStatistics(sql);
  await noteHome(sql);
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
