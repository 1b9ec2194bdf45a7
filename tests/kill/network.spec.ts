import { expect } from '@playwright/test';
import { readTabletStorage } from './consistency.ts';
import { killTest } from './testbed.ts';

killTest(
  'SYNC-13 the counter keeps selling while the server accepts connections and never answers, and sends everything afterwards',
  async ({ testbed, faultProxy }) => {
    const { browser, workload, settle } = testbed;
    faultProxy.mode = { type: 'swallow' };
    for (let sale = 0; sale < 3; sale++) await workload.sell(browser.tablet);
    const { operations } = await readTabletStorage(browser.tablet.page);
    expect(operations.filter(({ status }) => status !== 'settled')).toHaveLength(6);
    faultProxy.mode = { type: 'pass' };
    faultProxy.cut();
    await settle();
  },
);

killTest(
  'SYNC-4 the server applies operations exactly once when a half-open connection loses every reply',
  async ({ testbed, clinic, faultProxy }) => {
    const { browser, workload, settle } = testbed;
    const { page } = browser.tablet;
    const earlier = new Set((await readTabletStorage(page)).operations.map(({ op_id }) => op_id));
    faultProxy.mode = { type: 'half-open' };
    // Only a new connection is half-open from its first byte.
    faultProxy.cut();
    await workload.sell(browser.tablet);
    const receipts = async () => {
      const rows = await clinic.query<{ op_id: string }>(
        `select op_id from sync_ops where device_id = (select max(device_id) from device_codes)`,
      );
      return rows.filter(({ op_id }) => !earlier.has(op_id));
    };
    await expect.poll(async () => (await receipts()).length, { timeout: 20_000 }).toBeGreaterThan(0);
    const applied = (await receipts()).map(({ op_id }) => op_id);
    const statesOfApplied = async () =>
      (await readTabletStorage(page)).operations.filter(({ op_id }) => applied.includes(op_id));
    expect((await statesOfApplied()).map(({ status }) => status)).toEqual(applied.map(() => 'sending'));

    // Each cut makes the tablet send the same operations again, before any reply has arrived.
    const leastAttempts = async (): Promise<number> => {
      faultProxy.cut();
      // The event ends the wait before the next attempt.
      await page.evaluate(() => dispatchEvent(new Event('online')));
      return Math.min(...(await statesOfApplied()).map(({ attempts }) => attempts));
    };
    await expect.poll(leastAttempts, { timeout: 30_000, intervals: [500] }).toBeGreaterThan(1);

    faultProxy.mode = { type: 'pass' };
    faultProxy.cut();
    await settle();
  },
);
