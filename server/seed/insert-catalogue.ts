/** Inserts the demo's categories, stock items and products, with their pictures. */
import type { Sellable } from '#domain/order/decisions.ts';
import { minorFromWire } from '#domain/money.ts';
import { milliFromWire } from '#domain/quantity.ts';
import { searchKey } from '#domain/search-key.ts';
import { queriesOver } from '../db/database.ts';
import type { Executor } from '../db/database.ts';
import { categories, productIngredients, products, stockItems } from '../db/schema/catalogue.ts';
import type { Sql } from '../db/sql.ts';
import { PictureShelf } from '../modules/uploads/service.ts';
import { demoCategories, demoItems, demoProducts, isDemoFavourite } from './catalogue.ts';
import { isKeptByLot } from './purchasing.ts';
import type { Say } from './words.ts';

export interface NewRow {
  clinicId: number;
  createdAt: number;
  updatedAt: number;
}

/** @returns what can be sold, and the ids of stock items by their English names */
export async function insertCatalogue(
  sql: Sql,
  { clinic, userId, say }: { clinic: NewRow; userId: number; say: Say },
): Promise<{ sellables: Sellable[]; stockIds: Map<string, number> }> {
  const tx = queriesOver(sql);
  const pictures = await storePictures(sql, { clinicId: clinic.clinicId, userId, atMs: clinic.createdAt });
  const inserted = await tx
    .insert(categories)
    .values(
      demoCategories.map(({ name, color, description }) => ({
        ...clinic,
        name: say(name),
        color,
        description: say(description),
      })),
    )
    .returning();
  const catalogue = { clinic, say, pictures, categoryIds: idsOf(demoCategories, inserted) };
  const stock = await insertItems(tx, catalogue);
  const stockIds = idsOf(demoItems, stock);
  const sellables = [
    ...stock.map(({ id, name, costMinor, isAvailable }): Sellable => ({
      type: 'stock',
      id,
      name,
      priceMinor: costMinor,
      isAvailable,
    })),
    ...(await insertProducts(tx, catalogue, stockIds)),
  ];
  return { sellables: sellables.filter(({ isAvailable }) => isAvailable), stockIds };
}

interface Catalogue {
  clinic: NewRow;
  say: Say;
  pictures: ReadonlyMap<string, string>;
  categoryIds: ReadonlyMap<string, number>;
}

const insertItems = (tx: Executor, { clinic, say, pictures, categoryIds }: Catalogue) =>
  tx
    .insert(stockItems)
    .values(
      demoItems.map(({ name, category, price, unit, threshold, supplier, isStocked, isSold, barcode, tax }) => ({
        ...clinic,
        name: say(name),
        searchKey: searchKey(say(name)),
        imageUrl: pictures.get(name) ?? null,
        unit,
        categoryId: categoryIds.get(category)!,
        supplier,
        supplierContact: isStocked ? `orders@${searchKey(supplier).replaceAll(' ', '-')}.test` : '',
        lowStockThresholdMilli: milliFromWire(threshold),
        costMinor: minorFromWire(price),
        barcode,
        tax,
        isAvailable: isSold,
        isFavourite: isDemoFavourite(name),
        isStocked,
        needsPreparation: !isStocked,
        tracksLots: isKeptByLot(name),
        lastRestockedAt: isStocked ? clinic.createdAt : null,
      })),
    )
    .returning();

/** Inserts the products with their ingredients. */
async function insertProducts(
  tx: Executor,
  { clinic, say, pictures, categoryIds }: Catalogue,
  stockIds: ReadonlyMap<string, number>,
): Promise<Sellable[]> {
  const sold = await tx
    .insert(products)
    .values(
      demoProducts.map(({ name, description, category, price, barcode }) => ({
        ...clinic,
        name: say(name),
        searchKey: searchKey(say(name)),
        imageUrl: pictures.get(name) ?? null,
        description: say(description),
        categoryId: categoryIds.get(category)!,
        priceMinor: minorFromWire(price),
        barcode,
        needsPreparation: category !== 'Home care',
      })),
    )
    .returning();
  const productIds = idsOf(demoProducts, sold);
  await tx.insert(productIngredients).values(
    demoProducts.flatMap(({ name, ingredients }) =>
      Object.entries(ingredients).map(([item, quantity]) => ({
        clinicId: clinic.clinicId,
        productId: productIds.get(name)!,
        stockId: stockIds.get(item)!,
        quantityMilli: milliFromWire(quantity),
      })),
    ),
  );
  return sold.map(({ id, name, priceMinor, isAvailable }): Sellable => ({
    type: 'product',
    id,
    name,
    priceMinor,
    isAvailable,
  }));
}

/** Returns the ids of inserted rows by the English names of what they were made of. */
const idsOf = (made: readonly { name: string }[], rows: readonly { id: number }[]): Map<string, number> =>
  new Map(made.map(({ name }, index) => [name, rows[index]!.id]));

/** Stores the pictures. @returns the address of each by the English name of what it shows */
async function storePictures(
  sql: Sql,
  by: { clinicId: number; userId: number; atMs: number },
): Promise<Map<string, string>> {
  const colors = new Map(demoCategories.map(({ name, color }) => [name, color]));
  const pictures = new PictureShelf(sql, by);
  const addresses = new Map<string, string>();
  for (const { name, category, drawing } of [...demoItems, ...demoProducts])
    if (drawing) addresses.set(name, await pictures.addressOf(drawing, colors.get(category)!));
  return addresses;
}
