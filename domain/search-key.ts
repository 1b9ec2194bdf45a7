/** Normalises a name for comparison and indexes: lower case, no accents, single spaces. */
export function searchKey(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim();
}

const wordLength = 40;

/** Returns the distinct normalised words of a text, each cut to the indexed length. */
export function wordsOf(text: string): string[] {
  const words = searchKey(text)
    .split(' ')
    .filter((word) => word !== '');
  return [...new Set(words.map((word) => Array.from(word).slice(0, wordLength).join('')))];
}

/** The longest part of a name, in characters, that the index of its words holds. */
const startLength = 60;
const mostStarts = 12;

/** Returns the normalised words of a name or of a typed part of one; a hyphen separates words. */
export const nameWords = (text: string): string[] =>
  searchKey(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

/**
 * Returns the parts of a normalised name that begin with a word and reach to its end. A search by the beginning of any
 * word is a search by the beginning of these, and they sort by what was typed.
 */
export function wordStarts(key: string): string[] {
  const starts = [...key.matchAll(/[\p{L}\p{N}]+/gu)].slice(0, mostStarts);
  return [...new Set(starts.map(({ index }) => key.slice(index, index + startLength)))];
}
