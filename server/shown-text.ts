/** Text for the terminal of an operator. */

/** Moves the cursor, changes colours, writes from right to left or begins a line. */
const unprinted = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Returns what people of a clinic have typed, such as a name, without what a terminal obeys. */
export const shown = (typed: string): string => typed.replaceAll(unprinted, '\uFFFD');

/** Returns lines of ours that may quote such text. */
export const shownLines = (text: string): string => text.split('\n').map(shown).join('\n');
