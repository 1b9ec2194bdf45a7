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

/** The parent process of a running PostgreSQL, as its own `postmaster.pid` describes it. */
export interface Postmaster {
  pid: number;
  socketFolder: string;
  isReady: boolean;
}

/** The server running on this cluster, whoever started it. */
export async function runningPostmaster(clusterFolder: string): Promise<Postmaster | undefined> {
  const recorded = await recordedPostmaster(clusterFolder);
  return recorded && (await isServerOf(clusterFolder, recorded.pid)) ? recorded : undefined;
}

/** What the last server wrote about itself; it may be long dead. */
async function recordedPostmaster(clusterFolder: string): Promise<Postmaster | undefined> {
  const content = await readFile(join(clusterFolder, 'postmaster.pid'), 'utf8').catch(() => '');
  const lines = content.split('\n').map((line) => line.trim());
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  return { pid, socketFolder: lines[4] ?? '', isReady: lines[7] === 'ready' };
}

/** Process numbers are reused, in containers at once; a server is known by the folder it stands in. */
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
 * Starts PostgreSQL in a session of its own: Ctrl-C in the terminal must reach only us, who let requests finish before we
 * stop it. Settings go on the command line, so that they are those of this version of ours at every start.
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
    // Errors of single statements reach the caller, who decides; in a log file they would only leave patients' names lying about.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    ...options.settings,
  };
  const stale = await recordedPostmaster(clusterFolder);
  const env = serverEnvironment();
  // PostgreSQL takes any live process under the recorded number for another server, except its own ancestors. We know better
  // than it who stands in the folder, and naming the number here, unlike removing the file, can never unlock a live server.
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

/** Ends the server without losing anything: at once for its clients, after a checkpoint for the data. */
export async function stopPostmaster(clusterFolder: string): Promise<void> {
  const postmaster = await runningPostmaster(clusterFolder);
  if (!postmaster) return;
  signal(postmaster.pid, 'SIGINT');
  const patienceEnds = Date.now() + fastShutdownMs;
  let isOverdue = false;
  while ((await runningPostmaster(clusterFolder))?.pid === postmaster.pid) {
    if (!isOverdue && Date.now() > patienceEnds) {
      // Without the checkpoint: the next start replays the log instead.
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
