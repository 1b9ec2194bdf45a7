/**
 * Plain SQL over one connection, for the paths where a batch is read and written as sets. Values travel as one JSON
 * document and PostgreSQL takes them apart by the table's own column types.
 */
import type { ClientBase } from 'pg';

export type Sql = Pick<ClientBase, 'query'>;

type Row = Record<string, unknown>;

/** Inserts rows whose keys are column names; columns that no row names keep their defaults. */
export async function insertRows(
  sql: Sql,
  table: string,
  columns: readonly string[],
  rows: readonly Row[],
  suffix = '',
): Promise<void> {
  if (rows.length === 0) return;
  const list = columns.join(', ');
  await sql.query({
    name: `insert ${table} ${suffix}`.slice(0, 60),
    text: `insert into ${table} (${list}) select ${list} from json_populate_recordset(null::${table}, $1::json) ${suffix}`,
    values: [JSON.stringify(rows)],
  });
}

/** The rows of a query, typed by the caller who wrote its select list. */
export async function rowsOf<T>(sql: Sql, name: string, text: string, values: unknown[]): Promise<T[]> {
  const { rows } = await sql.query({ name, text, values });
  return rows as T[];
}

/** An instant's milliseconds since 1970, as SQL. */
export const msOf = (column: string): string => `(extract(epoch from ${column}) * 1000)::bigint`;

/**
 * A clinic's epoch, as SQL (SYNC-16): the restore that its data stems from, and the timeline of the primary that serves it. A
 * standby that was promoted may lack what the old primary had shown or even acknowledged, and counts transactions anew from
 * where it stood; so to tablets it is a restored server.
 *
 * @param column where the restore's id stands
 */
export const epochOf = (column: string): string =>
  `concat(${column}, '.', substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))`;

export const isoOf = (ms: number): string => new Date(ms).toISOString();
