/**
 * Computes which tiles are in view. All rows have the same height, so the scroll position determines the window, and the
 * grid renders only when a row enters or leaves it.
 */
import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { gapPx, tileHeightPx } from './service-tile.tsx';

const rowPx = tileHeightPx + gapPx;
/** Columns are as many as bring tiles nearest to this width. */
const tileWidthPx = 176;
const marginPx = 16;
/** Rows rendered above and below the view, so that fast scrolling shows no gaps. */
const spareRows = 2;

interface View {
  columns: number;
  firstRow: number;
  rowsInView: number;
}

export interface TileWindow extends View {
  scroller: RefObject<HTMLDivElement | null>;
  onScroll: () => void;
  /** Indexes of the tiles to render: `from` inclusive, `to` exclusive. */
  from: number;
  to: number;
  heightPx: number;
  topOf: (index: number) => number;
  /** Scrolls as little as necessary to bring a tile into view. */
  reveal: (index: number) => void;
}

export function useTileWindow(count: number): TileWindow {
  const scroller = useRef<HTMLDivElement>(null);
  // No tiles are rendered before the first measurement, since they might be in the wrong columns.
  const [view, setView] = useState<View>({ columns: 1, firstRow: 0, rowsInView: 0 });

  const measure = useCallback(() => {
    const element = scroller.current;
    if (!element) return;
    // The scroll bar lies in the margin, so that the tiles end where the search box ends.
    const barPx = element.offsetWidth - element.clientWidth;
    element.style.paddingInlineEnd = `${Math.max(0, marginPx - barPx)}px`;
    const columns = Math.max(2, Math.round((element.offsetWidth - 2 * marginPx + gapPx) / (tileWidthPx + gapPx)));
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
