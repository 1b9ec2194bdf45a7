import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { serverAccount } from './account.ts';
import { prepareBinaries } from './binaries.ts';
import { bringUp } from './bring-up.ts';
import { ensureCluster, removeUnfinished, superuser } from './cluster.ts';
import { databaseName, DataFolderInUseError, type Claim } from './ownership.ts';
import { stopPostmaster, type ServerOptions } from './postmaster.ts';
import { socketFolderFor } from './socket-folder.ts';

export { DataFolderInUseError };

const betweenRevivalsMs = 1000;

export interface EmbeddedPostgres {
  /** For `pg`: a unix socket, there is no port. The same for as long as this process owns the database. */
  connectionString: string;
  /** Ends PostgreSQL after a checkpoint. It cuts open connections, so end your own first. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  dataDir: string;
  log?: (message: string) => void;
  /** Further server settings. Tests give up durability here. */
  settings?: Record<string, string>;
}

/**
 * A real PostgreSQL whose files live in `dataDir` and which this process alone uses. It outlives us: if we are killed it
 * keeps running, and the next start takes it over. If it is killed itself, it is started again and recovers.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { log = () => {}, settings = {} } = options;
  const { dataDir, server } = await prepare(options.dataDir, settings);

  const stopping = new AbortController();
  const { signal } = stopping;
  const first = await bringUp(server, { dataDir, log, signal });
  const { socketFolder } = first;
  await removeUnfinished(server.clusterFolder);

  let claim: Promise<Claim> = Promise.resolve(first);
  async function revive(): Promise<Claim> {
    for (;;) {
      try {
        return await bringUp({ ...server, socketFolder }, { dataDir, log, signal });
      } catch (error) {
        signal.throwIfAborted();
        log(`The database does not come back: ${(error as Error).message}`);
        await sleep(betweenRevivalsMs, undefined, { signal });
      }
    }
  }
  async function keepAlive(): Promise<void> {
    for (;;) {
      const { lost } = await claim;
      await lost;
      if (signal.aborted) return;
      log('The database went away; bringing it back.');
      claim = revive();
    }
  }
  // It rejects only when `stop` interrupts a revival.
  const kept = keepAlive().catch(() => {});

  async function end(): Promise<void> {
    stopping.abort();
    const held = await claim.catch(() => undefined);
    // The claim is held until the server is gone, so that nobody takes over a database that is about to stop.
    await stopPostmaster(server.clusterFolder);
    await held?.release();
    await kept;
  }
  let ended: Promise<void> | undefined;
  return {
    connectionString: embeddedUrl(socketFolder),
    stop: () => (ended ??= end()),
  };
}

/** For `pg`: the database behind a unix socket. */
export function embeddedUrl(socketFolder: string): string {
  return `postgresql://${superuser}@/${databaseName}?host=${encodeURIComponent(socketFolder)}`;
}

async function prepare(
  folder: string,
  settings: Record<string, string>,
): Promise<{ dataDir: string; server: ServerOptions }> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const dataDir = await realpath(folder);
  const clusterFolder = join(dataDir, 'postgresql');
  const account = await serverAccount(clusterFolder);
  const binaries = await prepareBinaries(account);
  await ensureCluster(clusterFolder, { binaries, account, durable: settings['fsync'] !== 'off' });
  const socketFolder = socketFolderFor(clusterFolder, account);
  return {
    dataDir,
    server: { binaries, clusterFolder, socketFolder, account, logFile: join(dataDir, 'postgresql.log'), settings },
  };
}
