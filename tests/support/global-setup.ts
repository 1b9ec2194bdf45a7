import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts';
import { stopPostmaster } from '#server/db/embedded/postmaster.ts';
import { programRole } from '#server/db/embedded/roles.ts';
import { memoryFolder } from './memory-folder.ts';
import { asSuperuser } from './superuser.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string of this run's PostgreSQL, in which `freshDatabase` creates a database for each test. */
    postgres: string;
  }
}

const prefix = 'dental-counter-tests-';

/** The data are needed only for the run, so nothing waits for the disk. Tests of durability start their own servers. */
const withoutDurability = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_init_zero: 'off',
  max_wal_size: '256MB',
  max_connections: '200',
};

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await clearAbandoned();
  const dataDir = await mkdtemp(join(memoryFolder(), `${prefix}${process.pid}-`));
  const postgres = await startEmbeddedPostgres({ dataDir, settings: withoutDurability });
  // The simulation restores one clinic's rows, which it writes in any order, whatever they refer to.
  const grant = `grant set on parameter session_replication_role to ${programRole}`;
  await asSuperuser(postgres.connectionString, async (client) => void (await client.query(grant)));
  project.provide('postgres', postgres.connectionString);
  return async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true });
  };
}

/** Stops and deletes the databases of runs that were killed before they could clean up. */
export async function clearAbandoned(): Promise<void> {
  for (const name of await readdir(memoryFolder())) {
    const pid = Number(new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1]);
    if (!pid || isAlive(pid)) continue;
    const folder = join(memoryFolder(), name);
    await stopPostmaster(join(folder, 'postgresql'));
    await rm(folder, { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
