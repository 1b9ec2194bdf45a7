/** Products in SQL: their rows, their ingredients, and the open lines that sell them. */
import { milliFromWire } from '#domain/quantity.ts';
import type { ProductDraft } from '#domain/stock/drafts.ts';
import { insertInto } from '#server/db/insert.ts';
import { productIngredients } from '#server/db/schema/catalogue.ts';
import { rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';
import { upsertInto } from './catalogue-store.ts';

export const upsertProducts = upsertInto('products', [
  'name',
  'search_key',
  'description',
  'price_minor',
  'category_id',
  'image_url',
  'barcode',
  'is_available',
  'needs_preparation',
  'is_favourite',
  'tax',
]);

const insertIngredients = insertInto(productIngredients);

/** Replaces the ingredients of the given products. */
export async function replaceIngredients(
  sql: Sql,
  clinicId: number,
  ingredients: ReadonlyMap<number, ProductDraft['ingredients']>,
): Promise<void> {
  await sql.query({
    name: 'clear ingredients',
    text: 'delete from product_ingredients where clinic_id = $1 and product_id = any($2::int[])',
    values: [clinicId, [...ingredients.keys()]],
  });
  await insertIngredients(
    sql,
    [...ingredients].flatMap(([productId, parts]) =>
      parts.map(({ ingredient_id: stockId, quantity_required }) => ({
        clinicId,
        productId,
        stockId,
        quantityMilli: milliFromWire(quantity_required),
      })),
    ),
  );
}

/** Returns the lines of open treatments that sell these products and have not used up their ingredients yet. */
export async function openProductLines(
  sql: Sql,
  clinicId: number,
  productIds: readonly number[],
): Promise<{ orderId: string; productId: number; quantityMilli: number }[]> {
  return rowsOf(
    sql,
    'open lines of products',
    `select l.order_id as "orderId", l.product_id as "productId", l.quantity_milli::float8 as "quantityMilli"
     from orders o join order_lines l on l.clinic_id = o.clinic_id and l.order_id = o.id
     where o.clinic_id = $1 and o.status = 'confirmed' and l.usage_at is null and not l.removed and l.product_id = any($2::int[])`,
    [clinicId, productIds],
  );
}

/** Returns whether an ingredient of a product is deleted. */
export async function needsDeletedItems(sql: Sql, clinicId: number, id: number): Promise<boolean> {
  const rows = await rowsOf(
    sql,
    'deleted ingredients',
    `select 1 from product_ingredients i join stock_items s on s.clinic_id = i.clinic_id and s.id = i.stock_id
     where i.clinic_id = $1 and i.product_id = $2 and s.deleted_at is not null limit 1`,
    [clinicId, id],
  );
  return rows.length > 0;
}
