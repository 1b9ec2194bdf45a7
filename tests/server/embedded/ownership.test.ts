import { describe, expect, test } from 'vitest';
import { DataFolderInUseError } from '#server/db/embedded/embedded-postgres.ts';
import { copiedCluster, query, scratchFolder, start, startProcess } from './scratch.ts';
import { postmasterPid } from './server-process.ts';

describe('embedded PostgreSQL: one owner per data folder', () => {
  test('refuses a second server, and names the folder and the process of the first', async () => {
    const dataDir = await copiedCluster();
    const owner = await start(dataDir);
    const refusal = await start(dataDir).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(DataFolderInUseError);
    expect((refusal as Error).message).toContain(dataDir);
    expect((refusal as Error).message).toContain(`process ${process.pid}`);
    expect(await query(owner.connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('lets one of three servers start when they start at once in an empty folder', async () => {
    const dataDir = await scratchFolder();
    const starters = [1, 2, 3].map(() => startProcess(dataDir));
    const outcomes = await Promise.all(
      starters.map((starter) =>
        starter.first(({ connectionString, refused }) => refused ?? (connectionString && 'owner')),
      ),
    );
    expect(outcomes.toSorted()).toEqual(['DataFolderInUseError', 'DataFolderInUseError', 'owner']);
  });

  test('takes over a server that a killed owner left running, with its data', async () => {
    const dataDir = await copiedCluster();
    const owner = startProcess(dataDir, { mode: 'write' });
    const acknowledged = await owner.first((event) => event.acknowledged);
    const left = await postmasterPid(dataDir);
    await owner.kill();

    const said: string[] = [];
    const { connectionString } = await start(dataDir, { log: (message) => said.push(message) });
    expect(said).toEqual([expect.stringContaining('taken over')]);
    expect(await postmasterPid(dataDir)).toBe(left);
    const rows = await query<{ id: string }>(connectionString, 'select id from written');
    expect(rows.map(({ id }) => Number(id))).toContain(acknowledged);
  });

  test('stops a server that was taken over', async () => {
    const dataDir = await copiedCluster();
    const owner = startProcess(dataDir);
    await owner.first((event) => event.connectionString);
    await owner.kill();
    const heir = await start(dataDir);
    await heir.stop();
    await expect(postmasterPid(dataDir)).rejects.toThrow('ENOENT');
  });

  test('finds a server whose socket is in another temporary folder', async () => {
    const dataDir = await copiedCluster();
    const owner = startProcess(dataDir, { env: { TMPDIR: '/var/tmp' } });
    const { left, address } = {
      address: await owner.first((event) => event.connectionString),
      left: await postmasterPid(dataDir),
    };
    await owner.kill();
    const { connectionString } = await start(dataDir);
    expect(connectionString).toBe(address);
    expect(connectionString).toContain(encodeURIComponent('/var/tmp'));
    expect(await postmasterPid(dataDir)).toBe(left);
  });
});
