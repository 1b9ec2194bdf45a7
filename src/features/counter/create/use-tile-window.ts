/**
 * Computes which tiles are in view. All rows have the same height, so the scroll position determines the window, and the
 * grid renders only when a row enters or leaves it. CSS places the tiles (`service-grid.module.css`): the size of the
 * grid is only observed, never read while the page waits for a layout.
 */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';

/** The height of a tile and the gap below it, as in the style sheet. */
const rowPx = 120;
const gapPx = 8;
/** Columns are as many as bring tiles nearest to this width; the style sheet has the same limits. */
const tileWidthPx = 176;
const marginPx = 16;
/** Rows rendered below the view at its top, where most people find what they want. */
const sparedAtTop = 1;
/** Rows rendered above and below the view while somebody scrolls, so that fast scrolling shows no gaps. */
const sparedBelow = 3;

interface Size {
  columns: number;
  rowsInView: number;
}

export interface TileWindow {
  scroller: RefObject<HTMLDivElement | null>;
  onScroll: () => void;
  columns: number;
  /** Indexes of the tiles to render: `from` inclusive, `to` exclusive. */
  from: number;
  to: number;
  /** Height of the rows above the first rendered tile. */
  topPx: number;
  heightPx: number;
  /** Scrolls as little as necessary to bring a tile into view. */
  reveal: (index: number) => void;
  scrollToTop: () => void;
}

/** The last observed size. The first one suits a tablet on its side. */
let lastSize: Size = { columns: 4, rowsInView: 6 };

export function useTileWindow(count: number): TileWindow {
  const scroller = useRef<HTMLDivElement>(null);
  const [{ columns, rowsInView }, setSize] = useState(lastSize);
  const [firstRow, setFirstRow] = useState(0);

  useEffect(() => {
    // The observer reports after the browser's own layout and before the paint.
    const observer = new ResizeObserver(([entry]) => {
      const { inlineSize, blockSize } = entry!.borderBoxSize[0]!;
      const fitting = Math.round((inlineSize - 2 * marginPx + gapPx) / (tileWidthPx + gapPx));
      lastSize = { columns: Math.max(2, fitting), rowsInView: Math.ceil(blockSize / rowPx) + 1 };
      setSize((size) =>
        size.columns === lastSize.columns && size.rowsInView === lastSize.rowsInView ? size : lastSize,
      );
    });
    if (scroller.current) observer.observe(scroller.current);
    return () => observer.disconnect();
  }, []);

  const scrolledPx = useRef(0);
  const onScroll = useCallback(() => {
    scrolledPx.current = scroller.current?.scrollTop ?? 0;
    setFirstRow(Math.floor(scrolledPx.current / rowPx));
  }, []);
  const reveal = useCallback(
    (index: number) => {
      const element = scroller.current;
      if (!element) return;
      const top = Math.floor(index / columns) * rowPx;
      const lowest = top + rowPx - element.clientHeight + gapPx;
      if (element.scrollTop > top) element.scrollTop = top;
      else if (element.scrollTop < lowest) element.scrollTop = lowest;
    },
    [columns],
  );
  const scrollToTop = useCallback(() => {
    // Scrolling waits for a layout, also where nothing is scrolled.
    if (scrolledPx.current > 0) scroller.current?.scrollTo({ top: 0 });
  }, []);

  const spareRows = firstRow === 0 ? sparedAtTop : sparedBelow;
  const firstRendered = Math.max(0, firstRow - spareRows);
  return {
    scroller,
    onScroll,
    columns,
    from: firstRendered * columns,
    to: Math.min(count, (firstRow + rowsInView + spareRows) * columns),
    topPx: firstRendered * rowPx,
    heightPx: Math.ceil(count / columns) * rowPx + gapPx,
    reveal,
    scrollToTop,
  };
}
