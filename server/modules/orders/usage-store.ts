/** The supplies that treatments use: the ingredients of products, and the lines whose supplies are used already. */
import { isoOf } from '#domain/instant.ts';
import { jsonFields } from '#server/db/read.ts';
import type { RowOf } from '#server/db/read.ts';
import { productIngredients } from '#server/db/schema/catalogue.ts';
import { rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';

/** Returns the ids of the lines of these treatments whose supplies are used. */
export async function loadUsed(sql: Sql, clinicId: number, orderIds: readonly string[]): Promise<Set<string>> {
  if (orderIds.length === 0) return new Set();
  const rows = await rowsOf<{ id: string }>(
    sql,
    'lines used up',
    'select id from order_lines where clinic_id = $1 and order_id = any($2::uuid[]) and usage_at is not null',
    [clinicId, orderIds],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Marks stored lines as used. */
export async function markUsed(sql: Sql, clinicId: number, lineIds: readonly string[], atMs: number): Promise<void> {
  if (lineIds.length === 0) return;
  await rowsOf(
    sql,
    'mark lines used up',
    'update order_lines set usage_at = $3 where clinic_id = $1 and id = any($2::uuid[])',
    [clinicId, lineIds, isoOf(atMs)],
  );
}

/** The supplies that one unit of each product uses, in thousandths. */
export type Ingredients = ReadonlyMap<number, readonly { stockId: number; quantityMilli: number }[]>;

const ingredientFields = jsonFields(productIngredients, 'i', ['productId', 'stockId', 'quantityMilli']);

/** Returns the ingredients by product; a product without any is left out. */
export async function loadIngredients(sql: Sql, clinicId: number, productIds: readonly number[]): Promise<Ingredients> {
  const byProduct = new Map<number, { stockId: number; quantityMilli: number }[]>();
  if (productIds.length === 0) return byProduct;
  const rows = await rowsOf<{ row: RowOf<typeof ingredientFields> }>(
    sql,
    'ingredients',
    `select json_build_object(${ingredientFields}) as row
     from product_ingredients i where clinic_id = $1 and product_id = any($2::int[])`,
    [clinicId, productIds],
  );
  for (const { row } of rows) {
    const known = byProduct.get(row.productId) ?? [];
    byProduct.set(row.productId, [...known, row]);
  }
  return byProduct;
}
