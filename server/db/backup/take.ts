/** Takes a backup while the server runs: everything as of one moment. */
import { to as copyTo } from 'pg-copy-streams';
import { onConnection } from '../pool.ts';
import type { Sql } from '../sql.ts';
import { newHeader, readArchive, writeArchive } from './archive.ts';
import type { Part } from './archive.ts';
import { appliedMigrations, backedUpTables } from './tables.ts';

export interface BackupOptions {
  file: string;
  /** Null: anybody who has the file can read it. */
  passphrase: string | null;
  nowMs: number;
}

export interface BackupSummary {
  bytes: number;
  tables: number;
  rows: number;
}

/** Whoever is told that a backup is complete relies on it: an empty one was taken in the wrong place. */
export class NothingToBackUp extends Error {
  constructor() {
    super(
      'This database has no clinic: there is nothing to back up. Is this the DATA_DIR or the DATABASE_URL that the server has?',
    );
  }
}

/**
 * @returns what the finished file holds, counted by reading it back from the disk
 * @throws NothingToBackUp, or the error of a database that does not answer, or of a file that cannot be written
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
  yield { type: 'header', value: newHeader(nowMs, await appliedMigrations(sql)) };
  for (const title of await backedUpTables(sql)) {
    yield { type: 'table', value: title };
    const rows = sql.query(copyTo(`copy ${title.table} (${title.columns.join(', ')}) to stdout`));
    for await (const value of rows as AsyncIterable<Buffer>) yield { type: 'rows', value };
  }
}

/** COPY writes a row to a line, and a line break within a value as two other characters. */
function lineEnds(chunk: Buffer): number {
  let count = 0;
  for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) count += 1;
  return count;
}
