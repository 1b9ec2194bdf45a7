import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@playwright/test';
import { fireBackgroundSync } from '../support/background-sync.ts';
import { printedRandom, rounds } from './rounds.ts';
import { killTest } from './testbed.ts';
import { tearLog } from './torn-log.ts';

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

killTest('loses no sale when a crash has torn the last record of the browser’s log', async ({ testbed }) => {
  const { browser, workload, settle } = testbed;
  await workload.sell(browser.tablet);
  await browser.kill();
  const torn = await tearLog(browser.profile);
  await browser.start();
  await browser.open();
  await expect.poll(() => existsSync(torn), 'the torn log is still in use').toBe(false);
  await workload.sell(browser.tablet);
  // The browser reads the log when it starts: what follows the torn record would end it.
  await browser.kill();
  await browser.start();
  await browser.open();
  await settle();
});

killTest('a worker that runs without a page leaves a torn log too', async ({ testbed, faultProxy }) => {
  const { browser, workload, settle } = testbed;
  await workload.sell(browser.tablet);
  await browser.kill();
  const torn = await tearLog(browser.profile);
  await browser.start();
  await fireBackgroundSync(browser.tablet.page, faultProxy.url);
  await expect.poll(() => existsSync(torn), 'the torn log is still in use').toBe(false);
  await browser.open();
  await settle();
});
