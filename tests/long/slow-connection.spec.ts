import { expect } from '@playwright/test';
import { killTest } from '../kill/testbed.ts';

killTest('SYNC-13 no sale waits for a slow connection, and every sale arrives', async ({ testbed, faultProxy }) => {
  const { browser, workload, settle } = testbed;
  faultProxy.mode = { type: 'slow', delayMs: 400, bytesPerSecond: 20_000 };
  const started = performance.now();
  for (let sale = 0; sale < 4; sale++) await workload.sell(browser.tablet);
  const perSaleMs = (performance.now() - started) / 4;
  expect(perSaleMs).toBeLessThan(3000);
  await settle();
});
