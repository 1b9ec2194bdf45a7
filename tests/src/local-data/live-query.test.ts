import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { liveQuery } from '#src/local-data/live.ts';
import { openTablet } from '../db/tablet.ts';
import type { OfflineTablet } from '../db/tablet.ts';
import { eventually } from '#tests/support/eventually.ts';

let tablet: OfflineTablet;
const ends: (() => void)[] = [];
beforeEach(async () => {
  tablet = await openTablet();
});
afterEach(() => {
  for (const end of ends.splice(0)) end();
  tablet.close();
});

const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const addCategory = (id: number) => tablet.db.categories.put({ id, name: 'Care', color: null } as never);

/**
 * Observes the numbers of categories by a query whose transaction ends between its two reads, as long as `isInterrupted` says so:
 * while Firefox opens a window, promises wait, and a transaction without a request commits.
 */
function observe(isInterrupted: (attempt: number) => boolean) {
  const { db } = tablet;
  const seen: number[][] = [];
  const failures: string[] = [];
  const query = vi.fn((): Promise<number[]> => {
    const attempt = query.mock.calls.length;
    return db.transaction('r', db.categories, async () => {
      await db.categories.count();
      if (isInterrupted(attempt)) await later(5);
      return db.categories.toCollection().primaryKeys();
    });
  });
  const { unsubscribe } = liveQuery(query).subscribe(
    (found) => seen.push(found),
    (error) => failures.push((error as Error).name),
  );
  ends.push(unsubscribe);
  return { query, seen, failures, unsubscribe };
}

test('a query that is interrupted by a window and its print finds its value, and follows the changes after it', async () => {
  const { query, seen, failures } = observe((attempt) => attempt <= 3);
  await eventually(() => expect(seen).toEqual([[]]));
  expect(query).toHaveBeenCalledTimes(4);
  await addCategory(1);
  await eventually(() => expect(seen).toEqual([[], [1]]));
  expect(failures).toEqual([]);
});

test('a change that comes between two attempts is in the value', async () => {
  const { query, seen } = observe((attempt) => attempt <= 2);
  await eventually(() => expect(query).toHaveBeenCalledTimes(2));
  await addCategory(1);
  await eventually(() => expect(seen).toEqual([[1]]));
});

test('a query that found its value has all its attempts again', async () => {
  let interruptions = 3;
  const { seen, failures } = observe(() => interruptions-- > 0);
  await eventually(() => expect(seen).toEqual([[]]));
  interruptions = 3;
  await addCategory(1);
  await eventually(() => expect(seen).toEqual([[], [1]]));
  expect(failures).toEqual([]);
});

test('a query that fails four times reports its last failure once', async () => {
  const { query, seen, failures } = observe(() => true);
  await eventually(() => expect(failures).toEqual(['TransactionInactiveError']));
  await later(50);
  expect([query.mock.calls.length, failures.length, seen.length]).toEqual([4, 1, 0]);
});

test('a query that nobody observes any more is not tried again', async () => {
  const { query, unsubscribe } = observe(() => true);
  await eventually(() => expect(query).toHaveBeenCalledTimes(3));
  // The last pause is the longest one.
  await later(20);
  unsubscribe();
  await later(800);
  expect(query).toHaveBeenCalledTimes(3);
});
