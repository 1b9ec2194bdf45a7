/** Products in SQL: their rows, their ingredients, and the open lines that sell them. */
import { milliFromWire } from '../../../domain/quantity.ts';
import type { ProductDraft } from '../../../domain/stock/drafts.ts';
import { insertInto } from '../../db/insert.ts';
import { productIngredients } from '../../db/schema/catalogue.ts';
import { isoOf, rowsOf } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';

const columns = [
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
  'updated_at',
] as const;

export async function upsertProducts(sql: Sql, rows: readonly object[]): Promise<void> {
  const list = ['clinic_id', 'id', ...columns].join(', ');
  await sql.query({
    name: 'save products',
    text: `insert into products (${list}, created_at) overriding system value
           select ${list}, updated_at from json_populate_recordset(null::products, $1::json)
           on conflict (clinic_id, id) do update set ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}`,
    values: [JSON.stringify(rows)],
  });
}

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

export async function deleteProductRow(sql: Sql, clinicId: number, id: number, atMs: number): Promise<void> {
  await sql.query({
    name: 'delete product',
    text: 'update products set deleted_at = $3, updated_at = $3 where clinic_id = $1 and id = $2',
    values: [clinicId, id, isoOf(atMs)],
  });
}
