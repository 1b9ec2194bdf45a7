import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { socketFolderFor } from '#server/db/embedded/socket-folder.ts';
import { asSuperuser } from '#tests/support/superuser.ts';
import { copiedCluster, query, scratchFolder, start } from './scratch.ts';
import { quietTime } from '#tests/support/quiet-time.ts';

describe('embedded PostgreSQL: a database', () => {
  test('listens on a private unix socket and on no port', async () => {
    const { connectionString } = await start(await copiedCluster());
    const folder = new URL(connectionString.replace('@', '@localhost')).searchParams.get('host')!;
    await asSuperuser(connectionString, async (client) => {
      const { rows } = await client.query(
        `select current_setting('listen_addresses') as addresses, current_setting('unix_socket_directories') as sockets`,
      );
      expect(rows).toEqual([{ addresses: '', sockets: `"${folder}"` }]);
    });
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
  });

  test('uses UTF-8, checksums, the same sort order on every system, and synchronous commits', async () => {
    const { connectionString } = await start(await copiedCluster());
    const names = ['server_encoding', 'data_checksums', 'fsync', 'synchronous_commit', 'full_page_writes', 'TimeZone'];
    const settings = await query<{ name: string; setting: string }>(
      connectionString,
      `select name, setting from pg_settings where name in (${names.map((name) => `'${name}'`).join()})`,
    );
    expect(Object.fromEntries(settings.map(({ name, setting }) => [name, setting]))).toEqual({
      server_encoding: 'UTF8',
      data_checksums: 'on',
      fsync: 'on',
      synchronous_commit: 'on',
      full_page_writes: 'on',
      TimeZone: 'UTC',
    });
    const [locale] = await query(
      connectionString,
      `select datlocprovider, datlocale, lower('Á') from pg_database where datname = current_database()`,
    );
    expect(locale).toEqual({ datlocprovider: 'b', datlocale: 'C.UTF-8', lower: 'á' });
  });

  test('keeps its data over a restart, which takes less than a second', async () => {
    const dataDir = await copiedCluster();
    const before = await start(dataDir);
    await query(before.connectionString, 'create table kept as select 42 as answer');
    let after = before;
    const restart = async () => {
      await after.stop();
      after = await start(dataDir);
    };
    expect(await quietTime(restart)).toBeLessThan(1000);
    expect(after.connectionString).toBe(before.connectionString);
    expect(await query(after.connectionString, 'select answer from kept')).toEqual([{ answer: 42 }]);
  });

  test('shuts down cleanly on stop, however often it is called', async () => {
    const dataDir = await copiedCluster();
    const database = await start(dataDir);
    await Promise.all([database.stop(), database.stop()]);
    await database.stop();
    await expect(query(database.connectionString, 'select')).rejects.toThrow('ENOENT');
    await start(dataDir);
    expect(await readFile(join(dataDir, 'postgresql.log'), 'utf8')).not.toContain('not properly shut down');
  });

  test('keeps the text of failed statements out of its log', async () => {
    const dataDir = await copiedCluster();
    const { connectionString } = await start(dataDir);
    await expect(query(connectionString, `select 'Ana Ruiz' from nowhere`)).rejects.toThrow('nowhere');
    expect(await readFile(join(dataDir, 'postgresql.log'), 'utf8')).not.toMatch(/Ana Ruiz|nowhere/);
  });

  test('removes the files of an interrupted creation, and starts anew', async () => {
    const dataDir = await scratchFolder();
    const unfinished = join(dataDir, 'postgresql.creating-1');
    await mkdir(unfinished);
    await writeFile(join(unfinished, 'PG_VERSION'), '18\n');
    const { connectionString } = await start(dataDir);
    expect(await query(connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
    await expect(stat(unfinished)).rejects.toThrow('ENOENT');
  });

  test('refuses files of another major version and leaves them alone', async () => {
    const dataDir = await scratchFolder();
    await mkdir(join(dataDir, 'postgresql'));
    await writeFile(join(dataDir, 'postgresql', 'PG_VERSION'), '15\n');
    await expect(start(dataDir)).rejects.toThrow(/written by PostgreSQL 15/);
    expect(await readFile(join(dataDir, 'postgresql', 'PG_VERSION'), 'utf8')).toBe('15\n');
  });

  test('opens files that a copy made readable by others', async () => {
    const dataDir = await copiedCluster();
    await chmod(join(dataDir, 'postgresql'), 0o755);
    await start(dataDir);
    expect((await stat(join(dataDir, 'postgresql'))).mode & 0o777).toBe(0o700);
  });

  test('reports the server’s message when it cannot start', async () => {
    const dataDir = await copiedCluster();
    await expect(start(dataDir, { settings: { shared_buffers: 'plenty' } })).rejects.toThrow(
      /does not start[^]*shared_buffers/,
    );
  });
});

describe('embedded PostgreSQL: the socket address', () => {
  const longest = 107;

  test('fits the kernel’s limit with a data folder of any length', async () => {
    const dataDir = join(await scratchFolder(), 'a-rather-long-name-'.repeat(8));
    const database = await start(dataDir);
    expect(await query(database.connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
    await database.stop();
  });

  test('fits the kernel’s limit with a temporary folder of any length', async () => {
    const long = join(await scratchFolder(), 'x'.repeat(90));
    await mkdir(long);
    const before = process.env['TMPDIR'];
    process.env['TMPDIR'] = long;
    try {
      const folder = socketFolderFor('/data/postgresql', undefined);
      expect(Buffer.byteLength(join(folder, '.s.PGSQL.5432'))).toBeLessThanOrEqual(longest);
    } finally {
      if (before === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = before;
    }
  });

  test('differs for each data folder', () => {
    expect(socketFolderFor('/a/postgresql', undefined)).not.toBe(socketFolderFor('/b/postgresql', undefined));
  });
});
