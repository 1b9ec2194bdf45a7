/** How far the database has come in granting ids. Rows alone do not tell: a restore leaves room above them, and rows are deleted. */
import type { Sql } from '../sql.ts';

/** The last id that the sequence of a table has granted, by the table. */
export type GrantedIds = Record<string, number>;

export interface IdSequence {
  table: string;
  column: string;
  sequence: string;
}

/** Returns the sequences of all tables, those of an older version too. */
export async function idSequences(sql: Sql): Promise<IdSequence[]> {
  const { rows } = await sql.query<IdSequence>(`
    select c.relname as "table", a.attname as "column", pg_get_serial_sequence(quote_ident(c.relname), a.attname) as sequence
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where a.attidentity <> '' and c.relnamespace = 'public'::regnamespace`);
  return rows;
}

/** Returns how far each sequence has come. A snapshot holds none of them still, so it may be further than the rows. */
export async function grantedIds(sql: Sql): Promise<GrantedIds> {
  const granted: GrantedIds = {};
  for (const { table, sequence } of await idSequences(sql)) {
    const { rows } = await sql.query<{ last: number | null }>(
      'select pg_sequence_last_value($1::regclass)::float8 as last',
      [sequence],
    );
    granted[table] = rows[0]!.last ?? 0;
  }
  return granted;
}
