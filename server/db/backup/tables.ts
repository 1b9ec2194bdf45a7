/** The tables in a backup, and the migrations that made them. */
import type { MigrationMeta } from 'drizzle-orm/migrator';
import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { migrationsFolder } from '../migrate.ts';
import type { Sql } from '../sql.ts';
import type { TableTitle } from './archive.ts';

/** The installation signs tokens of running servers, the home is where the data are, and guesses at passwords end with the day. */
const leftOut = ['installation', 'home_cluster', 'guesses'];
/** The transaction that wrote a row: to the change feed, a restored row is new. */
const feedColumn = 'xid';

interface Found extends TableTitle {
  /** The tables that this one's foreign keys refer to. */
  needs: string[];
}

/**
 * Returns the tables of the database, each after the tables that it refers to, so that rows can be restored in this
 * order with foreign keys in place.
 */
export async function backedUpTables(sql: Sql): Promise<TableTitle[]> {
  const { rows } = await sql.query<Found>(
    `select t.relname as "table",
      (select json_agg(a.attname order by a.attnum) from pg_attribute a
        where a.attrelid = t.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' and a.attname <> $2) as columns,
      (select coalesce(json_agg(distinct r.relname), '[]') from pg_constraint f join pg_class r on r.oid = f.confrelid
        where f.conrelid = t.oid and f.contype = 'f' and f.confrelid <> t.oid) as needs
    from pg_class t where t.relnamespace = 'public'::regnamespace and t.relkind = 'r' and t.relname <> all($1)
    order by 1`,
    [leftOut, feedColumn],
  );
  const ordered: Found[] = [];
  while (ordered.length < rows.length) {
    const placed = new Set(ordered.map(({ table }) => table));
    const next = rows.filter(({ table, needs }) => !placed.has(table) && needs.every((need) => placed.has(need)));
    if (next.length === 0) throw new Error('Foreign keys form a cycle between the tables.');
    ordered.push(...next);
  }
  return ordered.map(({ table, columns }) => ({ table, columns }));
}

/** The part of drizzle's snapshots that is read here. */
interface Snapshot {
  tables: Record<string, { name: string; columns: Record<string, { name: string; generated?: unknown }> }>;
}

const snapshots = path.join(migrationsFolder, 'meta');

/**
 * Returns the columns of each table in a backup whose schema the first `count` migrations made, by the table's name. A
 * migration that leaves the tables alone has no snapshot.
 */
export async function tablesOfSchema(count: number): Promise<Map<string, readonly string[]>> {
  const names = (await readdir(snapshots)).filter((name) => name.endsWith('_snapshot.json')).sort();
  const newest = names.findLast((name) => Number.parseInt(name, 10) < count)!;
  const { tables } = JSON.parse(await readFile(path.join(snapshots, newest), 'utf8')) as Snapshot;
  return new Map(
    Object.values(tables)
      .filter(({ name }) => !leftOut.includes(name))
      .map(({ name, columns }) => [
        name,
        Object.values(columns).flatMap((column) => (column.generated || column.name === feedColumn ? [] : column.name)),
      ]),
  );
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
