/**
 * The roles of the embedded PostgreSQL. The program works as a role that owns its database and nothing else, so no
 * statement of it, wherever it came from, can run a program, read a file of the machine or change a role. For requests it
 * changes to a role that sees one clinic (`clinic-role.ts`). The superuser claims the data folder and creates roles and
 * database; nothing else uses it.
 */
import { Client } from 'pg';
import { clinicRole, createClinicRole } from '../clinic-role.ts';

/** The superuser of a new cluster. */
export const superuser = 'dental';
/** The owner of the database. */
export const programRole = 'dental_counter';
export const databaseName = 'dental_counter';

/**
 * Creates role and database if they do not exist. The database of an earlier version, which belongs to the superuser,
 * goes to the role.
 *
 * @param client a connection of the superuser to another database
 */
export async function ensureDatabase(client: Client, socketFolder: string): Promise<void> {
  const role = await client.query('select from pg_roles where rolname = $1', [programRole]);
  if (role.rowCount === 0) {
    const rights = 'login nosuperuser nocreatedb nocreaterole noreplication nobypassrls';
    await client.query(`create role ${programRole} ${rights}`);
  }
  await createClinicRole(client);
  await client.query(`grant ${clinicRole} to ${programRole}`);
  const { rows } = await client.query<{ owner: string }>(
    'select pg_get_userbyid(datdba) as owner from pg_database where datname = $1',
    [databaseName],
  );
  if (rows.length === 0) await client.query(`create database ${databaseName} owner ${programRole}`);
  else if (rows[0]!.owner !== programRole) await handOver(socketFolder);
}

/**
 * Gives everything in the database to the role, in one transaction. `REASSIGN OWNED` refuses, because the superuser
 * also owns what PostgreSQL itself needs.
 */
async function handOver(host: string): Promise<void> {
  const client = new Client({ host, user: superuser, database: databaseName });
  // A lost connection also fails the statement; without a listener its error would end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query<{ statement: string }>(`
      select format('alter schema %I owner to ${programRole}', nspname) as statement
      from pg_namespace where nspowner = current_user::regrole and ${isOurs('oid')}
      union all
      select format('alter table %s owner to ${programRole}', oid::regclass)
      from pg_class where relowner = current_user::regrole and relkind in ('r', 'p', 'v', 'm') and ${isOurs('relnamespace')}
      union all
      select format('alter routine %s owner to ${programRole}', oid::regprocedure)
      from pg_proc where proowner = current_user::regrole and ${isOurs('pronamespace')}`);
    for (const { statement } of rows) await client.query(statement);
    await client.query(`alter database ${databaseName} owner to ${programRole}`);
    await client.query('commit');
  } finally {
    await client.end();
  }
}

/** The condition that a schema is none of PostgreSQL's own. */
const isOurs = (schema: string): string =>
  `${schema} not in (select oid from pg_namespace where nspname like 'pg\\_%' or nspname = 'information_schema')`;
