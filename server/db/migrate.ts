import { readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator';
import path from 'node:path';
import { Client } from 'pg';
import { projectRoot } from '../project-root.ts';

/**
 * Brings the schema up to date. Processes that start together take turns, because drizzle's migrator takes no lock; and
 * because it compares only the newest time stamp, what it applied is counted afterwards: a migration that was merged
 * with an earlier time stamp than its predecessor would otherwise be left out in silence.
 */
export async function migrate(
  connectionString: string,
  migrationsFolder = path.join(projectRoot, 'server/db/migrations'),
): Promise<void> {
  const expected = readMigrationFiles({ migrationsFolder }).length;
  const client = new Client({ connectionString });
  await client.connect();
  try {
    await client.query(`select pg_advisory_lock(hashtextextended('dental-counter.migrations', 0))`);
    await runMigrations(drizzle({ client }), { migrationsFolder });
    const { rows } = await client.query<{ applied: number }>(
      'select count(*)::int as applied from drizzle.__drizzle_migrations',
    );
    const applied = rows[0]!.applied;
    if (applied > expected) throw new Error('The database was migrated by a newer version of this program');
    if (applied < expected) throw new Error(`Only ${applied} of ${expected} migrations were applied`);
  } finally {
    // Ending the connection releases the lock.
    await client.end();
  }
}
