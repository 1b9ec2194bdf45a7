/** SQL text over a connection or a pool, and fragments for select lists. `insert.ts` writes rows. */
import type { ClientBase } from 'pg';

export type Sql = Pick<ClientBase, 'query'>;

/** Returns the rows of a query. The caller types them by its select list; `name` makes it a prepared statement. */
export async function rowsOf<T>(sql: Sql, name: string, text: string, values: unknown[]): Promise<T[]> {
  const { rows } = await sql.query({ name, text, values });
  return rows as T[];
}

/** Milliseconds since 1970 of an instant. */
export const msOf = (column: string): string => `(extract(epoch from ${column}) * 1000)::bigint`;

/**
 * A clinic's epoch (SYNC-16): the id of the last restore, and the timeline of the primary. A promoted standby may lack
 * data that the old primary had acknowledged, and it counts transactions anew, so to tablets it is a restored server.
 *
 * @param column the column of the restore's id
 */
export const epochOf = (column: string): string =>
  `concat(${column}, '.', substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))`;

/** An instant as ISO 8601 in UTC with milliseconds. */
export const isoText = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Thousandths as a decimal. */
export const quantityOf = (column: string): string => `(${column} / 1000.0)::float8`;

/** Minor units as a decimal. */
export const amountOf = (column: string): string => `(${column} / 100.0)::float8`;

/**
 * Normalises a text like `searchKey` of the domain, except for spaces, to compare and to sort by; independent of the
 * database's collation. For tables of few rows, which store no search key.
 */
export const keyOf = (text: string): string =>
  String.raw`lower(regexp_replace(normalize(${text}, nfd), '[\u0300-\u036f]', '', 'g')) collate "C"`;

/** A search key to sort by as people count, 2 before 10: each number in it gets 20 digits. */
export const naturally = (key: string): string =>
  String.raw`regexp_replace(regexp_replace(${key}, '(\d+)', '00000000000000000000\1', 'g'), '\d*(\d{20})', '\1', 'g') collate "C"`;

/** Escapes a text for `like`, so that its wildcards are literal. */
export const likeText = (text: string): string => text.replace(/[\\%_]/g, String.raw`\$&`);
