import { useLiveQuery } from 'dexie-react-hooks';
import { useCallback, useMemo, useRef, useState } from 'react';
import { db } from '../../../local-data/database.ts';
import type { CatalogueItem } from '../../../db/database.ts';
import { searchCatalogue } from '../../../db/queries/catalogue.ts';
import { narrowSearch } from './narrow-search.ts';
import type { Search, SearchResult } from './narrow-search.ts';

const firstLoad = 48;

export interface CatalogueSearch {
  text: string;
  categoryId: number | null;
  /**
   * Undefined until the first result. After that the grid is never empty between two keys: until the search has its own
   * result, the last result is narrowed to the search or, where that is impossible, stays as it is.
   */
  items: CatalogueItem[] | undefined;
  show: (changes: { text?: string; categoryId?: number | null }) => void;
  loadMore: () => void;
  /** Returns the first service for the text in the search box, which the grid may not show yet. */
  findFirst: (text: string) => Promise<CatalogueItem | undefined>;
}

const everything: Search = { text: '', categoryId: null, limit: firstLoad };

const find = async (search: Search): Promise<SearchResult> => ({ search, items: await searchCatalogue(db, search) });

/** A later visit to the counter must not start with old services. */
const prefetchedForMs = 1000;
let prefetched: SearchResult | undefined;

/** Reads the first services while the page loads, so that the first render shows them. */
export async function prefetchServices(): Promise<void> {
  prefetched = await find(everything);
  setTimeout(() => (prefetched = undefined), prefetchedForMs);
}

export function useCatalogueSearch(): CatalogueSearch {
  const [search, setSearch] = useState(everything);
  const newest = useRef(search);
  const [early, setEarly] = useState(prefetched);
  // The live query follows every change, but starts only after the render; `show` queries before it.
  const live = useLiveQuery(() => find(search), [search]);
  const result = early?.search === search && live?.search !== search ? early : live;
  const { text, categoryId, limit } = search;
  const items = useMemo(() => result && (narrowSearch(result, search) ?? result.items), [result, search]);
  const loadedAll = items !== undefined && items.length < limit;

  const change = useCallback((next: Search) => {
    newest.current = next;
    setSearch(next);
  }, []);

  return {
    text,
    categoryId,
    items,
    show: useCallback(
      (changes) => {
        const next = { ...newest.current, ...changes, limit: firstLoad };
        change(next);
        void find(next).then((answer) => {
          if (newest.current === next) setEarly(answer);
        });
      },
      [change],
    ),
    // The limit grows fourfold, so that a long scroll reads the catalogue a few times instead of once per screen.
    loadMore: useCallback(() => {
      if (!loadedAll && items?.length === limit) change({ ...newest.current, limit: limit * 4 });
    }, [change, items?.length, limit, loadedAll]),
    findFirst: async (current) => (await searchCatalogue(db, { text: current, categoryId, limit: 1 }))[0],
  };
}
