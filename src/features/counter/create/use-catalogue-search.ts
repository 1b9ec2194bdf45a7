import { useLiveQuery } from 'dexie-react-hooks';
import { useCallback, useState } from 'react';
import { db } from '../../../app/database.ts';
import type { CatalogueItem } from '../../../db/database.ts';
import { searchCatalogue } from '../../../db/queries/catalogue.ts';

const firstLoad = 48;

export interface CatalogueSearch {
  text: string;
  categoryId: number | null;
  /** Undefined until the first answer; then always the last answer, so that the grid never empties between two keys. */
  items: CatalogueItem[] | undefined;
  show: (wanted: { text?: string; categoryId?: number | null }) => void;
  loadMore: () => void;
  /** The first service for what is in the box at this moment, even if the grid has not caught up with fast fingers. */
  findFirst: (text: string) => Promise<CatalogueItem | undefined>;
}

export function useCatalogueSearch(): CatalogueSearch {
  const [{ text, categoryId, limit }, setSearch] = useState({ text: '', categoryId: null as number | null, limit: firstLoad });
  const items = useLiveQuery(() => searchCatalogue(db, { text, categoryId, limit }), [text, categoryId, limit]);
  const loadedAll = items !== undefined && items.length < limit;
  return {
    text,
    categoryId,
    items,
    show: useCallback((wanted) => setSearch((search) => ({ ...search, ...wanted, limit: firstLoad })), []),
    // Four times as much each time: a long scroll reads the catalogue a few times over, not once per screen.
    loadMore: useCallback(() => {
      if (!loadedAll && items?.length === limit) setSearch((search) => ({ ...search, limit: limit * 4 }));
    }, [items?.length, limit, loadedAll]),
    findFirst: async (wanted) => (await searchCatalogue(db, { text: wanted, categoryId, limit: 1 }))[0],
  };
}
