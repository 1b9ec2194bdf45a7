import { mediaQuery } from './media-query.ts';

/**
 * A wide window with a mouse: the back office is dense there. A mouse hits a smaller target than a finger, and who works at
 * a desk compares rows.
 */
const query = '(min-width: 75rem) and (pointer: fine)';

/** Key of the styles for a desk. */
export const desk = `@media ${query}`;

/** Returns true at a desk. */
export const useIsDesk = mediaQuery(query);

/** Sizes that the parts of a page take from their page at a desk. Without them each part has the size for a finger. */
export const denseSizes = {
  '--control': '2.5rem',
  '--control-small': '2rem',
  '--row': '2.5rem',
  '--cell-padding': '0.25rem',
  '--cell-inline': '0.5rem',
  '--picture': '1.75rem',
  '--tabs-padding': '0',
};
