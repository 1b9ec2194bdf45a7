import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startEmbeddedPostgres } from '#server/db/embedded/embedded-postgres.ts';
import { expect } from '@playwright/test';
import { ServerProcess } from '../support/server-process.ts';
import { childrenOf } from './processes.ts';
import { printedRandom, rounds } from './rounds.ts';
import { killTest } from './testbed.ts';

const processes = 4;

/** Runs the clinic's server as four processes behind one address, on a PostgreSQL that outlives all of them. */
const sideBySideTest = killTest.extend<object, { clinic: ServerProcess }>({
  clinic: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures that a fixture needs from this pattern.
    async ({}, use) => {
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
    { scope: 'worker' },
  ],
});

sideBySideTest(
  `loses and doubles no sale when some or all of ${processes} server processes are killed ${rounds} times while selling`,
  async ({ testbed }) => {
    sideBySideTest.setTimeout(60_000 + rounds * 20_000);
    const { clinic, browser, workload, settle } = testbed;
    const before = workload.invoiceNumbers.length;
    const random = printedRandom('side by side');
    const allRunning = () =>
      expect.poll(async () => (await childrenOf(clinic.pid)).length, { timeout: 20_000 }).toBe(processes);
    for (let round = 0; round < rounds; round++) {
      await allRunning();
      const outage = async (): Promise<void> => {
        await sleep(random.between(200, 1500));
        if (round % 4 === 1) {
          // The process that accepts the connections takes all the others down with it.
          await clinic.stop('SIGKILL');
          await sleep(random.between(100, 1500));
          await clinic.start();
          return;
        }
        for (let kills = random.between(1, processes - 1); kills > 0; kills--) {
          process.kill(random.pick(await childrenOf(clinic.pid)), 'SIGKILL');
          await sleep(random.between(0, 800));
        }
      };
      // An outage of the server must not make a single sale fail.
      await workload.sellDuring(() => browser.tablet, outage(), { mayBeInterrupted: false });
      await settle();
    }
    expect(workload.invoiceNumbers.length - before).toBeGreaterThanOrEqual(rounds);
  },
);
