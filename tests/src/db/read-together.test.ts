import { Dexie } from 'dexie';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readTogether } from '#src/db/read-together.ts';
import { neverSynced } from '#src/db/singletons.ts';
import { openTablet } from './tablet.ts';
import type { OfflineTablet } from './tablet.ts';

let tablet: OfflineTablet;
beforeEach(async () => {
  tablet = await openTablet();
  await tablet.db.sync.put(neverSynced);
});
afterEach(() => tablet.close());

/** Ends the running transaction, as Firefox does when the page opens a window in the middle of it. */
const endEarly = () => Dexie.currentTransaction.idbtrans.commit();

/** Reads twice; the first `early` runs lose their transaction in between. */
function readTwice(early: number): { runs: () => number; done: Promise<unknown> } {
  const { db } = tablet;
  let runs = 0;
  const done = readTogether(db, [db.sync, db.device], async () => {
    runs += 1;
    const sync = await db.sync.get('this');
    if (runs <= early) endEarly();
    return [sync?.id, (await db.device.get('this'))?.code];
  });
  return { runs: () => runs, done };
}

test('reads again when the browser ends the transaction in the middle', async () => {
  const { runs, done } = readTwice(1);
  expect(await done).toEqual(['this', expect.any(String)]);
  expect(runs()).toBe(2);
});

test('does not read for ever', async () => {
  const { runs, done } = readTwice(Number.POSITIVE_INFINITY);
  await expect(done).rejects.toThrow();
  expect(runs()).toBe(3);
});

test('passes on an error of the work at once', async () => {
  const { db } = tablet;
  let runs = 0;
  const done = readTogether(db, [db.sync], () => {
    runs += 1;
    return Promise.reject(new RangeError('of the work'));
  });
  await expect(done).rejects.toThrow('of the work');
  expect(runs).toBe(1);
});
