import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runningPostmaster } from '#server/db/embedded/postmaster.ts';
import { expect } from '@playwright/test';
import type { ServerProcess } from '../support/server-process.ts';
import { killTree } from './processes.ts';
import { printedRandom, rounds } from './rounds.ts';
import { killTest } from './testbed.ts';

async function killPostgres({ dataDir }: ServerProcess): Promise<void> {
  const postmaster = await runningPostmaster(path.join(dataDir, 'postgresql'));
  await killTree(postmaster!.pid);
}

const targets = ['both', 'PostgreSQL', 'server'] as const;

killTest(
  `loses and doubles no sale when the server, its PostgreSQL or both are killed ${rounds} times while selling`,
  async ({ testbed }) => {
    killTest.setTimeout(60_000 + rounds * 20_000);
    const { clinic, browser, workload, settle } = testbed;
    const before = workload.invoiceNumbers.length;
    const random = printedRandom('server');
    for (let round = 0; round < rounds; round++) {
      const outage = async (): Promise<void> => {
        await sleep(random.between(200, 1500));
        const target = targets[round % targets.length];
        // When only PostgreSQL dies, the server keeps running and restarts PostgreSQL itself.
        if (target !== 'server') await killPostgres(clinic);
        if (target !== 'PostgreSQL') await clinic.stop('SIGKILL');
        await sleep(random.between(100, 1500));
        if (target !== 'PostgreSQL') await clinic.start();
      };
      // An outage of the server must not make a single sale fail.
      await workload.sellDuring(() => browser.tablet, outage(), { mayBeInterrupted: false });
      await settle();
    }
    expect(workload.invoiceNumbers.length - before).toBeGreaterThanOrEqual(rounds);
  },
);
