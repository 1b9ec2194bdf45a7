import { readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator';
import path from 'node:path';
import { projectRoot } from '../project-root.ts';
import { ensureClinicRole } from './clinic-role.ts';
import { hasMoved, noteHome } from './home-cluster.ts';
import { onConnection } from './pool.ts';
import { settleIn } from './settle-in.ts';
import type { Sql } from './sql.ts';

/** The migrations of this program. */
export const migrationsFolder = path.join(projectRoot, 'server/db/migrations');

export interface Migrated {
  /** The number of migrations in the database before and now. */
  before: number;
  applied: number;
  /** True if the data came from another cluster or by a copy, and have been settled in. */
  moved: boolean;
}

/** What an operator is told of data that have moved. */
export const movedNotice =
  'The data came from another PostgreSQL cluster, or by a copy. Their transactions have been numbered anew; tablets read everything again and send what they kept (docs/operating.md, "Moving the database").';

/**
 * Migrates the schema. An advisory lock lets processes that start together take turns, because drizzle's migrator takes
 * none. The migrator compares only the newest time stamp, so the applied migrations are counted afterwards: one merged
 * with an earlier time stamp than its predecessor would otherwise be skipped silently. Data that have come from elsewhere are
 * settled in.
 */
export async function migrate(connectionString: string, folder = migrationsFolder): Promise<Migrated> {
  const known = readMigrationFiles({ migrationsFolder: folder });
  const expected = known.length;
  return onConnection(connectionString, async (client) => {
    await client.query(`select pg_advisory_lock(hashtextextended('dental-counter.migrations', 0))`);
    const before = (await isEmpty(client)) ? 0 : await appliedMigrations(client);
    await ensureClinicRole(client);
    // A logical copy brings the rows of a table and not the place of its sequence.
    if (before > 0)
      await client.query(`select setval(pg_get_serial_sequence('drizzle.__drizzle_migrations', 'id'), max(id))
        from drizzle.__drizzle_migrations`);
    await runMigrations(drizzle({ client }), { migrationsFolder: folder });
    const applied = await appliedMigrations(client);
    if (applied > expected) throw new Error('The database was migrated by a newer version of this program');
    if (applied < expected) throw new Error(`Only ${applied} of ${expected} migrations were applied`);
    const moved = before > 0 && (await hasMoved(client));
    if (moved) await withinTransaction(client, () => settleIn(client, known));
    else if (before === 0) await noteHome(client);
    return { before, applied, moved };
  });
}

async function withinTransaction(sql: Sql, work: () => Promise<void>): Promise<void> {
  await sql.query('begin');
  await work();
  // If it fails, the connection closes, which rolls back.
  await sql.query('commit');
}

/** True for a database that was never migrated. */
async function isEmpty(sql: Sql): Promise<boolean> {
  const { rows } = await sql.query(`select to_regclass('drizzle.__drizzle_migrations') is null as empty`);
  return (rows as { empty: boolean }[])[0]!.empty;
}

/** Returns the number of migrations that this program knows. */
export const knownMigrations = (folder = migrationsFolder): number =>
  readMigrationFiles({ migrationsFolder: folder }).length;

/** Returns the number of migrations that the database has applied. */
export async function appliedMigrations(sql: Sql): Promise<number> {
  const { rows } = await sql.query('select count(*)::int as applied from drizzle.__drizzle_migrations');
  return (rows as { applied: number }[])[0]!.applied;
}
