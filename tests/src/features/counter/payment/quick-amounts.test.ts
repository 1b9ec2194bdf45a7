import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { quickAmounts } from '../../../../../src/features/counter/payment/quick-amounts.ts';

const amounts = (dueMinor: number) => quickAmounts(dueMinor).map(({ minor }) => minor);

describe('quick amounts', () => {
  test.each([
    [1234, [1234, 1300, 1500, 2000]],
    [4500, [4500, 4600, 5000, 6000]],
    [4720, [4720, 4800, 5000, 6000]],
    [999, [999, 1000, 1500, 2000]],
  ])('offers for %d the amounts %j', (dueMinor, expected) => {
    expect(amounts(dueMinor)).toEqual(expected);
  });

  test('offers the exact amount and three larger, rounded ones', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1_000_000 }), (dueMinor) => {
        const [exact, whole, five, ten] = amounts(dueMinor) as [number, number, number, number];
        expect(exact).toBe(dueMinor);
        expect(exact < whole && whole < five && five < ten).toBe(true);
        expect([whole % 100, five % 500, ten % 1000]).toEqual([0, 0, 0]);
      }),
    );
  });
});
