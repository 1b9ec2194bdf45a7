import { rm } from 'node:fs/promises';
import { expect } from '@playwright/test';
import { expectConsistent, outboxDrained } from '../kill/consistency.ts';
import { CounterBrowser } from '../kill/counter-browser.ts';
import { backupOf, booked, tool } from '../kill/maintenance.ts';
import { SalesWorkload } from '../kill/sales-workload.ts';
import { killTest } from '../kill/testbed.ts';
import { chromiumOptions } from '../support/chromium.ts';
import { copyBuild, release, ServerProcess } from '../support/server-process.ts';

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
    // A restore ends all sessions.
    await expect(browser.tablet.pill).toContainText('Sign in', { timeout: 30_000 });
    await browser.tablet.signInAgain();
    await expect
      .poll(() => booked(clinic, workload.invoiceNumbers), { timeout: 60_000 })
      .toEqual(workload.invoiceNumbers);
    await settle();
  },
);

killTest('SYNC-16 a tablet that was enrolled after the backup signs in again and delivers its sales', async () => {
  killTest.slow();
  // A restore ends all sessions, also that of a testbed which other tests share.
  const clinic = await ServerProcess.create();
  await tool(clinic, 'backup', backupOf(clinic));
  const browser = await CounterBrowser.create(clinic, chromiumOptions);
  try {
    const workload = new SalesWorkload();
    const { tablet } = browser;
    for (let sale = 0; sale < 2; sale++) await workload.sell(tablet);
    await outboxDrained(tablet.page);
    await tool(clinic, 'restore', backupOf(clinic));
    await workload.sell(tablet);
    await expect(tablet.pill).toContainText('Sign in', { timeout: 30_000 });
    await tablet.signInAgain();
    await workload.sell(tablet);
    await expect
      .poll(() => booked(clinic, workload.invoiceNumbers), { timeout: 60_000 })
      .toEqual(workload.invoiceNumbers.toSorted());
    await outboxDrained(tablet.page);
  } finally {
    await browser.destroy();
    await clinic.destroy();
  }
});

killTest(
  'SYNC-8 SYNC-16 every sale of a tablet is delivered once after a restore, an app update and a new password while it was offline',
  async () => {
    killTest.slow();
    const build = await copyBuild();
    const clinic = await ServerProcess.create({}, build);
    const browser = await CounterBrowser.create(clinic, chromiumOptions);
    try {
      const workload = new SalesWorkload();
      const { tablet } = browser;
      const { page, context } = tablet;
      await workload.sell(tablet);
      await outboxDrained(page);
      await tool(clinic, 'backup', backupOf(clinic));

      // The tablet has the receipt of this sale. The restore removes it from the server, together with the back-office treatment below.
      await workload.sell(tablet);
      await outboxDrained(page);
      await context.setOffline(true);
      await workload.sell(tablet);
      const backOffice = await clinic.api<{ data: { id: string } }>('/orders', {
        items: [{ stock_id: 1, quantity: 1 }],
        order_type: 'walk_in',
      });

      await tool(clinic, 'restore', backupOf(clinic));
      expect(await clinic.query('select id from orders where id = $1', [backOffice.data.id])).toEqual([]);
      await clinic.stop();
      await release(build);
      await clinic.start();
      const { data: staff } = await clinic.api<{ data: { id: number }[] }>('/users?search=counter@demo.test');
      await clinic.api(`/users/${staff[0]!.id}`, { password: 'another-word-at-the-counter' }, 'PUT');
      await workload.sell(tablet);

      // The restored server does not know the old session, so nothing is sent; the counter keeps selling.
      await context.setOffline(false);
      await expect(tablet.pill).toContainText('Sign in', { timeout: 30_000 });
      await workload.sell(tablet);
      expect(await booked(clinic, workload.invoiceNumbers)).toEqual(workload.invoiceNumbers.slice(0, 1));

      await tablet.signInAgain('counter', 'another-word-at-the-counter');
      await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
      await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Update now' }).click()]);
      await expect(page.locator('meta[name=release]')).toHaveAttribute('content', 'next');
      await tablet.counterReady();
      await workload.sell(tablet);

      await expect
        .poll(() => booked(clinic, workload.invoiceNumbers), { timeout: 60_000 })
        .toEqual(workload.invoiceNumbers);
      await outboxDrained(page);
      await expectConsistent(clinic, page, workload.invoiceNumbers);
    } finally {
      await browser.destroy();
      await clinic.destroy();
      await rm(build, { recursive: true, force: true });
    }
  },
);
