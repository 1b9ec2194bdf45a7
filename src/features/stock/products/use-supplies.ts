import { useLiveQuery } from 'dexie-react-hooks';
import { db } from '../../../device/database.ts';
import type { CatalogueItem } from '../../../db/database.ts';
import { itemsByKey } from '../../../db/queries/catalogue.ts';
import { stockKey } from '../../../db/rebase.ts';

/** What this device knows of stock items, by id; undefined until its database has answered. */
export function useSupplies(ids: readonly number[]): ReadonlyMap<number, CatalogueItem> | undefined {
  const items = useLiveQuery(() => itemsByKey(db, ids.map(stockKey)), [ids.join()]);
  return items && new Map(items.map((item) => [item.id, item]));
}
