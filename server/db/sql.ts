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

/** An instant as ISO 8601 in UTC with milliseconds. */
export const isoText = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Thousandths as a decimal. */
export const quantityOf = (column: string): string => `(${column} / 1000.0)::float8`;

/** Minor units as a decimal. */
export const amountOf = (column: string): string => `(${column} / 100.0)::float8`;

/**
 * What `searchKey` of the domain makes of a text, but for its spaces: to compare and to sort by. For columns of few rows, which
 * keep no key of their own; in which collation a database was made does not matter then.
 */
export const keyOf = (text: string): string =>
  String.raw`lower(regexp_replace(normalize(${text}, nfd), '[\u0300-\u036f]', '', 'g')) collate "C"`;

/** What a person typed, for the right side of `like`: its own wildcards mean themselves. */
export const likeText = (text: string): string => text.replace(/[\\%_]/g, String.raw`\$&`);
