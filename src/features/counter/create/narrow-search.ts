import { searchKey } from '../../../../domain/search-key.ts';
import type { CatalogueItem } from '../../../db/database.ts';

export interface Search {
  text: string;
  categoryId: number | null;
  limit: number;
}

/** The first services for a search, in their order: all of them, where they are fewer than its limit. */
export interface Found {
  search: Search;
  items: CatalogueItem[];
}

/** As many as fill the grid of a large screen. */
const screenful = 36;

/**
 * What was found for a beginning of a name answers for a longer one too: those that go on like it are the first of the
 * longer one's. Null where they do not fill the screen and there may be more of them.
 */
export function narrowSearch({ search, items }: Found, wanted: Search): CatalogueItem[] | null {
  if (search === wanted) return items;
  const key = searchKey(wanted.text);
  if (search.categoryId !== wanted.categoryId || !key.startsWith(searchKey(search.text))) return null;
  const narrowed = items.filter((item) => item.search_key.startsWith(key));
  return items.length < search.limit || narrowed.length >= screenful ? narrowed : null;
}
