import { expect, test } from 'vitest';
import { piecesMinor } from '#src/features/drawer/count-draft.ts';

test.each([
  [{ 5000: '2', 50: '' }, 10_000],
  [{ 5000: '1.200' }, 6_000_000],
  [{ 5000: '1,5' }, null],
  [{ 5000: '12,000' }, null],
  [{ 5000: '-1' }, null],
  [{ 5000: '1.000.000' }, null],
])('the pieces %j are worth %j cents', (pieces, minor) => {
  expect(piecesMinor(pieces)).toBe(minor);
});
