import type { ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { claimDatabase, NotAnsweringError, type Claim } from './ownership.ts';
import { runningPostmaster, spawnPostmaster, stopPostmaster, type ServerOptions } from './postmaster.ts';
import { makePrivate } from './socket-folder.ts';

/** A start may keep failing for this long: another start, or the last server's dying children, may interfere. */
const failingStartsMs = 5_000;
const betweenStartsMs = 200;
/** A server that reports ready may stay silent for this long before it is replaced. */
const muteMs = 2_000;
const pollMs = 10;
const reportMs = 10_000;

export interface BringUpOptions {
  dataDir: string;
  log: (message: string) => void;
  signal: AbortSignal;
}

/**
 * Ends with the database claimed for this process, whatever is there at the beginning:
 *
 *     nothing runs ──spawn──▶ starting, recovering ──answers──▶ claim ──▶ ours
 *          ▲                       ▲                              └─▶ held by another: DataFolderInUseError
 *          └── gone, or mute ── something runs
 */
export async function bringUp(server: ServerOptions, { dataDir, log, signal }: BringUpOptions): Promise<Claim> {
  const begun = Date.now();
  let child: ChildProcess | undefined;
  let answeredLast = begun;
  let reportedLast = begun;
  for (;;) {
    const running = await runningPostmaster(server.clusterFolder);
    if (!running && !isAlive(child)) {
      signal.throwIfAborted();
      if (child && Date.now() - begun > failingStartsMs) throw await startFailure(server.logFile);
      if (child) await sleep(betweenStartsMs);
      await makePrivate(server.socketFolder, server.account);
      child = await spawnPostmaster(server);
      answeredLast = Date.now();
    }
    if (running?.socketFolder) {
      try {
        const claim = await claimDatabase(running.socketFolder, dataDir);
        if (!child) log(`The database was still running (process ${running.pid}) and is taken over.`);
        return claim;
      } catch (error) {
        if (!(error instanceof NotAnsweringError)) throw error;
        if (error.isBusy || !running.isReady) answeredLast = Date.now();
      }
      if (Date.now() - answeredLast > muteMs) {
        log(`The database (process ${running.pid}) does not answer; replacing it.`);
        await stopPostmaster(server.clusterFolder);
      }
    }
    if (Date.now() - reportedLast > reportMs) {
      log('The database is still starting; after a crash it first reads back what was written last.');
      reportedLast = Date.now();
    }
    await sleep(pollMs);
  }
}

function isAlive(child: ChildProcess | undefined): boolean {
  return child !== undefined && child.exitCode === null && child.signalCode === null;
}

async function startFailure(logFile: string): Promise<Error> {
  const lines = (await readFile(logFile, 'utf8').catch(() => '')).trimEnd().split('\n');
  return new Error(`The database does not start. The end of ${logFile}:\n${lines.slice(-8).join('\n')}`);
}
