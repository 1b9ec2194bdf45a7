/**
 * Where the data are at home. Rows of the change feed carry numbers of transactions, which mean nothing in another PostgreSQL
 * cluster: after a dump, a logical copy or a copy of the database, a tablet would not be sent rows whose numbers are still to come
 * there. So the start notes where the data are, and notices when they have moved (decision 080). A promoted standby is the same
 * cluster on another timeline, which is part of every epoch (`epochOf`).
 */
import { rowsOf } from './sql.ts';
import type { Sql } from './sql.ts';

export interface Home {
  /** What `initdb` drew; null where the role may not ask for it. */
  systemIdentifier: string | null;
  databaseOid: number;
  /** A dump makes the table anew, also within one database. */
  tableOid: number;
}

/** Returns where the database is now. Everything but the identifier of the cluster is there for every role. */
async function currentHome(sql: Sql): Promise<Home> {
  const [here] = await rowsOf<Omit<Home, 'systemIdentifier'> & { mayAsk: boolean }>(
    sql,
    'home: here',
    `select oid::bigint::float8 as "databaseOid", 'home_cluster'::regclass::oid::bigint::float8 as "tableOid",
       has_function_privilege('pg_control_system()', 'execute') as "mayAsk"
     from pg_database where datname = current_database()`,
    [],
  );
  const { mayAsk, ...oids } = here!;
  return { ...oids, systemIdentifier: mayAsk ? await systemIdentifier(sql) : null };
}

async function systemIdentifier(sql: Sql): Promise<string> {
  const [found] = await rowsOf<{ id: string }>(
    sql,
    'home: cluster',
    'select system_identifier::text as id from pg_control_system()',
    [],
  );
  return found!.id;
}

/** Returns where the data were when they were last noted; null before the first note. */
async function notedHome(sql: Sql): Promise<Home | null> {
  const [noted] = await rowsOf<Home>(
    sql,
    'home: noted',
    `select system_identifier as "systemIdentifier", database_oid::float8 as "databaseOid", table_oid::float8 as "tableOid" from home_cluster`,
    [],
  );
  return noted ?? null;
}

/** Notes that the data are at home where they are. */
export async function noteHome(sql: Sql): Promise<void> {
  const { systemIdentifier: id, databaseOid, tableOid } = await currentHome(sql);
  await sql.query(
    `insert into home_cluster (system_identifier, database_oid, table_oid) values ($1, $2, $3)
     on conflict ("only") do update set system_identifier = excluded.system_identifier,
       database_oid = excluded.database_oid, table_oid = excluded.table_oid`,
    [id, databaseOid, tableOid],
  );
}

/** Returns false for data that have come from elsewhere since they were last noted, as far as the places tell. */
export async function isAtHome(sql: Sql): Promise<boolean> {
  const noted = await notedHome(sql);
  return noted !== null && isSameHome(noted, await currentHome(sql));
}

function isSameHome(one: Home, other: Home): boolean {
  const isSameCluster =
    one.systemIdentifier === null || other.systemIdentifier === null || one.systemIdentifier === other.systemIdentifier;
  return isSameCluster && one.databaseOid === other.databaseOid && one.tableOid === other.tableOid;
}

/** The tables with numbers of transactions. */
export async function feedTables(sql: Sql): Promise<string[]> {
  const found = await rowsOf<{ table: string }>(
    sql,
    'home: feed tables',
    `select quote_ident(t.relname) as "table" from pg_class t
     join pg_attribute a on a.attrelid = t.oid and a.attname = 'xid' and a.atttypid = 'xid8'::regtype
     where t.relkind = 'r' and t.relnamespace = 'public'::regnamespace order by 1`,
    [],
  );
  return found.map(({ table }) => table);
}

/** Its index leads to the receipts of one device, so all of them would be read. They came with the others. */
const withoutIndex = 'sync_ops';

/** Returns true if a row carries a number that no transaction of this cluster has had yet. Reads the end of an index per clinic. */
export async function hasRowsAhead(sql: Sql): Promise<boolean> {
  const tables = (await feedTables(sql)).filter((table) => table !== withoutIndex);
  const last = (table: string) =>
    `(select t.xid from ${table} t where t.clinic_id = c.id order by t.xid desc limit 1) >= pg_snapshot_xmax(pg_current_snapshot())`;
  const { rows } = await sql.query(
    `select coalesce(bool_or(${tables.map((table) => `coalesce(${last(table)}, false)`).join(' or ')}), false) as ahead from clinics c`,
  );
  return (rows as { ahead: boolean }[])[0]!.ahead;
}

/** Returns true for data that have to be settled before they are served. */
export const hasMoved = async (sql: Sql): Promise<boolean> => !(await isAtHome(sql)) || (await hasRowsAhead(sql));
