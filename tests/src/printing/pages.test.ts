import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { intoSheets } from '#src/printing/pages.ts';
import type { Piece } from '#src/printing/pages.ts';

/** Pieces of these heights, one below the other. */
function stacked(...parts: { height: number; head?: number; isClosing?: boolean }[]): Piece[] {
  let top = 0;
  return parts.map(({ height, head = 0, isClosing = false }) => {
    const piece = { top, bottom: top + height, head, isClosing };
    top += height;
    return piece;
  });
}

describe('the sheets of a document', () => {
  test('hold what fits, and a row is never divided', () => {
    const rows = Array.from({ length: 7 }, () => ({ height: 30 }));
    expect(intoSheets(stacked(...rows), 100)).toEqual([[0, 1, 2], [3, 4, 5], [6]]);
  });

  test('have room for the head of a table that goes on', () => {
    const rows = Array.from({ length: 7 }, () => ({ height: 30, head: 20 }));
    expect(intoSheets(stacked(...rows), 100)).toEqual([
      [0, 1, 2],
      [3, 4],
      [5, 6],
    ]);
  });

  test('bring a row along with the sums that begin a sheet', () => {
    const rows = [{ height: 40 }, { height: 40, head: 10 }, { height: 40, head: 10, isClosing: true }];
    expect(intoSheets(stacked(...rows), 100)).toEqual([[0], [1, 2]]);
  });

  test('leave alone sums that are as high as a sheet', () => {
    const rows = [{ height: 40 }, { height: 40, head: 10 }, { height: 95, isClosing: true }];
    expect(intoSheets(stacked(...rows), 100)).toEqual([[0, 1], [2]]);
  });

  test('have every piece once and in order, and overflow only with a piece that is higher than a sheet', () => {
    const piece = fc.record({
      height: fc.integer({ min: 1, max: 130 }),
      head: fc.constant(12),
      isClosing: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1, maxLength: 40 }), (parts) => {
        const pieces = stacked(...parts);
        const sheets = intoSheets(pieces, 100);
        expect(sheets.flat()).toEqual(pieces.map((_, at) => at));
        sheets.forEach((places, at) => {
          const [first, last] = [pieces[places[0]!]!, pieces[places.at(-1)!]!];
          const height = last.bottom - first.top + (at > 0 ? first.head : 0);
          if (places.length > 1) expect(height).toBeLessThanOrEqual(100);
        });
      }),
    );
  });
});
