import type { Sql } from './sql.ts';

/**
 * Gathers statistics on the tables that have rows, after many were written at once. PostgreSQL does so by itself a minute
 * later, and until then it may check a foreign key by reading all rows of a clinic. Empty tables are left out: PostgreSQL
 * would plan for empty ones.
 */
export async function gatherStatistics(sql: Sql): Promise<void> {
  const { rows } = await sql.query<{ table: string }>(`
    select quote_ident(relname) as "table" from pg_class
    where relkind = 'r' and relnamespace = 'public'::regnamespace and pg_relation_size(oid) > 0`);
  await sql.query(`analyze ${rows.map(({ table }) => table).join(', ')}`);
}
