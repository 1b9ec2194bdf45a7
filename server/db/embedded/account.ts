import { execFile } from 'node:child_process';
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The unprivileged user that PostgreSQL runs as when we are root. */
export interface Account {
  uid: number;
  gid: number;
}

/**
 * PostgreSQL refuses to run as root. A cluster that exists keeps the owner it has, so that the same files open again whatever
 * accounts the machine gained since; a new one goes to the system's `postgres` account, else to `nobody`.
 * Undefined means: run as ourselves.
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

/** Whether the account may pass through every folder on the way to `path`, and into it. */
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
