import { searchKey } from '../../../../domain/search-key.ts';
import type { CatalogueItem } from '../../../db/database.ts';

export interface Search {
  text: string;
  categoryId: number | null;
  limit: number;
}

/** The first services that match a search, in order; fewer than its limit only when there are no more. */
export interface SearchResult {
  search: Search;
  items: CatalogueItem[];
}

/** Number of tiles that fill the grid of a large screen. */
const screenful = 36;

/**
 * Answers a search from the result of an earlier one whose text is a prefix of its own: the services that match the longer
 * text come in the same order. Returns null where the earlier result may lack services that fill the screen.
 */
export function narrowSearch({ search, items }: SearchResult, next: Search): CatalogueItem[] | null {
  if (search === next) return items;
  const key = searchKey(next.text);
  if (search.categoryId !== next.categoryId || !key.startsWith(searchKey(search.text))) return null;
  const narrowed = items.filter((item) => item.search_key.startsWith(key));
  return items.length < search.limit || narrowed.length >= screenful ? narrowed : null;
}
