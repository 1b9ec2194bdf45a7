import { drizzle } from 'drizzle-orm/node-postgres';
import type { NodePgDatabase, NodePgQueryResultHKT } from 'drizzle-orm/node-postgres';
import type { PgDatabase } from 'drizzle-orm/pg-core';
import type { Pool, PoolClient } from 'pg';
import { PrimaryPool } from './pool.ts';
import type { Sql } from './sql.ts';

export type Database = NodePgDatabase & { $client: Pool };
/** Where a query runs: the pool, or one connection within a transaction. */
export type Executor = PgDatabase<NodePgQueryResultHKT>;

/** The schema names its columns as the program does; the database has them with underscores. */
const casing = 'snake_case';

/** No statement of ours takes so long; a server that is silent for it is taken for gone, though its machine keeps the connection. */
const silenceMs = 60_000;

/** Close it with `database.$client.end()`. */
export function openDatabase(connectionString: string, options: { onLost?: (error: Error) => void } = {}): Database {
  const client = new PrimaryPool(connectionString, { max: 10, query_timeout: silenceMs });
  // An idle connection may break when PostgreSQL restarts; the pool opens another when one is needed.
  client.on('error', (error) => options.onLost?.(error));
  return drizzle({ client, casing });
}

/** The query builder over the connection that `inTransaction` gave out. */
export function queriesOver(sql: Sql): Executor {
  return drizzle({ client: sql as PoolClient, casing });
}

/** Resolves to true when the database answers. */
export async function isReachable(sql: Sql): Promise<true> {
  await sql.query('select 1');
  return true;
}
