import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@playwright/test';
import { dice, rounds } from './dice.ts';
import { test } from './scene.ts';

test(`Chromium killed ${rounds} times while selling: nothing lost, nothing doubled`, async ({ scene }) => {
  test.setTimeout(60_000 + rounds * 20_000);
  const { machine, clerk, settle } = scene;
  const chance = dice('browser');
  for (let round = 0; round < rounds; round++) {
    const kill = sleep(chance.between(300, 2500)).then(() => machine.kill());
    const sold = await clerk.sellDuring(() => machine.tablet, kill, { mayBeInterrupted: true });
    await machine.start();
    await machine.open();
    // What was killed is there before it is sent as well as after.
    if (chance.once(2) || sold === 0) await clerk.sell(machine.tablet);
    await settle();
  }
  expect(clerk.papers.length).toBeGreaterThanOrEqual(rounds);
});
