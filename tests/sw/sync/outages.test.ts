import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { takePayment } from '#src/db/commands/payments.ts';
import { listOutages } from '#src/db/queries/tray.ts';
import { error, lost, none } from './clinic-server.ts';
import { valueOf } from '#tests/src/db/tablet.ts';
import { openRig } from './rig.ts';
import type { Rig } from './rig.ts';

let rig: Rig;
let start: number;
beforeEach(async () => {
  rig = await openRig();
  await rig.engine.run('signed-in');
  start = rig.tablet.clock.now;
});
afterEach(() => rig.tablet.close());

const diary = () => listOutages(rig.tablet.db, rig.tablet.clock.now);
const goOffline = () => {
  rig.server.rule = lost;
};
const comeBack = async () => {
  rig.server.rule = none;
  await rig.engine.run('online');
};

describe('SYNC-13 the diary of outages', () => {
  test('records the beginning and the end of an outage, and the number and the amount of its sales', async () => {
    goOffline();
    await rig.sell();
    await rig.engine.run('write');
    await rig.pass(3_600_000);
    await rig.sell(2);
    const orderId = await rig.create(3);
    valueOf(await takePayment(rig.tablet, { orderId, method: 'card', tenderedMinor: 500 }));
    expect(await diary()).toEqual([{ started_at: start, ended_at: null, sales: 3, amount_minor: 3500 }]);
    await comeBack();
    expect(await diary()).toEqual([{ started_at: start, ended_at: start + 3_600_000, sales: 3, amount_minor: 3500 }]);
  });

  test('counts the sale that noticed the outage, and counts no sale twice when the connection fails again', async () => {
    await rig.sell();
    goOffline();
    await rig.engine.run('write');
    await rig.pass(60_000);
    // The line is back for one pull only: what waits does not get through.
    rig.server.rule = (call, handle) => (call.path.startsWith('/sync/batch') ? null : handle());
    await rig.engine.run('asked');
    goOffline();
    await rig.pass(60_000);
    await rig.sell(2);
    await rig.pass(60_000);
    await comeBack();
    const entries = await diary();
    expect(entries.reduce((sum, { sales }) => sum + sales, 0)).toBe(2);
    expect(entries.reduce((sum, { amount_minor }) => sum + amount_minor, 0)).toBe(3000);
    expect(entries.every(({ ended_at }) => ended_at !== null)).toBe(true);
  });

  test('survives the worker: another engine ends the outage that the first one began', async () => {
    goOffline();
    await rig.sell();
    await rig.engine.run('write');
    await rig.pass(120_000);
    rig.server.rule = none;
    await rig.newEngine().run('signed-in');
    expect(await diary()).toEqual([{ started_at: start, ended_at: start + 120_000, sales: 1, amount_minor: 1000 }]);
  });

  test('ignores a short outage without a sale, and records one with a sale', async () => {
    goOffline();
    await rig.engine.run('asked');
    await rig.pass(3_000);
    await comeBack();
    expect(await diary()).toEqual([]);
    goOffline();
    await rig.sell();
    await rig.engine.run('write');
    await comeBack();
    expect(await diary()).toMatchObject([{ sales: 1 }]);
  });

  test('records no outage when only a sign-in is missing', async () => {
    rig.server.rule = error(401, 'SESSION_EXPIRED');
    await rig.sell();
    await rig.engine.run('write');
    await rig.pass(600_000);
    expect(await diary()).toEqual([]);
    rig.server.rule = none;
  });

  test('keeps the latest thirty outages', async () => {
    for (let round = 0; round < 33; round += 1) {
      goOffline();
      await rig.engine.run('asked');
      await rig.pass(60_000);
      await comeBack();
      await rig.pass(60_000);
    }
    const entries = await diary();
    expect(entries).toHaveLength(30);
    expect(entries[0]!.started_at).toBeGreaterThan(entries[29]!.started_at);
    expect(await rig.tablet.db.outages.count()).toBe(30);
  });
});
