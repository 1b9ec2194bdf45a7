/** What the grid shows for a search: the clinic's best sellers first, then what the index has found. */
import { nameWords, searchKey } from '#domain/search-key.ts';
import type { CatalogueItem } from '#src/db/database.ts';
import { isMatch, longestWord } from '#src/db/queries/catalogue.ts';

export interface Search {
  text: string;
  /** `favourites`: the best sellers alone. */
  category: number | 'favourites' | null;
  limit: number;
}

/** The first services that the index finds for a search, in order; fewer than its limit only when there are no more. */
export interface SearchResult {
  search: Search;
  items: CatalogueItem[];
}

/** Number of tiles that fill the grid of a large screen. */
const screenful = 36;

/** Returns the part of the name that begins with a word, by which the results for this word are sorted. */
const startWith = ({ word_starts }: CatalogueItem, word: string): string =>
  word_starts.reduce((least, start) => (start.startsWith(word) && (!least || start < least) ? start : least), '');

/**
 * Answers a search from the result of an earlier one whose text is a prefix of its own. Returns null where the earlier
 * result may lack services that fill the screen.
 */
export function narrowSearch({ search, items }: SearchResult, next: Search): CatalogueItem[] | null {
  if (search === next) return items;
  if (search.category !== next.category || !searchKey(next.text).startsWith(searchKey(search.text))) return null;
  const typed = nameWords(next.text);
  const [before, now] = [longestWord(nameWords(search.text)), longestWord(typed)];
  const isComplete = items.length < search.limit;
  // A cut-off result has all services up to its last one, in the order of the same word.
  if (!isComplete && (before === '' || !now.startsWith(before))) return null;
  const last = isComplete ? '' : startWith(items.at(-1)!, before);
  const narrowed = items
    .filter((item) => isMatch(item, typed))
    .map((item) => ({ item, start: startWith(item, now) }))
    .filter(({ start }) => isComplete || start <= last)
    .sort((a, b) => (a.start < b.start ? -1 : Number(a.start > b.start)))
    .map(({ item }) => item);
  return isComplete || narrowed.length >= screenful ? narrowed : null;
}

/** Puts the best sellers that match first. */
export function bestFirst(
  best: readonly CatalogueItem[],
  { text, category }: Search,
  found: readonly CatalogueItem[],
): CatalogueItem[] {
  const typed = nameWords(text);
  const isSought = (item: CatalogueItem) =>
    item.available === 1 && (typeof category !== 'number' || item.category_id === category) && isMatch(item, typed);
  const first = searchKey(text) !== '' && typed.length === 0 ? [] : best.filter(isSought);
  const keys = new Set(first.map(({ key }) => key));
  return [...first, ...found.filter(({ key }) => !keys.has(key))];
}
