import { join } from 'node:path';
import { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import { clinicRole } from '#server/db/clinic-role.ts';
import { databaseName, programRole, superuser } from '#server/db/embedded/roles.ts';
import { migrate } from '#server/db/migrate.ts';
import { asSuperuser } from '#tests/support/superuser.ts';
import { copiedCluster, query, start } from './scratch.ts';

describe('embedded PostgreSQL: the role of the program', () => {
  test('owns its database, and has no right beyond it but to become the one of a clinic', async () => {
    const { connectionString } = await start(await copiedCluster());
    const [role] = await query(
      connectionString,
      `select rolname, rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls,
         (select pg_get_userbyid(datdba) from pg_database where datname = current_database()) as owner,
         (select array_agg(roleid::regrole::text) from pg_auth_members where member = r.oid) as memberships
       from pg_roles r where rolname = current_user`,
    );
    expect(role).toEqual({
      rolname: programRole,
      rolsuper: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolreplication: false,
      rolbypassrls: false,
      owner: programRole,
      // It owns nothing and sees one clinic.
      memberships: [clinicRole],
    });
  });

  test('migrates the database, but neither runs programs nor reads or writes files, nor becomes the superuser', async () => {
    const folder = await copiedCluster();
    const { connectionString } = await start(folder);
    await migrate(connectionString);
    for (const attempt of [
      `copy (select 1) to program 'true'`,
      `copy installation from program 'id'`,
      `copy (select 1) to '${join(folder, 'written')}'`,
      `copy installation from '/etc/passwd'`,
      `select pg_read_file('/etc/passwd')`,
      `select lo_import('/etc/passwd')`,
      `alter system set archive_command = 'true'`,
      `set role ${superuser}`,
      `set session authorization ${superuser}`,
      `alter role ${programRole} superuser`,
      `create language plpython3u`,
    ])
      await expect(query(connectionString, attempt), attempt).rejects.toThrow(/permission denied|must be superuser/);
  });

  test('receives the database of an earlier version, in which everything belongs to the superuser', async () => {
    const dataDir = await copiedCluster();
    const first = await start(dataDir);
    await asSuperuser(first.connectionString.replace(`@/${databaseName}`, '@/postgres'), async (client) => {
      await client.query(`drop database ${databaseName}`);
      await client.query(`drop role ${programRole}`);
      await client.query(`create database ${databaseName}`);
    });
    await asSuperuser(first.connectionString, async (client: Client) => {
      // A restore by an earlier version also left the schema to the superuser.
      await client.query('drop schema public; create schema public');
    });
    await migrate(first.connectionString.replace(`//${programRole}@`, `//${superuser}@`));
    await first.stop();

    const { connectionString } = await start(dataDir);
    const [left] = await query(
      connectionString,
      `select (select count(*)::int from pg_class where relowner = '${superuser}'::regrole and relnamespace = 'public'::regnamespace) as tables,
         (select count(*)::int from pg_proc where proowner = '${superuser}'::regrole and pronamespace = 'public'::regnamespace) as functions,
         (select count(*)::int from pg_namespace where nspowner = '${superuser}'::regrole and nspname in ('public', 'drizzle')) as schemas`,
    );
    expect(left).toEqual({ tables: 0, functions: 0, schemas: 0 });
    await query(connectionString, 'drop schema public cascade');
    await query(connectionString, 'drop schema drizzle cascade');
  });
});
