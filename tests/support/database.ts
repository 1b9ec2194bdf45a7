import type { Client } from 'pg';
import { inject } from 'vitest';
import { programRole } from '#server/db/embedded/roles.ts';
import { migrate } from '#server/db/migrate.ts';
import { asSuperuser } from './superuser.ts';
import { unique } from './unique.ts';

const template = 'migrated';

export interface FreshDatabase {
  connectionString: string;
  drop: () => Promise<void>;
}

/** Creates a migrated database for one test. It copies a template that is migrated once per run. */
export async function freshDatabase(): Promise<FreshDatabase> {
  const name = unique(`test_${process.pid}`).replace('-', '_');
  await asSuperuser(inject('postgres'), async (client) => {
    await ensureTemplate(client);
    // A copy of the files takes 20 ms. By default PostgreSQL writes each page into its log too, which takes ten times as long.
    await client.query(`create database ${name} template ${template} strategy file_copy owner ${programRole}`);
  });
  return {
    connectionString: connectionStringOf(name),
    drop: () =>
      asSuperuser(
        inject('postgres'),
        async (client) => void (await client.query(`drop database ${name} with (force)`)),
      ),
  };
}

/** Migrates an existing database. The caller drops it, so `drop` does nothing. */
export async function migratedDatabase(connectionString: string): Promise<FreshDatabase> {
  await migrate(connectionString);
  return { connectionString, drop: () => Promise.resolve() };
}

/** Creates the template in the first of the test's worker processes; the others wait for the lock. */
async function ensureTemplate(client: Client): Promise<void> {
  if (await exists(client, template)) return;
  await client.query('select pg_advisory_lock(1)');
  try {
    if (await exists(client, template)) return;
    await client.query('drop database if exists migrating');
    await client.query(`create database migrating owner ${programRole}`);
    await migrate(connectionStringOf('migrating'));
    // The final name marks the template as complete, so an attempt that failed halfway is made again.
    await client.query(`alter database migrating rename to ${template}`);
  } finally {
    await client.query('select pg_advisory_unlock(1)');
  }
}

async function exists(client: Client, name: string): Promise<boolean> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
  return rowCount === 1;
}

function connectionStringOf(name: string): string {
  return inject('postgres').replace(/@\/[^?]+/, `@/${name}`);
}
