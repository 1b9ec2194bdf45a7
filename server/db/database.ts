import { drizzle } from 'drizzle-orm/node-postgres';
import type { NodePgDatabase, NodePgQueryResultHKT } from 'drizzle-orm/node-postgres';
import type { PgDatabase } from 'drizzle-orm/pg-core';
import type { Pool, PoolClient } from 'pg';
import { PrimaryPool } from './pool.ts';
import type { Sql } from './sql.ts';

export type Database = NodePgDatabase & { $client: Pool & Pick<PrimaryPool, 'disconnect' | 'within'> };
/** The query builder on the pool or on a connection. */
export type Executor = PgDatabase<NodePgQueryResultHKT>;

/** Maps camelCase names of the schema to snake_case columns. */
const casing = 'snake_case';

/** No statement takes this long. A server silent for longer is treated as lost, even if the connection stays open. */
const silenceMs = 60_000;

/** How long an unused connection stays open. */
const idleMs = 10 * 60_000;

/** Opens a connection pool. Close it with `database.$client.end()`. */
export function openDatabase(connectionString: string, options: { onLost?: (error: Error) => void } = {}): Database {
  const client = new PrimaryPool(connectionString, {
    max: 12,
    query_timeout: silenceMs,
    // A transaction sends what does not depend on a result without waiting, so it takes fewer round trips.
    pipeline: true,
    // A new connection has nothing prepared: its first sales take several times as long.
    idleTimeoutMillis: idleMs,
  });
  // Idle connections break when PostgreSQL restarts; the pool opens another when needed.
  client.on('error', (error) => options.onLost?.(error));
  return drizzle({ client, casing });
}

/** Returns connections that see only the rows of a clinic, whatever a query forgets. The id comes from the session. */
export const withinClinic = ({ $client }: Database, clinicId: number): Pool => $client.within(clinicId);

/**
 * Returns connections that see all clinics: for what belongs to none, for sign-ins, which name none, and for jobs that go
 * from clinic to clinic. A test lists who uses them.
 */
export const acrossClinics = ({ $client }: Database): Database['$client'] => $client;

/**
 * Returns the query builder for a connection. Only seeds and tests use it; see "Modules and queries" in
 * docs/architecture.md.
 */
export function queriesOver(sql: Sql): Executor {
  return drizzle({ client: sql as PoolClient, casing });
}

/** Resolves to true when the database answers. */
export async function isReachable(sql: Sql): Promise<true> {
  await sql.query('select 1');
  return true;
}
