/**
 * Which tiles are in view. All rows are equally high, so the window follows from the scroll position alone, and the grid
 * renders only when a row enters or leaves it.
 */
import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { gapPx, tileHeightPx } from './service-tile.tsx';

const rowPx = tileHeightPx + gapPx;
const narrowestTilePx = 144;
const marginPx = 16;
/** Rows that stand ready above and below the ones in view, for a fast finger. */
const spareRows = 2;

interface View {
  columns: number;
  firstRow: number;
  rowsInView: number;
}

export interface TileWindow extends View {
  scroller: RefObject<HTMLDivElement | null>;
  onScroll: () => void;
  /** Indexes of the tiles to draw: from the first, up to but not including the second. */
  from: number;
  to: number;
  heightPx: number;
  topOf: (index: number) => number;
  /** Brings a tile into view, if it is not, with as little movement as possible. */
  reveal: (index: number) => void;
}

export function useTileWindow(count: number): TileWindow {
  const scroller = useRef<HTMLDivElement>(null);
  // Nothing is drawn before the room is known: tiles in the wrong columns would be made only to be moved.
  const [view, setView] = useState<View>({ columns: 1, firstRow: 0, rowsInView: 0 });

  const measure = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    // The bar stands in the margin, whatever it takes of it: tiles end where the search box ends.
    const barPx = element.offsetWidth - element.clientWidth;
    element.style.paddingInlineEnd = `${Math.max(0, marginPx - barPx)}px`;
    const columns = Math.max(2, Math.floor((element.offsetWidth - 2 * marginPx + gapPx) / (narrowestTilePx + gapPx)));
    const firstRow = Math.floor(element.scrollTop / rowPx);
    const rowsInView = Math.ceil(element.clientHeight / rowPx) + 1;
    setView((last) =>
      last.columns === columns && last.firstRow === firstRow && last.rowsInView === rowsInView
        ? last
        : { columns, firstRow, rowsInView },
    );
  }, []);

  useLayoutEffect(() => {
    measure();
    const observer = new ResizeObserver(measure);
    if (scroller.current) observer.observe(scroller.current);
    return () => observer.disconnect();
  }, [measure]);

  const { columns, firstRow, rowsInView } = view;
  const topOf = useCallback((index: number) => Math.floor(index / columns) * rowPx, [columns]);
  const reveal = useCallback(
    (index: number) => {
      const element = scroller.current;
      if (!element) return;
      const top = topOf(index);
      const lowest = top + rowPx - element.clientHeight + gapPx;
      if (element.scrollTop > top) element.scrollTop = top;
      else if (element.scrollTop < lowest) element.scrollTop = lowest;
    },
    [topOf],
  );

  return {
    ...view,
    scroller,
    onScroll: measure,
    from: Math.max(0, firstRow - spareRows) * columns,
    to: rowsInView === 0 ? 0 : Math.min(count, (firstRow + rowsInView + spareRows) * columns),
    heightPx: Math.ceil(count / columns) * rowPx + gapPx,
    topOf,
    reveal,
  };
}
