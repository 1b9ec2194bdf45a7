import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { halfOf, quickAmounts } from '#src/features/counter/payment/quick-amounts.ts';

describe('quick amounts', () => {
  test.each([
    [350, [500, 1000, 2000]],
    [999, [1000, 2000, 5000]],
    [1234, [1500, 2000, 5000]],
    [1800, [2000, 5000, 10_000]],
    [2000, [3000, 5000, 10_000]],
    [4500, [5000, 10_000, 20_000]],
    [4720, [5000, 10_000, 20_000]],
    [6000, [7000, 10_000, 20_000]],
    [8500, [9000, 10_000, 20_000]],
    [12_000, [13_000, 15_000, 20_000]],
    [21_000, [22_000, 25_000, 30_000]],
    [999_900, [1_000_000, 5_000_000, 10_000_000]],
  ])('offers for %d the amounts %j', (dueMinor, expected) => {
    expect(quickAmounts(dueMinor)).toEqual(expected);
  });

  test('are three different amounts above the one that is due, in ascending order', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000 }), (dueMinor) => {
        const [first, second, third] = quickAmounts(dueMinor) as [number, number, number];
        expect(dueMinor < first && first < second && second < third).toBe(true);
      }),
    );
  });
});

test('two halves come to the whole, or a cent more', () => {
  expect([halfOf(8500), halfOf(101), halfOf(1)]).toEqual([4250, 51, 1]);
});
