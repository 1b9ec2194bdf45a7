/** Takes a backup of one snapshot while the server runs. */
import { escapeIdentifier } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { onConnection } from '../pool.ts';
import type { Sql } from '../sql.ts';
import { newHeader, readArchive, writeArchive } from './archive.ts';
import type { Part } from './archive.ts';
import { grantedIds } from './granted-ids.ts';
import { appliedMigrations, backedUpTables } from './tables.ts';

export interface BackupOptions {
  file: string;
  /** Null leaves the file unencrypted. */
  passphrase: string | null;
  nowMs: number;
}

export interface BackupSummary {
  bytes: number;
  tables: number;
  rows: number;
}

/** A database without a clinic is not backed up: it is the wrong one. */
export class NothingToBackUp extends Error {
  constructor() {
    super(
      'This database has no clinic: there is nothing to back up. Is this the DATA_DIR or the DATABASE_URL that the server has?',
    );
  }
}

/**
 * Takes a backup and verifies it by reading the file back from disk.
 *
 * @returns the counts of tables and rows read back
 * @throws NothingToBackUp, or an error of the database or the file system
 */
export async function takeBackup(
  connectionString: string,
  { file, passphrase, nowMs }: BackupOptions,
): Promise<BackupSummary> {
  const bytes = await onConnection(connectionString, async (client) => {
    await client.query('begin isolation level repeatable read, read only');
    if ((await client.query('select from clinics limit 1')).rowCount === 0) throw new NothingToBackUp();
    return writeArchive(file, everything(client, nowMs), passphrase);
  });
  return { bytes, ...(await verifyBackup(file, passphrase)) };
}

/**
 * Reads a backup to its end.
 *
 * @throws BackupUnreadable
 */
export async function verifyBackup(file: string, passphrase: string | null): Promise<Omit<BackupSummary, 'bytes'>> {
  const found = { tables: 0, rows: 0 };
  for await (const { type, value } of readArchive(file, passphrase)) {
    if (type === 'table') found.tables += 1;
    if (type === 'rows') found.rows += lineEnds(value);
  }
  return found;
}

async function* everything(sql: Sql, nowMs: number): AsyncGenerator<Part> {
  yield { type: 'header', value: newHeader(nowMs, await appliedMigrations(sql), await grantedIds(sql)) };
  for (const title of await backedUpTables(sql)) {
    yield { type: 'table', value: title };
    const columns = title.columns.map(escapeIdentifier).join(', ');
    const rows = sql.query(copyTo(`copy ${escapeIdentifier(title.table)} (${columns}) to stdout`));
    for await (const value of rows as AsyncIterable<Buffer>) yield { type: 'rows', value };
  }
}

/** COPY writes one row per line and escapes line breaks within values. */
function lineEnds(chunk: Buffer): number {
  let count = 0;
  for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) count += 1;
  return count;
}
