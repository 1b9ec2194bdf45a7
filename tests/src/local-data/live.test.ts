import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { calmQuery, onChange, sharedQuery } from '#src/local-data/live.ts';
import { openTablet } from '../db/tablet.ts';
import type { OfflineTablet } from '../db/tablet.ts';
import { eventually } from '#tests/support/eventually.ts';

let tablet: OfflineTablet;
const stops: (() => void)[] = [];
beforeEach(async () => {
  tablet = await openTablet();
});
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
  tablet.close();
});

const rooms = (number: string) => tablet.db.rooms.put({ id: 1, number } as never);
const later = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('the first change of a table is reported at once, and the next ones together', async () => {
  const listener = vi.fn();
  stops.push(onChange([tablet.db.rooms], listener));
  await rooms('1');
  await eventually(() => expect(listener).toHaveBeenCalledTimes(1));
  for (const number of ['2', '3', '4']) await rooms(number);
  await eventually(() => expect(listener.mock.calls.length).toBeGreaterThan(1));
  await later(300);
  expect(listener).toHaveBeenCalledTimes(2);
});

test('changes of other tables are not reported, nor any after the end', async () => {
  const listener = vi.fn();
  const stop = onChange([tablet.db.drawers], listener);
  await rooms('1');
  await later(20);
  expect(listener).not.toHaveBeenCalled();
  await tablet.db.drawers.put({ id: 'a' } as never);
  stop();
  await later(20);
  expect(listener).not.toHaveBeenCalled();
});

test('a query runs again after a change and ends with the last value', async () => {
  const seen: number[] = [];
  stops.push(calmQuery([tablet.db.categories], () => tablet.db.categories.count())((count) => seen.push(count)));
  await eventually(() => expect(seen).toEqual([0]));
  for (const id of [1, 2, 3]) await tablet.db.categories.put({ id, name: 'Care', color: null } as never);
  await eventually(() => expect(seen.at(-1)).toBe(3));
});

test('a query that was interrupted runs again without a change, and only its last failure is reported', async () => {
  const report = vi.fn();
  vi.stubGlobal('reportError', report);
  const interrupted = new Error('interrupted');
  const query = vi
    .fn(async () => 'found')
    .mockRejectedValueOnce(interrupted)
    .mockRejectedValueOnce(interrupted);
  const seen: string[] = [];
  stops.push(calmQuery([tablet.db.rooms], query)((value) => seen.push(value)));
  await eventually(() => expect(seen).toEqual(['found']));
  expect(report).not.toHaveBeenCalled();
  const broken = vi.fn(() => Promise.reject(new Error('broken')));
  stops.push(calmQuery([tablet.db.rooms], broken)((value) => seen.push(value)));
  await eventually(() => expect(report).toHaveBeenCalledTimes(1));
  expect(broken).toHaveBeenCalledTimes(4);
  vi.unstubAllGlobals();
});

test('an earlier run that ends late does not replace the result of a later one', async () => {
  let endSlow = (_value: string) => {};
  const slow = new Promise<string>((end) => (endSlow = end));
  const query = vi.fn(() => Promise.resolve('new')).mockReturnValueOnce(slow);
  const seen: string[] = [];
  stops.push(calmQuery([tablet.db.rooms], query)((value) => seen.push(value)));
  await rooms('1');
  await eventually(() => expect(seen).toEqual(['new']));
  endSlow('old');
  await later(5);
  expect(seen).toEqual(['new']);
});

test('components share one query, which ends with the last of them', async () => {
  const query = vi.fn(() => tablet.db.categories.count());
  const { subscribe, latest } = sharedQuery(calmQuery([tablet.db.categories], query));
  const [first, second] = [subscribe(vi.fn()), subscribe(vi.fn())];
  await eventually(() => expect(latest()).toBe(0));
  expect(query).toHaveBeenCalledTimes(1);
  first();
  expect(latest()).toBe(0);
  second();
  expect(latest()).toBeUndefined();
});
