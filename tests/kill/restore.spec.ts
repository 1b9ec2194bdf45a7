import { expect } from '@playwright/test';
import { backupOf, booked, tool } from './maintenance.ts';
import { killTest } from './testbed.ts';

killTest(
  'SYNC-16 every sale returns exactly once after the running server is restored from an earlier backup',
  async ({ testbed, clinic, faultProxy }) => {
    killTest.slow();
    const { browser, workload, settle } = testbed;
    await workload.sell(browser.tablet);
    await settle();
    const backedUp = workload.invoiceNumbers.length;
    expect(await tool(clinic, 'backup', backupOf(clinic))).toContain('read back and complete');

    for (let sale = 0; sale < 2; sale++) await workload.sell(browser.tablet);
    await settle();
    faultProxy.mode = { type: 'swallow' };
    await workload.sell(browser.tablet);
    await tool(clinic, 'restore', backupOf(clinic));
    expect(await booked(clinic, workload.invoiceNumbers)).toEqual(workload.invoiceNumbers.slice(0, backedUp));

    faultProxy.mode = { type: 'pass' };
    faultProxy.cut();
    await workload.sell(browser.tablet);
    await expect
      .poll(() => booked(clinic, workload.invoiceNumbers), { timeout: 60_000 })
      .toEqual(workload.invoiceNumbers);
    await settle();
  },
);
