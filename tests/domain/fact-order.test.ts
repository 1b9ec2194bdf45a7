import { describe, expect, test } from 'vitest';
import { compareText } from '#domain/compare-text.ts';
import { comparePlaces, placeAmong, placeOf } from '#domain/fact-order.ts';
import type { FactPlace } from '#domain/fact-order.ts';

const at = (atMs: number, deviceSeq: number, deviceId = 1): FactPlace => ({ atMs, deviceId, deviceSeq });

describe('SYNC-11 the place of a fact', () => {
  test.each<[string, FactPlace, FactPlace[], number]>([
    ['is at its time, when it is alone', at(50, 2), [], 50],
    ['is not before an earlier fact of its device', at(50, 2), [at(70, 1)], 70],
    ['is not after a later fact of its device', at(50, 2), [at(30, 3)], 30],
    ['lies between both, and the later one wins', at(50, 2), [at(70, 1), at(60, 3)], 60],
    ['leaves out other devices', at(50, 2), [at(70, 1, 2), at(30, 3, 2)], 50],
    ['leaves out a fact under the same number, from a copied storage', at(50, 2), [at(70, 2)], 50],
    ['leaves out the same number also where it is earlier', at(50, 2), [at(30, 2)], 50],
    ['leaves out facts without a number', at(50, 2), [at(70, 0), at(30, 0)], 50],
    ['is at its time, when it replaces another operation', at(50, 0), [at(70, 1), at(30, 3)], 50],
  ])('%s', (_what, fact, others, atMs) => {
    expect(placeAmong(fact, others)).toEqual({ ...fact, atMs });
  });

  test('has no number, when the operation replaces another', () => {
    const operation = { device_id: 3, device_seq: 8 };
    expect(placeOf(operation, 50)).toEqual(at(50, 8, 3));
    expect(placeOf({ ...operation, supersedes: 'refused' }, 50)).toEqual(at(50, 0, 3));
  });

  test('follows the time, then the device, then the number', () => {
    const sorted = [at(10, 9, 9), at(20, 9, 1), at(20, 1, 2), at(20, 2, 2)];
    expect([...sorted].reverse().sort(comparePlaces)).toEqual(sorted);
    expect(comparePlaces(at(20, 2), at(20, 2))).toBe(0);
  });
});

test('equal texts have no order, so that the next criterion decides', () => {
  expect([compareText('a', 'b'), compareText('b', 'a'), compareText('a', 'a')]).toEqual([-1, 1, 0]);
});
