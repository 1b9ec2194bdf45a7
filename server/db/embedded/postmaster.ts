import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile, rename, rmdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Account } from './account.ts';
import { hasStarted, type Binaries } from './binaries.ts';
import { ownFolderName, serverEnvironment } from './cluster.ts';

const largestLogBytes = 5_000_000;
const fastShutdownMs = 30_000;

/** The parent process of a running PostgreSQL, as `postmaster.pid` records it. */
export interface Postmaster {
  pid: number;
  socketFolder: string;
  isReady: boolean;
}

/** Returns the server running on this cluster, no matter who started it. */
export async function runningPostmaster(clusterFolder: string): Promise<Postmaster | undefined> {
  const recorded = await recordedPostmaster(clusterFolder);
  return recorded && (await isServerOf(clusterFolder, recorded.pid)) ? recorded : undefined;
}

/** Returns what the last server recorded; it may have ended long ago. */
async function recordedPostmaster(clusterFolder: string): Promise<Postmaster | undefined> {
  const content = await readFile(join(clusterFolder, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = content.split('\n').map((line) => line.trim());
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return { pid, socketFolder: lines[4] ?? '', isReady: lines[7] === 'ready' };
}

/** Process ids are reused, especially in containers; a server is recognised by its working folder. */
async function isServerOf(clusterFolder: string, pid: number): Promise<boolean> {
  try {
    if (process.platform !== 'linux') {
      const { stdout } = await promisify(execFile)('ps', ['-p', String(pid), '-o', 'comm=']);
      return stdout.trim().endsWith('postgres');
    }
    const [cluster, standsIn] = await Promise.all([stat(clusterFolder), stat(`/proc/${pid}/cwd`)]);
    return cluster.ino === standsIn.ino && cluster.dev === standsIn.dev;
  } catch {
    return false;
  }
}

export interface ServerOptions {
  binaries: Binaries;
  clusterFolder: string;
  socketFolder: string;
  account: Account | undefined;
  logFile: string;
  settings: Record<string, string>;
}

/**
 * Starts PostgreSQL in a session of its own, so that Ctrl-C reaches only this process, which lets requests finish
 * first. Settings are passed on the command line, so that they match this version at every start.
 */
export async function spawnPostmaster(options: ServerOptions): Promise<ChildProcess> {
  const { binaries, clusterFolder, socketFolder, account, logFile } = options;
  const settings = {
    listen_addresses: '',
    unix_socket_directories: `"${socketFolder}"`,
    unix_socket_permissions: '0700',
    cluster_name: 'dental-counter',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Errors of statements reach the caller; a log file would store patients' names.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    ...options.settings,
  };
  const stale = await recordedPostmaster(clusterFolder);
  const env = serverEnvironment();
  // PostgreSQL takes any live process with the recorded id for another server, except its own ancestors. The caller has
  // checked that no server uses the folder. Passing the id here, unlike removing the file, can never unlock a live
  // server.
  if (stale) env['PG_GRANDPARENT_PID'] = String(stale.pid);

  const log = await openLog(logFile);
  try {
    const child = spawn(
      binaries.postgres,
      [
        '-D',
        ownFolderName(clusterFolder),
        ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
      ],
      { cwd: clusterFolder, env, detached: true, stdio: ['ignore', log, log], ...account },
    );
    await hasStarted(child);
    child.unref();
    return child;
  } finally {
    closeSync(log);
  }
}

async function openLog(logFile: string): Promise<number> {
  const found = await stat(logFile).catch(() => undefined);
  if (found && found.size > largestLogBytes) await rename(logFile, `${logFile}.1`);
  return openSync(logFile, 'a', 0o600);
}

/** Stops the server: closes its connections at once, then makes a checkpoint. */
export async function stopPostmaster(clusterFolder: string): Promise<void> {
  const postmaster = await runningPostmaster(clusterFolder);
  if (!postmaster) return;
  signal(postmaster.pid, 'SIGINT');
  const patienceEnds = Date.now() + fastShutdownMs;
  let isOverdue = false;
  while ((await runningPostmaster(clusterFolder))?.pid === postmaster.pid) {
    if (!isOverdue && Date.now() > patienceEnds) {
      // Skips the checkpoint: the next start replays the log.
      signal(postmaster.pid, 'SIGQUIT');
      isOverdue = true;
    }
    await sleep(10);
  }
  await rmdir(postmaster.socketFolder).catch(() => {});
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
