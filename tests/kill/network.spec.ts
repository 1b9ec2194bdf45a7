import { expect } from '@playwright/test';
import { ask, tabletBooks } from './audit.ts';
import { test } from './scene.ts';

test('SYNC-13 a server that is up but dead: the counter sells on, and all is sent when it lives', async ({
  scene,
  line,
}) => {
  const { machine, clerk, settle } = scene;
  line.mode = { type: 'swallow' };
  for (let sale = 0; sale < 3; sale++) await clerk.sell(machine.tablet);
  const waiting = (await tabletBooks(machine.tablet.page)).operations.filter(({ status }) => status !== 'settled');
  expect(waiting).toHaveLength(6);
  line.mode = { type: 'pass' };
  line.cut();
  await settle();
});

test('SYNC-4 a half-open line: applied, its answer lost, sent again and booked exactly once', async ({
  scene,
  clinic,
  line,
}) => {
  const { machine, clerk, settle } = scene;
  line.mode = { type: 'half-open' };
  // Only a new connection is half open from its first byte on.
  line.cut();
  await clerk.sell(machine.tablet);
  const receipts = () =>
    ask<{ op_id: string }>(
      clinic,
      `select op_id from sync_ops where device_id = (select max(device_id) from device_codes)`,
    );
  await expect.poll(async () => (await receipts()).length, { timeout: 20_000 }).toBeGreaterThan(0);
  const applied = (await receipts()).map(({ op_id }) => op_id);
  const statesOfApplied = async () =>
    (await tabletBooks(machine.tablet.page)).operations.filter(({ op_id }) => applied.includes(op_id));
  expect((await statesOfApplied()).map(({ status }) => status)).toEqual(applied.map(() => 'sending'));

  // The line breaks under it time and again, so it is sent again and again, before any word comes back.
  const leastAttempts = async (): Promise<number> => {
    line.cut();
    return Math.min(...(await statesOfApplied()).map(({ attempts }) => attempts));
  };
  await expect.poll(leastAttempts, { timeout: 30_000, intervals: [500] }).toBeGreaterThan(1);

  line.mode = { type: 'pass' };
  line.cut();
  await settle();
});

test('SYNC-13 a slow line: no sale waits for it, and all arrives', async ({ scene, line }) => {
  const { machine, clerk, settle } = scene;
  line.mode = { type: 'slow', delayMs: 400, bytesPerSecond: 20_000 };
  const started = performance.now();
  for (let sale = 0; sale < 4; sale++) await clerk.sell(machine.tablet);
  const perSaleMs = (performance.now() - started) / 4;
  expect(perSaleMs).toBeLessThan(3000);
  await settle();
});
