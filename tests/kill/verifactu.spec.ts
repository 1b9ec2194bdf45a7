/** Kills of a clinic with VERI*FACTU: what is printed reaches the tax agency once, in an unbroken chain. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@playwright/test';
import { startFiscalClinic } from '../support/fiscal-clinic.ts';
import type { FiscalClinic } from '../support/fiscal-clinic.ts';
import { readTabletStorage } from './consistency.ts';
import { printedRandom, rounds } from './rounds.ts';
import { killTest } from './testbed.ts';

const fiscalTest = killTest.extend<object, { fiscal: FiscalClinic }>({
  fiscal: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures that a fixture needs from this pattern.
    async ({}, use) => {
      const fiscal = await startFiscalClinic();
      await use(fiscal);
      await fiscal.destroy();
    },
    { scope: 'worker' },
  ],
  clinic: [async ({ fiscal }, use) => use(fiscal.clinic), { scope: 'worker' }],
});

fiscalTest(
  `sends each printed invoice to the tax agency once when Chromium and the server are killed ${rounds} times`,
  async ({ testbed, fiscal }) => {
    fiscalTest.setTimeout(120_000 + rounds * 40_000);
    const { clinic, browser, workload, settle } = testbed;
    const before = workload.invoiceNumbers.length;
    const random = printedRandom('verifactu');
    const killServer = async (): Promise<void> => {
      await sleep(random.between(0, 6000));
      await clinic.stop('SIGKILL');
      await sleep(random.between(0, 500));
      await clinic.start();
    };
    for (let round = 0; round < rounds; round++) {
      const server = killServer();
      const kill = sleep(random.between(300, 2500)).then(() => browser.kill());
      await workload.sellDuring(() => browser.tablet, kill, { mayBeInterrupted: true });
      await server;
      await browser.start();
      await browser.open();
      await workload.sell(browser.tablet);
      // Half of the kills hit the server while it sends, or shortly after.
      if (random.happens(1 / 2)) await killServer();
      await settle();
    }
    expect(workload.invoiceNumbers.length - before).toBeGreaterThanOrEqual(rounds);
    const { invoices } = await readTabletStorage(browser.tablet.page);
    await fiscal.expectAllAccepted(invoices);
  },
);
