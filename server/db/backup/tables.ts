/** The tables in a backup, and the migrations that made them. */
import type { MigrationMeta } from 'drizzle-orm/migrator';
import type { Sql } from '../sql.ts';
import type { TableTitle } from './archive.ts';

interface Found extends TableTitle {
  /** The tables that this one's foreign keys refer to. */
  needs: string[];
}

/**
 * Returns every table except the installation's, each after the tables that it refers to, so that rows can be restored
 * in this order with foreign keys in place. Without `xid`: to the change feed a restored row is new.
 */
export async function backedUpTables(sql: Sql): Promise<TableTitle[]> {
  const { rows } = await sql.query<Found>(`
    select t.relname as "table",
      (select json_agg(quote_ident(a.attname) order by a.attnum) from pg_attribute a
        where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.attname <> 'xid') as columns,
      (select coalesce(json_agg(distinct f.confrelid::regclass::text), '[]') from pg_constraint f
        where f.conrelid = t.oid and f.contype = 'f' and f.confrelid <> t.oid) as needs
    from pg_class t where t.relnamespace = 'public'::regnamespace and t.relkind = 'r' and t.relname not in ('installation', 'guesses')
    order by 1`);
  const ordered: Found[] = [];
  while (ordered.length < rows.length) {
    const placed = new Set(ordered.map(({ table }) => table));
    const next = rows.filter(({ table, needs }) => !placed.has(table) && needs.every((need) => placed.has(need)));
    if (next.length === 0) throw new Error('Foreign keys form a cycle between the tables.');
    ordered.push(...next);
  }
  return ordered.map(({ table, columns }) => ({ table, columns }));
}

const migrationTable = 'drizzle.__drizzle_migrations';

export async function appliedMigrations(sql: Sql): Promise<string[]> {
  const { rows } = await sql.query<{ hash: string }>(`select hash from ${migrationTable} order by created_at`);
  return rows.map(({ hash }) => hash);
}

/** Applies migrations within the caller's transaction, which drizzle's migrator cannot. */
export async function applyMigrations(sql: Sql, migrations: readonly MigrationMeta[]): Promise<void> {
  for (const { sql: statements, hash, folderMillis } of migrations) {
    for (const statement of statements) await sql.query(statement);
    await sql.query(`insert into ${migrationTable} (hash, created_at) values ($1, $2)`, [hash, folderMillis]);
  }
}

/** Deletes the record of applied migrations; the backup restores its own. */
export async function forgetMigrations(sql: Sql): Promise<void> {
  await sql.query(`delete from ${migrationTable}`);
}
