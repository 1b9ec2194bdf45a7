import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openRig } from './rig.ts';
import type { Rig } from './rig.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await openRig();
});
afterEach(() => rig.tablet.close());

const sizes = () => rig.server.batches.map((batch) => batch.length);

describe('SYNC-13 who works', () => {
  test('SYNC-13 two engines at once: one works, nothing is sent twice', async () => {
    for (let count = 0; count < 5; count += 1) await rig.create();
    await Promise.all([rig.engine.run('write'), rig.newEngine().run('write'), rig.engine.run('online')]);
    expect(sizes()).toEqual([5]);
  });

  test('SYNC-13 a write during a round is sent by the next round', async () => {
    let wrote: Promise<void> | undefined;
    rig.server.troubles.push((_call, handle) => {
      wrote = rig.create().then(() => rig.engine.run('write'));
      return handle();
    });
    await rig.engine.run('timer');
    await wrote;
    expect(await rig.statuses()).toEqual(['settled']);
  });

  test('SYNC-13 whoever finds the lock taken looks again', async () => {
    await rig.create();
    await rig.lock(async () => {
      await rig.engine.run('write');
      expect(rig.server.calls).toEqual([]);
    });
    await rig.pass(60_000);
    expect(await rig.statuses()).toEqual(['settled']);
  });
});
