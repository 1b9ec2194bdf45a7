import { useLiveQuery } from 'dexie-react-hooks';
import { useCallback, useMemo, useRef, useState } from 'react';
import { db } from '../../../device/database.ts';
import type { CatalogueItem } from '../../../db/database.ts';
import { searchCatalogue } from '../../../db/queries/catalogue.ts';
import { narrowSearch } from './narrow-search.ts';
import type { Found, Search } from './narrow-search.ts';

const firstLoad = 48;

export interface CatalogueSearch {
  text: string;
  categoryId: number | null;
  /**
   * Undefined until the first answer; then always an answer: what the last one says about this search, or else the last
   * one as it is, so that the grid never empties between two keys.
   */
  items: CatalogueItem[] | undefined;
  show: (wanted: { text?: string; categoryId?: number | null }) => void;
  loadMore: () => void;
  /** The first service for what is in the box at this moment, even if the grid has not caught up with fast fingers. */
  findFirst: (text: string) => Promise<CatalogueItem | undefined>;
}

const everything: Search = { text: '', categoryId: null, limit: firstLoad };

const find = async (search: Search): Promise<Found> => ({ search, items: await searchCatalogue(db, search) });

const earlyForMs = 1000;
let early: Found | undefined;

/** Asks for the first services while the page is still being put together, so that it is drawn with them. */
export async function prefetchServices(): Promise<void> {
  early = await find(everything);
  // Whoever comes to the counter later would see what was for sale long ago.
  setTimeout(() => (early = undefined), earlyForMs);
}

export function useCatalogueSearch(): CatalogueSearch {
  const [search, setSearch] = useState(everything);
  const newest = useRef(search);
  const [first, setFirst] = useState(early);
  // It hears of every change, but it begins only when the key that was pressed has been drawn; `show` asks at once.
  const live = useLiveQuery(() => find(search), [search]);
  const found = first?.search === search && live?.search !== search ? first : live;
  const { text, categoryId, limit } = search;
  const items = useMemo(() => found && (narrowSearch(found, search) ?? found.items), [found, search]);
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
      (wanted) => {
        const next = { ...newest.current, ...wanted, limit: firstLoad };
        change(next);
        void find(next).then((answer) => {
          if (newest.current === next) setFirst(answer);
        });
      },
      [change],
    ),
    // Four times as much each time: a long scroll reads the catalogue a few times over, not once per screen.
    loadMore: useCallback(() => {
      if (!loadedAll && items?.length === limit) change({ ...newest.current, limit: limit * 4 });
    }, [change, items?.length, limit, loadedAll]),
    findFirst: async (wanted) => (await searchCatalogue(db, { text: wanted, categoryId, limit: 1 }))[0],
  };
}
