import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@playwright/test';
import { dice, rounds } from './dice.ts';
import { test } from './scene.ts';

test(`the worker killed ${rounds} times while selling: nothing lost, nothing doubled`, async ({ scene }) => {
  test.setTimeout(60_000 + rounds * 20_000);
  const { machine, clerk, settle } = scene;
  const chance = dice('worker');
  for (let round = 0; round < rounds; round++) {
    // By itself while the pages live on, several times in a row; or with the process that it shares with them.
    const withItsProcess = chance.once(3);
    const kill = async (): Promise<void> => {
      await sleep(chance.between(300, 1500));
      if (withItsProcess) return machine.killRenderers();
      for (let time = 0; time < 3; time++) {
        await machine.stopWorkers();
        await sleep(chance.between(20, 400));
      }
    };
    const sold = await clerk.sellDuring(() => machine.tablet, kill(), { mayBeInterrupted: withItsProcess });
    if (withItsProcess) await machine.reopen();
    // On a slow machine the first sale of a round may be the one that is interrupted.
    if (sold === 0) await clerk.sell(machine.tablet);
    await settle();
  }
  expect(clerk.papers.length).toBeGreaterThanOrEqual(rounds);
});
