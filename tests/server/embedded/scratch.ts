import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client, type QueryResultRow } from 'pg';
import { onTestFinished } from 'vitest';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from '#server/db/embedded/embedded-postgres.ts';
import { serverAccount } from '#server/db/embedded/account.ts';
import { runningPostmaster, stopPostmaster } from '#server/db/embedded/postmaster.ts';
import { socketFolderFor } from '#server/db/embedded/socket-folder.ts';
import { OwnerProcess } from './server-process.ts';

export const isRoot = process.getuid?.() === 0;

/** A private folder for one test. */
export async function scratchFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'embedded-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

/** A private folder for one test, with the cluster of an earlier start. Copying one is faster than creating it. */
export async function copiedCluster(): Promise<string> {
  const folder = await scratchFolder();
  created ??= createCluster();
  // The system's `cp -a` keeps the owner of the files, which is another account.
  await promisify(execFile)('cp', ['-a', `${await created}/.`, folder]);
  return folder;
}

let created: Promise<string> | null = null;

async function createCluster(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'embedded-cluster-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  await (await startEmbeddedPostgres({ dataDir: folder })).stop();
  return folder;
}

export async function start(
  dataDir: string,
  options: Partial<EmbeddedPostgresOptions> = {},
): Promise<EmbeddedPostgres> {
  onTestFinished(() => clearAway(dataDir));
  const database = await startEmbeddedPostgres({ dataDir, ...options });
  onTestFinished(() => database.stop());
  return database;
}

export function startProcess(...[dataDir, options]: ConstructorParameters<typeof OwnerProcess>): OwnerProcess {
  onTestFinished(() => clearAway(dataDir));
  const owner = new OwnerProcess(dataDir, options);
  onTestFinished(() => owner.kill());
  return owner;
}

/** Stops servers that a killed owner left running, and removes files of a failed start. */
async function clearAway(dataDir: string): Promise<void> {
  const clusterFolder = join(dataDir, 'postgresql');
  const left = await runningPostmaster(clusterFolder);
  await stopPostmaster(clusterFolder);
  const socketFolder = left?.socketFolder ?? socketFolderFor(clusterFolder, await serverAccount(clusterFolder));
  await rm(socketFolder, { recursive: true, force: true });
}

export async function query<Row extends QueryResultRow>(connectionString: string, sql: string): Promise<Row[]> {
  const client = new Client(connectionString);
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

export async function clusterOwner(dataDir: string): Promise<{ uid: number; gid: number }> {
  const { uid, gid } = await stat(join(dataDir, 'postgresql'));
  return { uid, gid };
}

export async function pidFile(dataDir: string): Promise<string> {
  return readFile(join(dataDir, 'postgresql', 'postmaster.pid'), 'utf8');
}
