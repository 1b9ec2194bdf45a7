/** The form in which names are compared and indexed: lower case, accents stripped, single spaces. */
export function searchKey(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim();
}

const wordLength = 40;

/** The different words of a text in their normal form, each cut to what one searches by. */
export function wordsOf(text: string): string[] {
  const words = searchKey(text)
    .split(' ')
    .filter((word) => word !== '');
  return [...new Set(words.map((word) => Array.from(word).slice(0, wordLength).join('')))];
}
