import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { serverAccount } from './account.ts';
import { prepareBinaries } from './binaries.ts';
import { bringUp } from './bring-up.ts';
import { ensureCluster, removeUnfinished } from './cluster.ts';
import { DataFolderInUseError, type Claim } from './ownership.ts';
import { stopPostmaster, type ServerOptions } from './postmaster.ts';
import { databaseName, programRole } from './roles.ts';
import { socketFolderFor } from './socket-folder.ts';

export { DataFolderInUseError };

/** Waits between attempts to bring the database back: the first, doubled after each, up to the longest. */
const revivalWaitsMs = { first: 1000, longest: 15_000 };

export interface EmbeddedPostgres {
  /**
   * The connection string of a unix socket, for a role without a superuser's rights; there is no port. It stays valid
   * while this process owns the database.
   */
  connectionString: string;
  /** Stops PostgreSQL after a checkpoint. It closes open connections, so close your own first. */
  stop(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  dataDir: string;
  log?: (message: string) => void;
  /** Further server settings. Tests switch durability off. */
  settings?: Record<string, string>;
}

/**
 * Starts a PostgreSQL server whose files are in `dataDir` and which only this process uses. If this process is killed,
 * the server keeps running and the next start takes it over. If the server is killed, it is started again and recovers.
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
    for (let waitMs = revivalWaitsMs.first; ; waitMs = Math.min(2 * waitMs, revivalWaitsMs.longest)) {
      try {
        return await bringUp({ ...server, socketFolder }, { dataDir, log, signal });
      } catch (error) {
        signal.throwIfAborted();
        log(`The database does not come back: ${(error as Error).message}`);
        await sleep(waitMs, undefined, { signal });
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
  // Rejects only when `stop` interrupts a restart.
  const kept = keepAlive().catch(() => {});

  async function end(): Promise<void> {
    stopping.abort();
    const held = await claim.catch(() => undefined);
    // The claim is held until the server has stopped, so that no process takes over a stopping database.
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

/** Returns the connection string of the database behind a unix socket. */
export function embeddedUrl(socketFolder: string): string {
  return `postgresql://${programRole}@/${databaseName}?host=${encodeURIComponent(socketFolder)}`;
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
