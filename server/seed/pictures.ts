/** The pictures of the demo's services. */
import type { Sql } from '../db/sql.ts';
import { PictureShelf } from '../modules/uploads/service.ts';
import { demoCategories, demoItems, demoProducts } from './catalogue.ts';

/** Stores the pictures. @returns the address of each by the English name of what it shows */
export async function seedPictures(
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
