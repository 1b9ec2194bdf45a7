import type { Client } from 'pg';
import { inject } from 'vitest';
import { programRole } from '#server/db/embedded/roles.ts';
import { migrate } from '#server/db/migrate.ts';
import { asSuperuser } from './superuser.ts';
import { unique } from './unique.ts';

/** A database that is made once per run, and copied for each test. */
export interface Template {
  name: string;
  /** Fills an empty database. */
  fill: (connectionString: string) => Promise<unknown>;
}

const migrated: Template = { name: 'migrated', fill: migrate };

export interface FreshDatabase {
  connectionString: string;
  drop: () => Promise<void>;
}

/** Creates a database for one test, migrated if no template says more. */
export async function freshDatabase(template = migrated): Promise<FreshDatabase> {
  const name = unique(`test_${process.pid}`).replace('-', '_');
  await asSuperuser(inject('postgres'), async (client) => {
    await ensureTemplate(client, template);
    // A copy of the files takes 20 ms. By default PostgreSQL writes each page into its log too, which takes ten times as long.
    await client.query(`create database ${name} template ${template.name} strategy file_copy owner ${programRole}`);
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
async function ensureTemplate(client: Client, { name, fill }: Template): Promise<void> {
  if (await exists(client, name)) return;
  await client.query('select pg_advisory_lock(1)');
  try {
    if (await exists(client, name)) return;
    await client.query('drop database if exists unfinished');
    await client.query(`create database unfinished owner ${programRole}`);
    await fill(connectionStringOf('unfinished'));
    // The final name marks the template as complete, so an attempt that failed halfway is made again.
    await client.query(`alter database unfinished rename to ${name}`);
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
