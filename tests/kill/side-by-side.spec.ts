import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbeddedPostgres } from '../../server/db/embedded/embedded-postgres.ts';
import { expect } from '@playwright/test';
import { ServerProcess } from '../support/server-process.ts';
import { dice, rounds } from './dice.ts';
import { childrenOf } from './processes.ts';
import { test as alone } from './scene.ts';

const processes = 4;

/** The clinic's server is four processes of one address, on a PostgreSQL that is not theirs and outlives them. */
const test = alone.extend({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures that a fixture needs from this pattern.
  clinic: async ({}, use) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'dental-counter-e2e-'));
    const postgres = await startEmbeddedPostgres({ dataDir: folder });
    try {
      const clinic = await ServerProcess.create(
        { DATABASE_URL: postgres.connectionString, PROCESSES: String(processes) },
        undefined,
        folder,
      );
      await use(clinic);
      await clinic.stop();
    } finally {
      await postgres.stop();
      await rm(folder, { recursive: true });
    }
  },
});

test(`of ${processes} servers behind one address some are killed, at times all, ${rounds} times while selling: nothing lost, nothing doubled`, async ({
  scene,
}) => {
  test.setTimeout(60_000 + rounds * 20_000);
  const { clinic, machine, clerk, settle } = scene;
  const chance = dice('side by side');
  const allServe = () =>
    expect.poll(async () => (await childrenOf(clinic.pid)).length, { timeout: 20_000 }).toBe(processes);
  for (let round = 0; round < rounds; round++) {
    await allServe();
    const outage = async (): Promise<void> => {
      await sleep(chance.between(200, 1500));
      if (chance.once(4)) {
        // Whoever hands out the connections takes all the others along.
        await clinic.stop('SIGKILL');
        await sleep(chance.between(100, 1500));
        await clinic.start();
        return;
      }
      for (let kills = chance.between(1, processes - 1); kills > 0; kills--) {
        const running = await childrenOf(clinic.pid);
        process.kill(running[chance.between(0, running.length - 1)]!, 'SIGKILL');
        await sleep(chance.between(0, 800));
      }
    };
    // The counter does not notice: not one sale may fail.
    await clerk.sellDuring(() => machine.tablet, outage(), { mayBeInterrupted: false });
    await settle();
  }
  expect(clerk.papers.length).toBeGreaterThanOrEqual(rounds);
});
