/** Records what happened to the system, for the emails about it. */
import type { Pool } from 'pg';
import { insertEvent } from './system-events-store.ts';

/** Records the start of a version, and that it changed the database. Any number of processes may do so. */
export async function recordStart(
  pool: Pool,
  { version, migrations, atMs }: { version: string; migrations: Migrations; atMs: number },
): Promise<void> {
  await insertEvent(pool, 'version', version, atMs);
  const { before, applied } = migrations;
  // The first migrations make an empty database.
  if (before > 0 && applied > before) await insertEvent(pool, 'migration', String(applied), atMs);
}

/** The number of migrations in the database before and after a start. */
export interface Migrations {
  before: number;
  applied: number;
}

/** Records that no backup could be taken in a night, once for all attempts. */
export const recordBackupFault = (pool: Pool, night: string, atMs: number): Promise<void> =>
  insertEvent(pool, 'backup_failed', night, atMs);
