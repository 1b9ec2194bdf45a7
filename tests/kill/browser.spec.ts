import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@playwright/test';
import { printedRandom, rounds } from './rounds.ts';
import { killTest } from './testbed.ts';

killTest(`loses and doubles no sale when Chromium is killed ${rounds} times while selling`, async ({ testbed }) => {
  killTest.setTimeout(60_000 + rounds * 20_000);
  const { browser, workload, settle } = testbed;
  const before = workload.invoiceNumbers.length;
  const random = printedRandom('browser');
  for (let round = 0; round < rounds; round++) {
    const kill = sleep(random.between(300, 2500)).then(() => browser.kill());
    const sold = await workload.sellDuring(() => browser.tablet, kill, { mayBeInterrupted: true });
    await browser.start();
    await browser.open();
    // Half of the rounds sell again before the interrupted work is sent, the others send it first.
    if (random.happens(1 / 2) || sold === 0) await workload.sell(browser.tablet);
    await settle();
  }
  expect(workload.invoiceNumbers.length - before).toBeGreaterThanOrEqual(rounds);
});
