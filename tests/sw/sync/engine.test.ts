import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { error, lost, none, says } from './clinic-server.ts';
import { openRig } from './rig.ts';
import type { Rig } from './rig.ts';

let rig: Rig;
beforeEach(async () => {
  rig = await openRig();
});
afterEach(() => rig.tablet.close());

const sizes = () => rig.server.batches.map((batch) => batch.length);

describe('SYNC-13 the lock', () => {
  test('SYNC-13 one of two engines works at a time, and nothing is sent twice', async () => {
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

  test('SYNC-13 an engine that finds the lock taken tries again', async () => {
    await rig.create();
    await rig.lock(async () => {
      await rig.engine.run('write');
      expect(rig.server.calls).toEqual([]);
    });
    await rig.pass(60_000);
    expect(await rig.statuses()).toEqual(['settled']);
  });
});

const isBatch = ({ path }: { path: string }) => path.startsWith('/sync/batch');

describe('SYNC-13 the browser’s own event', () => {
  beforeEach(async () => {
    await rig.engine.run('signed-in');
    rig.server.calls.length = 0;
  });

  test('SYNC-13 a sync event joins the run that it was registered for', async () => {
    await rig.create();
    await Promise.all([rig.engine.run('write'), rig.engine.run('background')]);
    expect(rig.server.calls).toHaveLength(1);
    expect(await rig.statuses()).toEqual(['settled']);
  });

  test('SYNC-6 a sync event ends no wait', async () => {
    await rig.sell();
    const unavailable = { success: false, code: 'UNAVAILABLE', message: '' };
    rig.server.rule = (call, handle) => (isBatch(call) ? says(503, unavailable, 300_000)(call, handle) : handle());
    await rig.engine.run('write');
    const before = rig.server.calls.length;
    for (let event = 0; event < 3; event += 1) await rig.engine.run('background');
    expect(rig.server.calls).toHaveLength(before);
    expect(rig.engine.waitsUntil() - rig.tablet.clock.now).toBe(300_000);
    rig.server.rule = none;
    await rig.pass(300_000);
    await rig.engine.run('background');
    expect(await rig.statuses()).toEqual(['settled', 'settled']);
  });

  test('SYNC-13 a sync event lets a worker that has just started send', async () => {
    await rig.create();
    await rig.newEngine().run('background');
    expect(await rig.statuses()).toEqual(['settled']);
  });

  test('SYNC-13 a wake-up that comes during a run causes no further round', async () => {
    await rig.create();
    rig.server.rule = lost;
    await rig.engine.run('write');
    rig.server.rule = none;
    rig.server.troubles.push((_call, handle) => {
      void rig.pass(1500);
      return handle();
    });
    rig.server.calls.length = 0;
    await rig.engine.run('online');
    expect(rig.server.calls.filter(isBatch)).toHaveLength(1);
    expect(rig.server.calls).toHaveLength(1);
  });
});

describe('SYNC-6 the return of the server', () => {
  test('SYNC-6 what waited for the server is sent as soon as it answers a pull', async () => {
    await rig.sell();
    rig.server.rule = lost;
    await rig.engine.run('write');
    for (let outage = 0; outage < 6; outage += 1) await rig.pass(60_000);
    rig.server.rule = (call, handle) => {
      if (isBatch(call)) return null;
      rig.server.rule = none;
      return handle();
    };
    await rig.engine.run('reached');
    expect(await rig.statuses()).toEqual(['settled', 'settled']);
  });

  test('SYNC-6 a probe that reaches the server ends the waits for it', async () => {
    await rig.sell();
    rig.server.rule = lost;
    await rig.engine.run('write');
    for (let outage = 0; outage < 6; outage += 1) await rig.pass(60_000);
    rig.server.rule = none;
    await rig.engine.run('timer');
    expect(await rig.statuses()).not.toContain('settled');
    await rig.engine.run('reached');
    expect(await rig.statuses()).toEqual(['settled', 'settled']);
  });

  test('SYNC-6 a probe does not end a wait that the server has asked for', async () => {
    await rig.sell();
    rig.server.rule = (call, handle) =>
      isBatch(call) ? says(503, { success: false, code: 'UNAVAILABLE', message: '' }, 300_000)(call, handle) : handle();
    await rig.engine.run('write');
    const calls = () => rig.server.calls.filter(isBatch).length;
    const before = calls();
    await rig.engine.run('reached');
    expect(calls()).toBe(before);
  });

  test('SYNC-6 uploads that fail while pulls succeed keep their backoff', async () => {
    await rig.sell();
    rig.server.rule = (call, handle) => (isBatch(call) ? error(500, 'INTERNAL')(call, handle) : handle());
    await rig.engine.run('write');
    await rig.engine.run('timer');
    expect(rig.server.calls.filter(isBatch)).toHaveLength(1);
  });
});

describe('SYNC-15 a run that fails', () => {
  const full = () => Object.assign(new Error('full'), { name: 'QuotaExceededError' });

  test('SYNC-15 a storage fault rejects the run, and the next run starts by itself', async () => {
    await rig.create();
    vi.spyOn(rig.store, 'selectBatch').mockRejectedValueOnce(full());
    await expect(rig.engine.run('write')).rejects.toThrow('full');
    expect(rig.faults).toEqual([]);
    await rig.pass(2000);
    expect(await rig.statuses()).toEqual(['settled']);
  });

  test('SYNC-15 a failed wake-up is reported and schedules another with a longer delay', async () => {
    await rig.create();
    const take = vi.spyOn(rig.store, 'selectBatch').mockRejectedValue(full());
    await expect(rig.engine.run('write')).rejects.toThrow('full');
    for (const [index, waitMs] of [1500, 2500, 4500].entries()) {
      await rig.pass(waitMs - 1);
      expect(rig.faults).toHaveLength(index);
      await rig.pass(1);
      expect(rig.faults).toHaveLength(index + 1);
    }
    take.mockRestore();
    await rig.pass(8500);
    expect(await rig.statuses()).toEqual(['settled']);
  });

  test('SYNC-15 a storage fault does not lose a person’s request', async () => {
    await rig.create();
    rig.server.rule = lost;
    await rig.engine.run('write');
    rig.server.rule = none;
    const wake = vi.spyOn(rig.store, 'wake').mockRejectedValueOnce(full());
    await expect(rig.engine.run('asked')).rejects.toThrow('full');
    await rig.pass(1500);
    expect(wake.mock.calls.filter(([whose]) => whose === 'asked')).toHaveLength(2);
    expect(await rig.statuses()).toEqual(['settled']);
  });

  test('SYNC-15 a successful run resets the delay', async () => {
    const take = vi.spyOn(rig.store, 'selectBatch').mockRejectedValueOnce(full()).mockRejectedValueOnce(full());
    await expect(rig.engine.run('write')).rejects.toThrow('full');
    await rig.pass(1500);
    await rig.pass(2500);
    take.mockRejectedValueOnce(full());
    await expect(rig.engine.run('write')).rejects.toThrow('full');
    await rig.create();
    await rig.pass(1500);
    expect(await rig.statuses()).toEqual(['settled']);
  });
});
