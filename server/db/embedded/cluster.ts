import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, lchown, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Account } from './account.ts';
import { hasStarted, type Binaries } from './binaries.ts';
import { superuser } from './roles.ts';

/**
 * Returns the path under which a server process sees its data folder. The kernel enters the folder while this process
 * is still root, so PostgreSQL need not traverse the folders above, which may be private to root. Only Linux has such a
 * path; elsewhere the account must be able to traverse them.
 */
export function ownFolderName(clusterFolder: string): string {
  return process.platform === 'linux' ? '/proc/self/cwd' : clusterFolder;
}

export function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], TZ: 'UTC', LC_ALL: 'C' };
}

/**
 * Creates the cluster if it does not exist. It is built under a temporary name and renamed when it is complete and on
 * disk, so an interrupted creation is never taken for data, and one of two parallel creations wins as a whole.
 */
export async function ensureCluster(
  clusterFolder: string,
  { binaries, account, durable }: { binaries: Binaries; account: Account | undefined; durable: boolean },
): Promise<void> {
  if (await isCluster(clusterFolder)) {
    await refuseOtherVersion(clusterFolder, binaries);
    await adopt(clusterFolder, account);
    return;
  }
  const draft = `${clusterFolder}.creating-${process.pid}`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft, { recursive: true, mode: 0o700 });
  if (account) await lchown(draft, account.uid, account.gid);
  try {
    await initialise(draft, { binaries, account, durable });
    await rename(draft, clusterFolder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another process created the cluster first, and its owner may have removed our draft.
    if (!(await isCluster(clusterFolder))) throw error;
  }
  await syncFolder(dirname(clusterFolder));
}

async function initialise(
  folder: string,
  { binaries, account, durable }: { binaries: Binaries; account: Account | undefined; durable: boolean },
): Promise<void> {
  const options = [
    ['-D', ownFolderName(folder), '-U', superuser],
    ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--data-checksums'],
    ['--auth-local=trust', '--auth-host=reject', '--no-instructions'],
    durable ? [] : ['--no-sync'],
  ].flat();
  const child = spawn(binaries.initdb, options, {
    cwd: folder,
    env: serverEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
    ...account,
  });
  await hasStarted(child);
  const [complaint, [code]] = await Promise.all([text(child.stderr), once(child, 'close') as Promise<[number | null]>]);
  if (code === 0) return;
  throw new Error(`The database could not be created in ${dirname(folder)}: ${complaint.trim()}`);
}

/**
 * Removes the remains of interrupted creations. Only the cluster's owner calls this: no other creation can succeed any
 * more.
 */
export async function removeUnfinished(clusterFolder: string): Promise<void> {
  const prefix = `${basename(clusterFolder)}.creating-`;
  for (const name of await readdir(dirname(clusterFolder))) {
    if (name.startsWith(prefix)) await rm(join(dirname(clusterFolder), name), { recursive: true, force: true });
  }
}

async function isCluster(folder: string): Promise<boolean> {
  const found = await stat(join(folder, 'PG_VERSION')).catch(() => undefined);
  return found !== undefined;
}

async function refuseOtherVersion(clusterFolder: string, binaries: Binaries): Promise<void> {
  const major = (await readFile(join(clusterFolder, 'PG_VERSION'), 'utf8')).trim();
  if (major === binaries.major) return;
  throw new Error(
    `${clusterFolder} was written by PostgreSQL ${major}, and this installation has ${binaries.major}. ` +
      'Back up with the version that wrote it, then restore into an empty data folder.',
  );
}

/** Gives a cluster that root copied or restored to the account and makes it private; PostgreSQL requires both. */
async function adopt(clusterFolder: string, account: Account | undefined): Promise<void> {
  const { uid, mode } = await stat(clusterFolder);
  if ((mode & 0o777) !== 0o700) await chmod(clusterFolder, 0o700);
  if (!account || uid === account.uid) return;
  const entries = await readdir(clusterFolder, { recursive: true });
  // The top folder comes last: while root owns it, an interrupted adoption starts over.
  for (const entry of [...entries, '.']) await lchown(join(clusterFolder, entry), account.uid, account.gid);
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}
