/**
 * Inserts by the tables of `schema/`: the names and types of columns, and the key, stand there only. Rows travel as one JSON
 * document under a prepared statement. An instant is milliseconds since 1970.
 */
import { getTableColumns } from 'drizzle-orm';
import { toSnakeCase } from 'drizzle-orm/casing';
import { getTableConfig } from 'drizzle-orm/pg-core';
import type { PgTable } from 'drizzle-orm/pg-core';
import { instantType } from './schema/columns.ts';
import type { Sql } from './sql.ts';

/** A trigger writes it. */
type OwnColumn = 'xid';
type InsertColumn<T extends PgTable> = Exclude<keyof T['$inferInsert'], OwnColumn> & string;

/** A row that states every column of a table except those that are left to their defaults. */
export type InsertRow<T extends PgTable, Left extends InsertColumn<T> = never> = {
  [Column in Exclude<InsertColumn<T>, Left>]-?: Exclude<T['$inferInsert'][Column], undefined>;
};

export type Insert<Row> = (sql: Sql, rows: readonly Row[]) => Promise<void>;

interface InsertOptions<T extends PgTable, Left> {
  /** The columns that keep their defaults. */
  leaves?: readonly Left[];
  /** What becomes of a row whose key exists: by default the statement fails. */
  existing?: 'stays' | { update: readonly InsertColumn<T>[] };
}

/** Returns the insert of sets of rows into a table. Identities and `xid` are the database's. */
export function insertInto<T extends PgTable, const Left extends InsertColumn<T> = never>(
  table: T,
  { leaves = [], existing }: InsertOptions<T, Left> = {},
): Insert<InsertRow<T, Left>> {
  const { name, primaryKeys } = getTableConfig(table);
  const left: readonly string[] = [...leaves, 'xid'];
  const stated = Object.entries(getTableColumns(table)).filter(
    ([key, column]) => column.generatedIdentity === undefined && !left.includes(key),
  );
  const list = stated.map(([key]) => toSnakeCase(key)).join(', ');
  const values = stated.map(([key]) => `"${key}"`).join(', ');
  const record = stated.map(([key, column]) => `"${key}" ${column.getSQLType()}`).join(', ');
  // PostgreSQL reads an instant from text, so that it refuses what is none.
  const instants = stated.filter(([, column]) => column.getSQLType() === instantType);
  const key = primaryKeys[0]?.columns.map((column) => toSnakeCase(column.name)).join(', ');
  const statement = {
    name: `insert ${name}${existing === undefined ? '' : existing === 'stays' ? ' if absent' : ' or update'}`,
    text: `insert into ${name} (${list}) select ${values} from json_to_recordset($1::json) as r(${record})
      ${conflict(existing, key)}`,
  };
  const sent = (row: Record<string, unknown>) => {
    const copy = { ...row };
    for (const [at, column] of instants) if (copy[at] !== null) copy[at] = column.mapToDriverValue(copy[at]);
    return copy;
  };
  return async (sql, rows) => {
    if (rows.length > 0) await sql.query({ ...statement, values: [JSON.stringify(rows.map(sent))] });
  };
}

function conflict(existing: 'stays' | { update: readonly string[] } | undefined, key: string | undefined): string {
  if (existing === undefined) return '';
  if (existing === 'stays') return 'on conflict do nothing';
  const updates = existing.update.map(toSnakeCase).map((column) => `${column} = excluded.${column}`);
  return `on conflict (${key}) do update set ${updates.join(', ')}`;
}
