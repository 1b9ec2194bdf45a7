import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pageWindow } from '#src/lists/page-window.ts';

test('contains the first and the last page, two pages on either side, and gaps between them', () => {
  expect(pageWindow(1, 1)).toEqual([1]);
  expect(pageWindow(1, 4)).toEqual([1, 2, 3, 4]);
  expect(pageWindow(1, 20)).toEqual([1, 2, 3, null, 20]);
  expect(pageWindow(10, 20)).toEqual([1, null, 8, 9, 10, 11, 12, null, 20]);
  expect(pageWindow(20, 20)).toEqual([1, null, 18, 19, 20]);
});

test('ascends from 1 to the last page and contains the current page, for any page', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 500 }), fc.nat(), (pages, seed) => {
      const page = 1 + (seed % pages);
      const numbers = pageWindow(page, pages).filter((each) => each !== null);
      expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
      expect([numbers[0], numbers.at(-1)]).toEqual([1, pages]);
      expect(numbers).toContain(page);
      expect(numbers.length).toBeLessThanOrEqual(7);
    }),
  );
});
