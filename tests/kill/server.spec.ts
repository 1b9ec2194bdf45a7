import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runningPostmaster } from '../../server/db/embedded/postmaster.ts';
import { expect } from '@playwright/test';
import type { ServerProcess } from '../support/server-process.ts';
import { dice, rounds } from './dice.ts';
import { killTree } from './processes.ts';
import { test } from './scene.ts';

async function killPostgres({ dataDir }: ServerProcess): Promise<void> {
  const postmaster = await runningPostmaster(path.join(dataDir, 'postgresql'));
  await killTree(postmaster!.pid);
}

test(`the server killed ${rounds} times while selling, at times with its PostgreSQL: nothing lost, nothing doubled`, async ({
  scene,
}) => {
  test.setTimeout(60_000 + rounds * 20_000);
  const { clinic, machine, clerk, settle } = scene;
  const chance = dice('server');
  for (let round = 0; round < rounds; round++) {
    const outage = async (): Promise<void> => {
      await sleep(chance.between(200, 1500));
      const target = chance.between(1, 3);
      // PostgreSQL alone comes back by itself: the server lives on and revives it.
      if (target > 1) await killPostgres(clinic);
      if (target < 3) await clinic.stop('SIGKILL');
      await sleep(chance.between(100, 1500));
      if (target < 3) await clinic.start();
    };
    // The counter does not notice: not one sale may fail.
    await clerk.sellDuring(() => machine.tablet, outage(), { mayBeInterrupted: false });
    await settle();
  }
  expect(clerk.papers.length).toBeGreaterThanOrEqual(rounds);
});
