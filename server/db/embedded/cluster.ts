import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, lchown, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Account } from './account.ts';
import { hasStarted, type Binaries } from './binaries.ts';

export const superuser = 'dental';

/**
 * How a server process names the data folder it stands in. The kernel enters that folder while we are still root and PostgreSQL
 * never leaves it, so it need not pass the folders above, which may be private to root. Elsewhere than on Linux there
 * is no such name, and the folders above must let the account through.
 */
export function ownFolderName(clusterFolder: string): string {
  return process.platform === 'linux' ? '/proc/self/cwd' : clusterFolder;
}

export function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], TZ: 'UTC', LC_ALL: 'C' };
}

/**
 * Makes the cluster where there is none. It is built under another name and moved into place when it is complete and on disk,
 * so an interrupted creation is never taken for data, and of two at once one wins whole.
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
    // Another start was faster; its owner may even have cleared our draft away.
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

/** Removes what interrupted creations left. Only the cluster's owner calls this: no other creation can succeed any more. */
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

/** A cluster that was copied or restored by root belongs to root and may be open to others; PostgreSQL accepts neither. */
async function adopt(clusterFolder: string, account: Account | undefined): Promise<void> {
  const { uid, mode } = await stat(clusterFolder);
  if ((mode & 0o777) !== 0o700) await chmod(clusterFolder, 0o700);
  if (!account || uid === account.uid) return;
  const entries = await readdir(clusterFolder, { recursive: true });
  // The top folder comes last: while it is still root's, an interrupted adoption starts over.
  for (const entry of [...entries, '.']) await lchown(join(clusterFolder, entry), account.uid, account.gid);
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}
