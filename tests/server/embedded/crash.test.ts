import { spawn } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { inLongRun } from '#tests/support/long-run.ts';
import { copiedCluster, clusterOwner, isRoot, pidFile, query, start, startProcess } from './scratch.ts';
import { killPostgres, postmasterPid } from './server-process.ts';

const rounds = inLongRun(40, { otherwise: 4 });
/** A checkpoint may come within this time of the first write. */
const killedWithinMs = 140;

describe('embedded PostgreSQL: kill -9', { timeout: 60_000 + rounds * 10_000 }, () => {
  test(`loses no acknowledged row in ${rounds} rounds of kill -9 during writes`, async () => {
    const dataDir = await copiedCluster();
    const acknowledged = new Set<number>();
    for (let round = 1; round <= rounds; round++) {
      const owner = startProcess(dataDir, { mode: 'write' });
      const present = new Set(await owner.first((event) => event.present));
      expect(
        [...acknowledged].filter((id) => !present.has(id)),
        `lost before round ${round}`,
      ).toEqual([]);
      await owner.first((event) => event.acknowledged);
      // Each round kills at another moment: between commits, during one, or during a checkpoint.
      await sleep((round / rounds) * killedWithinMs);

      const postmaster = await postmasterPid(dataDir);
      await Promise.all([killPostgres(postmaster), owner.kill()]);
      for (const event of owner.events) if (event.acknowledged) acknowledged.add(event.acknowledged);
    }
    const { connectionString } = await start(dataDir);
    const present = new Set(
      (await query<{ id: string }>(connectionString, 'select id from written')).map(({ id }) => Number(id)),
    );
    expect([...acknowledged].filter((id) => !present.has(id))).toEqual([]);
    expect(acknowledged.size).toBeGreaterThan(rounds);
  });

  test('starts although another process has the recorded process id since', async () => {
    const dataDir = await copiedCluster();
    const owner = startProcess(dataDir);
    await owner.first((event) => event.connectionString);
    const record = await pidFile(dataDir);
    await Promise.all([killPostgres(await postmasterPid(dataDir)), owner.kill()]);

    const bystander = spawn('sleep', ['60'], { ...(isRoot ? await clusterOwner(dataDir) : {}) });
    onTestFinished(() => void bystander.kill());
    await writeFile(join(dataDir, 'postgresql', 'postmaster.pid'), record.replace(/^\d+/, String(bystander.pid)));

    const { connectionString } = await start(dataDir);
    expect(await query(connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(bystander.exitCode ?? bystander.signalCode).toBeNull();
  });

  test('replaces a server that was left running without its socket', async () => {
    const dataDir = await copiedCluster();
    const owner = startProcess(dataDir);
    await owner.first((event) => event.connectionString);
    const [left, socketFolder = ''] = [await postmasterPid(dataDir), (await pidFile(dataDir)).split('\n')[4]];
    await owner.kill();
    await rm(socketFolder, { recursive: true });

    const { connectionString } = await start(dataDir);
    expect(await query(connectionString, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(await postmasterPid(dataDir)).not.toBe(left);
  });

  test('restarts a database that dies while its owner lives, at the same address', async () => {
    const dataDir = await copiedCluster();
    const said: string[] = [];
    const { connectionString } = await start(dataDir, { log: (message) => said.push(message) });
    await query(connectionString, 'create table kept as select 42 as answer');
    await killPostgres(await postmasterPid(dataDir));
    await expect
      .poll(() => query(connectionString, 'select answer from kept').catch(() => []), { timeout: 15_000 })
      .toEqual([{ answer: 42 }]);
    expect(said).toContain('The database went away; bringing it back.');
    await expect(start(dataDir)).rejects.toThrow('in use');
  });
});
