import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { db } from '#src/local-data/database.ts';
import { onChange, useLiveQuery } from '#src/local-data/live.ts';
import type { CategoryResource } from '#domain/stock/resources.ts';
import type { CatalogueItem } from '#src/db/database.ts';
import { favourites, categories as allCategories, itemsByKey, searchCatalogue } from '#src/db/queries/catalogue.ts';
import { bestFirst, narrowSearch } from './catalogue-search.ts';
import type { Search, SearchResult } from './catalogue-search.ts';

const firstLoad = 48;
/** What fits on two screens of a tablet: more would no longer be found faster than by name. */
const bestCount = 24;

export interface CatalogueSearch {
  text: string;
  category: Search['category'];
  categories: readonly CategoryResource[];
  /** The colours of the categories that have one. */
  colors: ReadonlyMap<number, string>;
  /** False where the clinic has sold nothing yet. */
  hasFavourites: boolean;
  /**
   * Undefined until the first result. After that the grid is never empty between two keys: until the search has its own
   * result, the last result is narrowed to the search or, where that is impossible, stays as it is.
   */
  items: CatalogueItem[] | undefined;
  show: (changes: Partial<Pick<Search, 'text' | 'category'>>) => void;
  loadMore: () => void;
  /** Returns the first service for the text in the search box, which the grid may not show yet. */
  findFirst: (text: string) => Promise<CatalogueItem | undefined>;
}

const everything: Search = { text: '', category: null, limit: firstLoad };

async function find(search: Search): Promise<SearchResult> {
  const { text, category, limit } = search;
  const items = category === 'favourites' ? [] : await searchCatalogue(db, { text, categoryId: category, limit });
  return { search, items };
}

/** The keys of the best sellers, read once per visit: their order must not change while somebody works. */
let bestKeys: string[] = [];

async function findBest(): Promise<CatalogueItem[]> {
  // Nothing is known before the first sync, which this query then sees.
  if (bestKeys.length === 0) bestKeys = await favourites(db, bestCount);
  return itemsByKey(db, bestKeys);
}

/** A later visit to the counter must not start with old services. */
const prefetchedForMs = 1000;
let prefetched: { result: SearchResult; best: CatalogueItem[]; categories: CategoryResource[] } | undefined;

/** Reads the first services while the page loads, so that the first render shows them. */
export async function prefetchServices(): Promise<void> {
  bestKeys = [];
  const [result, best, categories] = await Promise.all([find(everything), findBest(), allCategories(db)]);
  prefetched = { result, best, categories };
  setTimeout(() => (prefetched = undefined), prefetchedForMs);
}

/** Returns the service that the grid would show first. */
export async function findFirst(text: string, category: Search['category'] = null): Promise<CatalogueItem | undefined> {
  const search = { text, category, limit: 1 };
  const [{ items }, best] = await Promise.all([find(search), findBest()]);
  return bestFirst(best, search, items)[0];
}

const none: readonly CategoryResource[] = [];

export function useCatalogueSearch(): CatalogueSearch {
  const [search, setSearch] = useState(everything);
  const newest = useRef(search);
  const [result, setResult] = useState(() => prefetched?.result);
  const [first] = useState(prefetched);
  const best = useLiveQuery(findBest, []) ?? first?.best;
  const categories = useLiveQuery(() => allCategories(db), []) ?? first?.categories ?? none;
  const colors = useMemo(
    () => new Map(categories.flatMap(({ id, color }): [number, string][] => (color ? [[id, color]] : []))),
    [categories],
  );
  const { text, category, limit } = search;
  const found = useMemo(() => result && (narrowSearch(result, search) ?? result.items), [result, search]);
  const items = useMemo(() => found && best && bestFirst(best, search, found), [found, best, search]);
  const loadedAll = found !== undefined && found.length < limit;

  // Reads in the event itself, and so once per key; a live query would start a task later.
  const read = useCallback((next: Search) => {
    newest.current = next;
    find(next).then((answer) => newest.current === next && setResult(answer), reportError);
  }, []);
  const change = useCallback(
    (next: Search) => {
      read(next);
      setSearch(next);
    },
    [read],
  );
  useEffect(() => {
    const again = () => read(newest.current);
    again();
    return onChange([db.catalogue], again);
  }, [read]);

  return {
    text,
    category,
    categories,
    colors,
    hasFavourites: best !== undefined && best.length > 0,
    items,
    show: useCallback((changes) => change({ ...newest.current, ...changes, limit: firstLoad }), [change]),
    // The limit grows fourfold, so that a long scroll reads the catalogue a few times instead of once per screen.
    loadMore: useCallback(() => {
      if (!loadedAll && found?.length === limit) change({ ...newest.current, limit: limit * 4 });
    }, [change, found?.length, limit, loadedAll]),
    findFirst: (current) => findFirst(current, category),
  };
}
