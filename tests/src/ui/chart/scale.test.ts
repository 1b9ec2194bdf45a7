import { expect, test } from 'vitest';
import { labelInterval, scaleOf } from '#src/ui/chart/scale.ts';

test('an axis has round lines from zero to just above the highest value', () => {
  expect(scaleOf([0, 5380, 2230], { smallest: 1 }).ticks).toEqual([0, 2000, 4000, 6000]);
  expect(scaleOf([61], { smallest: 1 }).ticks).toEqual([0, 20, 40, 60, 80]);
  expect(scaleOf([1_000_000], { smallest: 1 }).ticks).toEqual([0, 250_000, 500_000, 750_000, 1_000_000]);
});

test('grid lines are at least the smallest step apart, and there are at least two', () => {
  expect(scaleOf([0.4], { smallest: 1 }).ticks).toEqual([0, 1]);
  expect(scaleOf([2.5], { smallest: 1 }).ticks).toEqual([0, 1, 2, 3]);
  expect(scaleOf([0, 0], { smallest: 1 }).ticks).toEqual([0, 1]);
  expect(scaleOf([], { smallest: 1 }).ticks).toEqual([0, 1]);
});

test('a negative value is below the zero line', () => {
  const scale = scaleOf([300, -150], { smallest: 1 });
  expect(scale.ticks).toEqual([-200, 0, 200, 400]);
  expect([-200, 0, 400].map(scale.heightOf)).toEqual([0, 1 / 3, 1]);
  expect(scaleOf([-80], { smallest: 1 }).ticks).toEqual([-80, -60, -40, -20, 0]);
});

test('every value is between the lowest and the highest line', () => {
  for (let seed = 1; seed < 100; seed++) {
    const values = [seed * 7.31, -(seed % 13) * 41.07, (seed * 7919) % 100_003];
    const { ticks, heightOf } = scaleOf(values, { smallest: 1 });
    expect(ticks.length).toBeLessThanOrEqual(7);
    expect(ticks).toContain(0);
    for (const height of values.map(heightOf)) expect(height).toBeGreaterThanOrEqual(0);
    for (const height of values.map(heightOf)) expect(height).toBeLessThanOrEqual(1);
  }
});

test('the axis labels as many columns as fit', () => {
  expect([1, 7, 8, 9, 24, 31].map((columns) => labelInterval(columns))).toEqual([1, 1, 1, 2, 3, 4]);
});
