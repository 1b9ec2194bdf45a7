/** A temporary PostgreSQL for the histories of one process, without other transactions. It is deleted with the run. */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts';
import { programRole } from '#server/db/embedded/roles.ts';
import { migrate } from '#server/db/migrate.ts';
import { memoryFolder } from '#tests/support/memory-folder.ts';
import { asSuperuser } from '#tests/support/superuser.ts';
import { openCluster } from './cluster.ts';
import type { Cluster } from './cluster.ts';

const withoutDurability = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

export interface ScratchPostgres {
  /** Opens a cluster on a new database; closing the cluster drops the database. */
  openCluster(): Promise<Cluster>;
  stop(): Promise<void>;
}

export async function startScratchPostgres(): Promise<ScratchPostgres> {
  const dataDir = await mkdtemp(join(memoryFolder(), 'dental-counter-sim-'));
  const postgres = await startEmbeddedPostgres({ dataDir, settings: withoutDurability });
  let opened = 0;

  const administer = (statement: string): Promise<void> =>
    asSuperuser(postgres.connectionString, async (client) => void (await client.query(statement)));
  // A restore of one clinic's rows writes them in any order, whatever they refer to.
  await administer(`grant set on parameter session_replication_role to ${programRole}`);

  return {
    openCluster: async () => {
      opened += 1;
      const name = `cluster_${opened}`;
      await administer(`create database ${name} owner ${programRole}`);
      const connectionString = postgres.connectionString.replace(/@\/[^?]+/, `@/${name}`);
      await migrate(connectionString);
      const cluster = await openCluster(connectionString);
      return {
        ...cluster,
        close: async () => {
          await cluster.close();
          await administer(`drop database ${name} with (force)`);
        },
      };
    },
    stop: async () => {
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
