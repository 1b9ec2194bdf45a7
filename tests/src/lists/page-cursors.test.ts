import { expect, test } from 'vitest';
import { currentCursor, firstPage, nextPage, previousPage } from '#src/lists/page-cursors.ts';

test('goes back through the visited pages and stops at the first', () => {
  const third = nextPage(nextPage(firstPage, 'b'), 'c');
  expect([firstPage, nextPage(firstPage, 'b'), third].map(currentCursor)).toEqual([null, 'b', 'c']);
  expect(currentCursor(previousPage(third))).toBe('b');
  expect(currentCursor(previousPage(previousPage(third)))).toBeNull();
  expect(previousPage(firstPage)).toBe(firstPage);
});
