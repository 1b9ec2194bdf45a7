/** Queries the catalogue by index and with a limit, so that they stay fast with ten thousand items. */
import { barcodeForms } from '#domain/barcode.ts';
import { searchKey, nameWords } from '#domain/search-key.ts';
import type { CatalogueItem, ClinicDatabase } from '../database.ts';

export interface CatalogueSearch {
  /** The beginnings of words of the name; empty matches every item. */
  text: string;
  categoryId: number | null;
  limit: number;
}

// Sorts after every character of a search key.
const afterAll = '\uffff';

/** A limit for the first read of a search that the index answers in part only. */
const candidates = 4;

/** Returns true if each typed word begins a word of the item's name, which items that are not available don't have. */
export const isMatch = ({ word_starts }: CatalogueItem, typed: readonly string[]): boolean =>
  typed.every((word) => word_starts.some((start) => start.startsWith(word)));

/** Returns the typed word that fewest names have, by which results are sorted. */
export const longestWord = (typed: readonly string[]): string =>
  typed.reduce((longest, word) => (word.length > longest.length ? word : longest), '');

/**
 * Returns available items: all by name, and those that match a text by the part of the name that begins with its longest
 * word. Fewer than the limit means that there are no more.
 */
export async function searchCatalogue(db: ClinicDatabase, search: CatalogueSearch): Promise<CatalogueItem[]> {
  const { text, categoryId, limit } = search;
  const typed = nameWords(text);
  if (typed.length === 0) return searchKey(text) === '' ? allItems(db, search) : [];
  const isExact = typed.length === 1 && categoryId === null;
  const range = () => db.catalogue.where('word_starts').startsWith(longestWord(typed));
  for (let most = isExact ? limit : limit * candidates; ; most *= candidates) {
    const rows = await range().limit(most).toArray();
    // An item comes once for each of its words that match.
    const found = new Map(
      rows
        .filter((item) => (categoryId === null || item.category_id === categoryId) && isMatch(item, typed))
        .map((item) => [item.key, item]),
    );
    if (rows.length < most || found.size >= limit) return [...found.values()].slice(0, limit);
  }
}

function allItems(db: ClinicDatabase, { categoryId, limit }: CatalogueSearch): Promise<CatalogueItem[]> {
  const found =
    categoryId === null
      ? db.catalogue.where('[available+search_key]').between([1, ''], [1, afterAll])
      : db.catalogue
          .where('[available+category_id+search_key]')
          .between([1, categoryId, ''], [1, categoryId, afterAll]);
  return found.limit(limit).toArray();
}

/** Returns the keys of the clinic's favourites by name, then of what it sells most, best first. */
export async function favourites(db: ClinicDatabase, limit: number): Promise<string[]> {
  const [chosen, learned] = await Promise.all([
    db.catalogue.where('[favourite+search_key]').between([1, ''], [1, afterAll]).limit(limit).primaryKeys(),
    db.best_sellers.get('this'),
  ]);
  const sold = learned?.weights.map(([key]) => key) ?? [];
  return [...new Set([...chosen, ...sold])].slice(0, limit);
}

/** Returns the available item that a barcode identifies, in whichever form it was read. */
export async function itemByBarcode(db: ClinicDatabase, code: string): Promise<CatalogueItem | undefined> {
  if (code === '') return undefined;
  const items = await db.catalogue.where('barcode').anyOf(barcodeForms(code)).toArray();
  return items.find(({ available }) => available === 1);
}

/** Returns items in the order of the keys; deleted items are left out. */
export async function itemsByKey(db: ClinicDatabase, keys: string[]): Promise<CatalogueItem[]> {
  const items = await db.catalogue.bulkGet(keys);
  return items.flatMap((item) => item ?? []);
}

/** What the keys of supplies begin with (`stockKey`). */
const supplyKeys = 's';

/** Returns names and units of all supplies, by id. */
export async function supplyNames(db: ClinicDatabase): Promise<Map<number, { name: string; unit: string }>> {
  const items = await db.catalogue.where('key').startsWith(supplyKeys).toArray();
  return new Map(items.map(({ id, name, unit }) => [id, { name, unit: unit ?? '' }]));
}

export const categories = (db: ClinicDatabase) => db.categories.orderBy('name').toArray();
