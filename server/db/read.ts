/**
 * Fields of JSON objects by the tables of `schema/`, for statements that read rows as JSON: names and types of columns stand
 * in the tables only. An instant is milliseconds since 1970 under its name and `Ms`.
 */
import { getTableColumns } from 'drizzle-orm';
import { toSnakeCase } from 'drizzle-orm/casing';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { instantType } from './schema/columns.ts';
import { msOf } from './sql.ts';

type Columns<T extends PgTable> = T['_']['columns'];
type ColumnName<T extends PgTable> = keyof Columns<T> & string;

/** The name of a column's field; the field of an instant says its unit. */
type FieldName<T extends PgTable, Name extends ColumnName<T>> =
  Columns<T>[Name] extends PgColumn<infer Config>
    ? Config extends { columnType: 'PgCustomColumn'; data: number }
      ? `${Name}Ms`
      : Name
    : Name;

declare const made: unique symbol;

/** SQL of the fields of a JSON object, with the type of what they make. */
export type JsonFields<Row> = string & { readonly [made]: Row };

export type RowOf<Fields extends JsonFields<unknown>> = Fields extends JsonFields<infer Row> ? Row : never;

type Made<T extends PgTable, Name extends ColumnName<T>, Renamed extends Record<string, ColumnName<T>>> = {
  [Each in Name as FieldName<T, Each>]: T['$inferSelect'][Each];
} & { [Field in keyof Renamed]: T['$inferSelect'][Renamed[Field]] };

/**
 * Returns the fields of these columns.
 *
 * @param alias the name of the table in the statement
 * @param renamed fields with another name than their column has
 */
export function jsonFields<
  T extends PgTable,
  const Name extends ColumnName<T>,
  // oxlint-disable-next-line typescript/no-generated-empty-object-type -- No field is renamed unless the caller says so.
  const Renamed extends Record<string, ColumnName<T>> = Record<never, never>,
>(table: T, alias: string, names: readonly Name[], renamed?: Renamed): JsonFields<Made<T, Name, Renamed>> {
  const columns = getTableColumns(table) as Record<string, PgColumn>;
  const value = (name: string) => {
    const column = `${alias}.${toSnakeCase(name)}`;
    return isInstant(name) ? msOf(column) : column;
  };
  const isInstant = (name: string) => columns[name]!.getSQLType() === instantType;
  const fields = [
    ...names.map((name): [string, string] => [isInstant(name) ? `${name}Ms` : name, name]),
    ...Object.entries(renamed ?? {}),
  ];
  return fields.map(([field, name]) => `'${field}', ${value(name)}`).join(', ') as JsonFields<Made<T, Name, Renamed>>;
}
