import { createHash } from 'node:crypto';
import { lchown, lstat, mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canReach, type Account } from './account.ts';

/** The kernel's limit on a socket's address, less the terminating zero: 107 on Linux, 103 on macOS. */
const longestSocketPathBytes = 103;
const socketName = '.s.PGSQL.5432';

/**
 * Returns the folder of the database's socket: a short path outside the data folder, whose path may be too long, and
 * constant for the same data.
 */
export function socketFolderFor(clusterFolder: string, account: Account | undefined): string {
  const name = `dental-counter-${createHash('sha256').update(clusterFolder).digest('hex').slice(0, 12)}`;
  const parent = [tmpdir(), '/tmp'].find(
    (folder) =>
      Buffer.byteLength(join(folder, name, socketName)) <= longestSocketPathBytes && canReach(folder, account),
  );
  if (!parent) throw new Error(`Neither ${tmpdir()} nor /tmp can hold the database's socket.`);
  return join(parent, name);
}

/** Creates a folder that only the account may enter, because the server trusts every client of the socket. */
export async function makePrivate(folder: string, account: Account | undefined): Promise<void> {
  const owner = account?.uid ?? process.getuid?.();
  const found = await lstat(folder).catch(() => undefined);
  if (found?.isDirectory() && found.uid === owner && (found.mode & 0o777) === 0o700) return;
  try {
    if (found) await rm(folder, { recursive: true });
    await mkdir(folder, { mode: 0o700 });
    if (account) await lchown(folder, account.uid, account.gid);
  } catch (error) {
    throw new Error(
      `${folder} must be a folder that only the database can enter, and it is not. Remove it and start again.`,
      {
        cause: error,
      },
    );
  }
}
