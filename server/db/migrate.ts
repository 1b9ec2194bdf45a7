import { readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator';
import path from 'node:path';
import { projectRoot } from '../project-root.ts';
import { ensureClinicRole } from './clinic-role.ts';
import { onConnection } from './pool.ts';
import type { Sql } from './sql.ts';

/** The migrations of this program. */
export const migrationsFolder = path.join(projectRoot, 'server/db/migrations');

/**
 * Migrates the schema. An advisory lock lets processes that start together take turns, because drizzle's migrator takes
 * none. The migrator compares only the newest time stamp, so the applied migrations are counted afterwards: one merged
 * with an earlier time stamp than its predecessor would otherwise be skipped silently.
 *
 * @returns the number of migrations in the database before and now
 */
export async function migrate(
  connectionString: string,
  folder = migrationsFolder,
): Promise<{ before: number; applied: number }> {
  const expected = knownMigrations(folder);
  return onConnection(connectionString, async (client) => {
    await client.query(`select pg_advisory_lock(hashtextextended('dental-counter.migrations', 0))`);
    const before = (await isEmpty(client)) ? 0 : await appliedMigrations(client);
    await ensureClinicRole(client);
    await runMigrations(drizzle({ client }), { migrationsFolder: folder });
    const applied = await appliedMigrations(client);
    if (applied > expected) throw new Error('The database was migrated by a newer version of this program');
    if (applied < expected) throw new Error(`Only ${applied} of ${expected} migrations were applied`);
    return { before, applied };
  });
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
