/** The program needs connections of its own; a pooler that lends them for one transaction mixes up what belongs to them. */
import { onConnection } from './pool.ts';
import type { Sql } from './sql.ts';

async function backendOf(sql: Sql): Promise<number> {
  const { rows } = await sql.query('select pg_backend_pid() as pid');
  return (rows as { pid: number }[])[0]!.pid;
}

/**
 * Makes sure that a connection keeps its PostgreSQL process from one transaction to the next. Otherwise notifications, locks and the
 * clinic that a connection shows would reach somebody else.
 */
export async function mustOwnConnections(connectionString: string): Promise<void> {
  await onConnection(connectionString, async (first) => {
    const own = await backendOf(first);
    await onConnection(connectionString, async (second) => {
      // While this transaction holds the process that was free, the first connection is given another.
      await second.query('begin');
      const borrowed = await backendOf(second);
      const isOwn = borrowed !== own && (await backendOf(first)) === own;
      await second.query('rollback');
      if (!isOwn)
        throw new Error(
          'DATABASE_URL leads to a pooler that gives each transaction another connection, such as PgBouncer with pool_mode = transaction. ' +
            'Set pool_mode = session for this database, or name PostgreSQL itself (docs/operating.md, "Recommendations").',
        );
    });
  });
}
