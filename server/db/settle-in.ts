/** Makes data that came from another cluster, or by a copy, as good as restored ones: tablets start over and send again (SYNC-16). */
import type { MigrationMeta } from 'drizzle-orm/migrator';
import { leaveRoom } from './backup/leave-room.ts';
import { feedTables, noteHome } from './home-cluster.ts';
import type { Sql } from './sql.ts';
import { gatherStatistics } from './statistics.ts';

/**
 * Settles the data in, within the caller's transaction. A dump may be older than what tablets have seen, so everything that a
 * restore leaves room for is left room for here.
 */
export async function settleIn(sql: Sql, known: readonly MigrationMeta[]): Promise<void> {
  for (const { sql: statements } of known)
    for (const statement of statements) if (isRight(statement)) await sql.query(statement);
  // One pass over each table and its indexes, which fires no trigger and leaves no dead rows.
  for (const table of await feedTables(sql))
    await sql.query(`alter table ${table} alter column xid type xid8 using pg_current_xact_id()`);
  const { rows } = await sql.query(
    `select coalesce((select received_at from sync_ops order by received_at desc limit 1), now())::text as newest`,
  );
  const [{ newest }] = rows as [{ newest: string }];
  await leaveRoom(sql, newest);
  await gatherStatistics(sql);
  await noteHome(sql);
}

/** A dump lacks the rights of a role that is not there when it is put back, or of every role. */
const isRight = (statement: string): boolean =>
  /^(GRANT|REVOKE|ALTER DEFAULT PRIVILEGES)\b/i.test(statement.replaceAll(/^[ \t]*--.*$/gm, '').trim());
