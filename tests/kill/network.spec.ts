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
    // Each sale is a treatment, a payment and a fiscal record.
    expect(operations.filter(({ status }) => status !== 'settled')).toHaveLength(9);
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
    const applied = async (): Promise<string[]> => {
      const rows = await clinic.query<{ op_id: string }>(
        `select op_id from sync_ops where device_id = (select max(device_id) from device_codes)`,
      );
      return rows.map(({ op_id }) => op_id).filter((id) => !earlier.has(id));
    };
    // Each cut makes the tablet send the same operations again. It also ends a pull, which would wait 30 s for its reply.
    const sendAgain = async (): Promise<{ sentAgain: number; settled: number }> => {
      faultProxy.cut();
      // The event ends the wait before the next attempt.
      await page.evaluate(() => dispatchEvent(new Event('online')));
      const ids = await applied();
      const operations = (await readTabletStorage(page)).operations.filter(({ op_id }) => ids.includes(op_id));
      return {
        sentAgain: operations.filter(({ attempts }) => attempts > 1).length,
        settled: operations.filter(({ status }) => status === 'settled').length,
      };
    };
    await expect
      .poll(sendAgain, { timeout: 40_000, intervals: [500, 1000, 2000] })
      .toEqual({ sentAgain: 3, settled: 0 });

    faultProxy.mode = { type: 'pass' };
    faultProxy.cut();
    await settle();
  },
);
