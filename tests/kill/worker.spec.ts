import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@playwright/test';
import { printedRandom, rounds } from './rounds.ts';
import { killTest } from './testbed.ts';

killTest(
  `loses and doubles no sale when the service worker is killed ${rounds} times while selling`,
  async ({ testbed }) => {
    killTest.setTimeout(60_000 + rounds * 20_000);
    const { browser, workload, settle } = testbed;
    const before = workload.invoiceNumbers.length;
    const random = printedRandom('worker');
    for (let round = 0; round < rounds; round++) {
      // Either the worker alone is stopped, several times in a row, or it dies with the renderer that it shares with the pages.
      const withRenderer = round % 3 === 1;
      const kill = async (): Promise<void> => {
        await sleep(random.between(300, 1500));
        if (withRenderer) return browser.killRenderers();
        for (let time = 0; time < 3; time++) {
          await browser.stopWorkers();
          await sleep(random.between(20, 400));
        }
      };
      const sold = await workload.sellDuring(() => browser.tablet, kill(), { mayBeInterrupted: withRenderer });
      if (withRenderer) await browser.reopen();
      // On a slow machine the kill may interrupt the first sale of a round.
      if (sold === 0) await workload.sell(browser.tablet);
      await settle();
    }
    expect(workload.invoiceNumbers.length - before).toBeGreaterThanOrEqual(rounds);
  },
);
