/** Queries the catalogue by index and with a limit, so that they stay fast with ten thousand items. */
import { searchKey } from '../../../domain/search-key.ts';
import type { CatalogueItem, ClinicDatabase } from '../database.ts';

export interface CatalogueSearch {
  /** The beginning of the name; empty matches every item. */
  text: string;
  categoryId: number | null;
  limit: number;
  offset?: number;
}

// Sorts after every character of a search key.
const afterAll = '\uffff';

/** Returns available items by name. */
export function searchCatalogue(
  db: ClinicDatabase,
  { text, categoryId, limit, offset = 0 }: CatalogueSearch,
): Promise<CatalogueItem[]> {
  const from = searchKey(text);
  const found =
    categoryId === null
      ? db.catalogue.where('[available+search_key]').between([1, from], [1, from + afterAll])
      : db.catalogue
          .where('[available+category_id+search_key]')
          .between([1, categoryId, from], [1, categoryId, from + afterAll]);
  return found.offset(offset).limit(limit).toArray();
}

/** Returns the available item with this barcode. */
export async function itemByBarcode(db: ClinicDatabase, code: string): Promise<CatalogueItem | undefined> {
  if (code === '') return undefined;
  const items = await db.catalogue.where('barcode').equals(code).toArray();
  return items.find(({ available }) => available === 1);
}

/** Returns items in the order of the keys; deleted items are left out. */
export async function itemsByKey(db: ClinicDatabase, keys: string[]): Promise<CatalogueItem[]> {
  const items = await db.catalogue.bulkGet(keys);
  return items.flatMap((item) => item ?? []);
}

export const categories = (db: ClinicDatabase) => db.categories.orderBy('name').toArray();
