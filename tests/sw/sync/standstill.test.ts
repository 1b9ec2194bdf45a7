import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { askHolder, engineChannel } from '#src/db/engine-messages.ts';
import { createLock } from '#sw/sync/lock.ts';
import type { Net } from '#sw/sync/ports.ts';
import { longStorageLimitMs, watchCalls } from '#sw/sync/standstill.ts';
import type { SyncStore } from '#sw/sync/store.ts';
import { openRig } from './rig.ts';
import type { Rig } from './rig.ts';

/** The ports of a tablet, of which one call gets no answer, or gets it when it is released. */
function portsOf(rig: Rig, unanswered: number) {
  const names: string[] = [];
  let release = () => {};
  let reach = () => {};
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const released = new Promise<void>((resolve) => (release = resolve));
  async function call<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    names.push(name);
    if (names.length === unanswered) {
      reach();
      await released;
    }
    return work();
  }
  const store = Object.fromEntries(
    Object.entries(rig.store).map(([name, work]: [string, (...given: never[]) => Promise<unknown>]) => [
      name,
      (...given: never[]) => call(name, () => work(...given)),
    ]),
  ) as unknown as SyncStore;
  const net: Net = (request) => call('net', () => rig.server.net(request));
  return { store, net, names, reached, release };
}

/** Makes a sale on a tablet that has synchronised before. */
async function soldOne(): Promise<Rig> {
  const rig = await openRig();
  await rig.engine.run('signed-in');
  await rig.sell();
  return rig;
}

const calls = async (): Promise<string[]> => {
  const rig = await soldOne();
  const { store, net, names } = portsOf(rig, 0);
  await rig.newEngine({ store, net }).run('online');
  expect(await rig.statuses()).toEqual(['settled', 'settled']);
  rig.tablet.close();
  return names;
};

describe('SYNC-13 an engine that gets no answer', () => {
  test('SYNC-13 lets the lock go at every await, and no work is lost or done twice', async () => {
    const names = await calls();
    expect(new Set(names).size).toBeGreaterThan(7);
    for (let nth = 1; nth <= names.length; nth++) {
      const at = `call ${nth}, ${names[nth - 1]}`;
      const rig = await soldOne();
      const { store, net, reached, release } = portsOf(rig, nth);
      const givenUp: string[] = [];
      const watch = watchCalls(rig.clock, ({ name }) => givenUp.push(name));
      const stuck = rig.newEngine({ store: watch.store(store), net: watch.net(net) });
      const ended = stuck.run('online').catch(() => undefined);
      await reached;
      expect(watch.steps(), at).toHaveLength(1);
      expect(await rig.lock(async () => {}), at).toBe(false);
      await rig.pass(longStorageLimitMs);
      await ended;
      expect(givenUp, at).toHaveLength(1);
      expect(await rig.lock(async () => {}), at).toBe(true);

      await rig.engine.run('asked');
      expect(await rig.statuses(), at).toEqual(['settled', 'settled']);
      // The answer comes after all.
      release();
      await new Promise((resolve) => setTimeout(resolve, 5));
      await rig.engine.run('asked');
      expect(await rig.statuses(), at).toEqual(['settled', 'settled']);
      expect(
        [...rig.server.receipts.values()].map(({ status }) => status),
        at,
      ).toEqual(Array(3).fill('applied'));
      const [order, ...others] = await rig.tablet.db.orders.toArray();
      expect([order?.status, order?.balanceMinor, others], at).toEqual(['completed', 0, []]);
      rig.tablet.close();
    }
  });
});

describe('SYNC-13 the lock of the browser', () => {
  /** The browser's locks, of which a holder that was killed may remain. */
  class Locks {
    held = false;
    isSilent = false;
    async request(_name: string, options: LockOptions, work: (lock: object | null) => Promise<unknown>) {
      if (this.isSilent) return new Promise(() => {});
      if (this.held && !options.steal) return work(null);
      this.held = true;
      try {
        return await work({});
      } finally {
        this.held = false;
      }
    }
  }
  let locks: Locks;
  beforeEach(() => {
    locks = new Locks();
    vi.stubGlobal('navigator', { locks });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });
  const after = async (ms: number) => {
    // Messages between channels arrive in turns of the event loop, which the fake timers don't hold.
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    await vi.advanceTimersByTimeAsync(ms);
  };

  test('SYNC-13 a holder that answers keeps the lock, and tells what it waits for', async () => {
    const step = { name: 'applyFeed', sinceMs: Date.now() };
    const holder = createLock('worker', () => [step]);
    let end = () => {};
    void holder.lock(() => new Promise<void>((resolve) => (end = resolve)));
    const heldSinceMs = Date.now();
    const { lock } = createLock('page', () => []);
    for (let attempt = 0; attempt < 20; attempt++) {
      const worked = lock(async () => {});
      await after(2000);
      expect(await worked).toBe(false);
    }
    const told = askHolder();
    await after(0);
    expect(await told).toMatchObject({ host: 'worker', heldSinceMs, steps: [step] });
    end();
  });

  test('SYNC-13 the lock of a holder that does not answer is taken from it, and the pages hear of it', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    const heard: unknown[] = [];
    const page = new BroadcastChannel(engineChannel);
    page.addEventListener('message', ({ data }: MessageEvent) => heard.push(data));
    locks.held = true;
    const { lock } = createLock('worker', () => []);
    let works = 0;
    for (let waitedMs = 0; works === 0 && waitedMs < 60_000; waitedMs += 4000) {
      const worked = lock(async () => void works++);
      await after(4000);
      expect(await worked).toBe(works > 0);
      if (waitedMs < 12_000) expect(works).toBe(0);
    }
    expect(works).toBe(1);
    await after(0);
    expect(heard).toContainEqual({ type: 'taken', host: 'worker' });
    page.close();
  });

  test('SYNC-13 a browser that does not say whether the lock is free holds nothing up', async () => {
    locks.isSilent = true;
    const { lock } = createLock('worker', () => []);
    const worked = lock(async () => {});
    await after(5000);
    await after(2000);
    expect(await worked).toBe(false);
  });
});
