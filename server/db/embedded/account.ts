import { execFile } from 'node:child_process';
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The unprivileged user that runs PostgreSQL when this process is root. */
export interface Account {
  uid: number;
  gid: number;
}

/**
 * Returns the account that runs PostgreSQL, which refuses to run as root. An existing cluster keeps its owner, so that
 * its files open again; a new one belongs to the system's `postgres` account, else to `nobody`. Undefined means this
 * process's own user.
 */
export async function serverAccount(clusterFolder: string): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const cluster = await stat(clusterFolder).catch(() => undefined);
  if (cluster && cluster.uid !== 0) return { uid: cluster.uid, gid: cluster.gid };
  for (const name of ['postgres', '_postgres', 'nobody']) {
    const account = await namedAccount(name);
    if (account) return account;
  }
  throw new Error(
    'PostgreSQL cannot run as root, and this system has neither a "postgres" nor a "nobody" user. Start as another user.',
  );
}

async function namedAccount(name: string): Promise<Account | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}

/** Returns whether the account may traverse every folder on the way to `path`, and enter it. */
export function canReach(path: string, account: Account | undefined): boolean {
  if (!account) return isReachable(path);
  for (let folder = realpathSync(path); ; folder = dirname(folder)) {
    const { uid, gid, mode } = statSync(folder);
    const shift = uid === account.uid ? 6 : gid === account.gid ? 3 : 0;
    if (((mode >> shift) & 1) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

function isReachable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
