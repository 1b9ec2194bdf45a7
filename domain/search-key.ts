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
