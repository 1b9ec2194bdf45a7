import { mediaQuery } from './media-query.ts';

/**
 * A window wider than that of a phone, or a phone on its side: heading and toolbar share a line there. It is the step `md` of the
 * theme, so no element has one property under both.
 */
const wideQuery = '(min-width: 48rem)';

/**
 * The first with a mouse: the back office is dense there. A mouse hits a smaller target than a finger, and who works at a desk
 * compares rows.
 */
const deskQuery = '(min-width: 64rem) and (pointer: fine)';

/** Keys of the styles for a wide window and for a desk. */
export const wide = `@media ${wideQuery}`;
export const desk = `@media ${deskQuery}`;

/** Returns true in a window with room for several filters beside a heading. */
export const useIsVeryWide = mediaQuery('(min-width: 80rem)');

/** Returns true in a window in which the filters of a list show their words. */
export const useHasRoomForFilters = mediaQuery('(min-width: 64rem)');

/** Returns true in a wide window. */
export const useIsWide = mediaQuery(wideQuery);

/**
 * Styles of a cell's text that is one line at a desk, cut where its column ends. Such a text gives its column no width, so
 * the column has to have one.
 */
export const oneLineAtDesk = {
  [desk]: { width: '0', minWidth: '100%', overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
};

/** Sizes that the parts of a page take from their page at a desk. Without them each part has the size for a finger. */
export const denseSizes = {
  '--control': '2.5rem',
  '--control-small': '2rem',
  '--row': '2.5rem',
  '--cell-padding': '0.25rem',
  '--cell-inline': '0.5rem',
  '--room-before-text': '1rem',
  '--picture': '1.75rem',
  '--tabs-padding': '0',
};
