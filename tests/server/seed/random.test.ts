import { expect, test } from 'vitest';
import { SeededRandom } from '#server/seed/random.ts';

test('the demo draws numbers between both bounds, each of them, and the same under one seed', () => {
  const drawn = (seed: number) => {
    const random = new SeededRandom(seed);
    return Array.from({ length: 200 }, () => random.between(3, 5));
  };
  expect([...new Set(drawn(1))].toSorted((a, b) => a - b)).toEqual([3, 4, 5]);
  expect(drawn(1)).toEqual(drawn(1));
  expect(drawn(1)).not.toEqual(drawn(2));
});
