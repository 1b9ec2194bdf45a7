import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { OrderBase } from '#src/db/database.ts';
import { rowsByKey } from '#src/db/neighbours.ts';
import { openTablet } from './tablet.ts';
import type { OfflineTablet } from './tablet.ts';

let tablet: OfflineTablet;
beforeEach(async () => {
  tablet = await openTablet();
});
afterEach(() => tablet.close());

const key = (place: number): string => `k${String(place).padStart(4, '0')}`;
const keys = (...places: number[]): string[] => places.map(key);

async function store(places: readonly number[]): Promise<void> {
  await tablet.db.order_bases.bulkPut(places.map((place): OrderBase => ({ id: key(place), order: null })));
}

/** Returns the keys of the found rows, and how many rows were read one by one. */
async function read(wanted: readonly string[]): Promise<{ found: string[]; single: number }> {
  const bulkGet = vi.spyOn(tablet.db.order_bases, 'bulkGet');
  const rows = await rowsByKey(tablet.db.order_bases, wanted);
  for (const [id, row] of rows) expect(row.id).toBe(id);
  const single = bulkGet.mock.calls.reduce((sum, [asked]) => sum + asked.length, 0);
  bulkGet.mockRestore();
  return { found: wanted.filter((id) => rows.has(id)), single };
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index);

test('reads nothing for no keys', async () => {
  await store([1]);
  expect((await rowsByKey(tablet.db.order_bases, [])).size).toBe(0);
});

test('reads neighbours with one read of their range, in any order and with repetitions', async () => {
  await store(range(0, 100));
  const wanted = keys(12, 10, 11, 10, 14, 13);
  expect(await read(wanted)).toEqual({ found: wanted, single: 0 });
});

test('leaves out rows that do not exist, at the ends of the range and within it', async () => {
  await store([11, 13]);
  expect(await read(keys(10, 11, 12, 13, 14))).toEqual({ found: keys(11, 13), single: 0 });
});

test('reads the keys beyond too many strangers one by one', async () => {
  await store(range(0, 100));
  // Room for six rows, and ninety-seven lie between.
  expect(await read(keys(0, 1, 99))).toEqual({ found: keys(0, 1, 99), single: 1 });
});

test('finds a wanted row in the last place that the range read has room for, and the one after it', async () => {
  await store(range(0, 10));
  expect(await read(keys(0, 3))).toEqual({ found: keys(0, 3), single: 0 });
  expect(await read(keys(0, 4))).toEqual({ found: keys(0, 4), single: 1 });
});

test('one key costs one read', async () => {
  await store([5]);
  expect(await read(keys(5))).toEqual({ found: keys(5), single: 0 });
  expect(await read(keys(6))).toEqual({ found: [], single: 0 });
});
