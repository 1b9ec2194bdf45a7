/** Products in SQL, written as sets: their rows, what they are made of, and what open treatments promise of it. */
import { divideRounded, minorFromWire } from '../../../domain/money.ts';
import { orderAggregate } from '../../../domain/order/operations.ts';
import { milliFromWire } from '../../../domain/quantity.ts';
import { searchKey } from '../../../domain/search-key.ts';
import type { ProductDraft } from '../../../domain/stock/drafts.ts';
import type { ProductResource } from '../../../domain/stock/resources.ts';
import { insertRows, isoOf, rowsOf } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { writeLedger } from '../ledger/service.ts';
import { lockAggregates } from '../../operations/store.ts';
import { holdUploads } from '../uploads/service.ts';
import { newIds } from './item-rows.ts';
import type { WriteContext } from '../../context.ts';

export interface ProductChange {
  /** Null for a new one. */
  product: ProductResource | null;
  draft: ProductDraft;
}

/**
 * Writes what changed. Whose ingredients alone changed is touched too: the feed carries them within the product.
 *
 * @returns the ids, in the order given
 */
export async function saveProducts(context: WriteContext, changes: readonly ProductChange[]): Promise<number[]> {
  const { sql, clinicId, atMs } = context;
  const created = await newIds(sql, 'products', changes.filter(({ product }) => !product).length);
  const ids = changes.map(({ product }) => product?.id ?? created.shift()!);
  const rows = changes.map(({ draft }, index) => ({
    clinic_id: clinicId,
    id: ids[index]!,
    name: draft.name,
    search_key: searchKey(draft.name),
    description: draft.description,
    price_minor: minorFromWire(draft.price),
    category_id: draft.category_id,
    image_url: draft.image_url,
    barcode: draft.barcode,
    is_available: draft.is_available,
    updated_at: isoOf(atMs),
  }));
  await holdUploads(
    sql,
    clinicId,
    rows.map(({ image_url }) => image_url),
  );
  await upsertProducts(sql, rows);
  await keepPromises(context, changes);
  await sql.query('delete from product_ingredients where clinic_id = $1 and product_id = any($2::int[])', [
    clinicId,
    ids,
  ]);
  await insertRows(
    sql,
    'product_ingredients',
    ['clinic_id', 'product_id', 'stock_id', 'quantity_milli'],
    changes.flatMap(({ draft }, index) =>
      draft.ingredients.map(({ ingredient_id, quantity_required }) => ({
        clinic_id: clinicId,
        product_id: ids[index],
        stock_id: ingredient_id,
        quantity_milli: milliFromWire(quantity_required),
      })),
    ),
  );
  return ids;
}

const columns = [
  'name',
  'search_key',
  'description',
  'price_minor',
  'category_id',
  'image_url',
  'barcode',
  'is_available',
  'updated_at',
] as const;

async function upsertProducts(sql: Sql, rows: readonly object[]): Promise<void> {
  const list = ['clinic_id', 'id', ...columns].join(', ');
  await sql.query({
    name: 'save products',
    text: `insert into products (${list}, created_at) overriding system value
           select ${list}, updated_at from json_populate_recordset(null::products, $1::json)
           on conflict (clinic_id, id) do update set ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}`,
    values: [JSON.stringify(rows)],
  });
}

/**
 * What open treatments reserve follows from what their products are made of (SYNC-10), so a changed composition changes it.
 * The treatments are locked first: none can complete by the old composition meanwhile.
 */
async function keepPromises({ sql, clinicId, atMs }: WriteContext, changes: readonly ProductChange[]): Promise<void> {
  const recomposed = new Map(
    changes
      .filter(
        ({ product, draft }) => product && JSON.stringify(product.ingredients) !== JSON.stringify(draft.ingredients),
      )
      .map(({ product, draft }) => [product!.id, { before: product!.ingredients, after: draft.ingredients }]),
  );
  if (recomposed.size === 0) return;
  const openLines = () =>
    rowsOf<{ orderId: string; productId: number; quantityMilli: number }>(
      sql,
      'open lines of products',
      `select l.order_id as "orderId", l.product_id as "productId", l.quantity_milli::float8 as "quantityMilli"
       from orders o join order_lines l on l.clinic_id = o.clinic_id and l.order_id = o.id
       where o.clinic_id = $1 and o.status = 'confirmed' and l.usage_at is null and l.product_id = any($2::int[])`,
      [clinicId, [...recomposed.keys()]],
    );
  await lockAggregates(
    sql,
    clinicId,
    (await openLines()).map(({ orderId }) => orderAggregate(orderId)),
  );
  const reservations = new Map<number, number>();
  const promise =
    (sign: 1 | -1, lineMilli: number) =>
    ({ ingredient_id, quantity_required }: ProductDraft['ingredients'][number]) =>
      reservations.set(
        ingredient_id,
        (reservations.get(ingredient_id) ?? 0) +
          sign * divideRounded(milliFromWire(quantity_required) * lineMilli, 1000),
      );
  for (const { productId, quantityMilli } of await openLines()) {
    const { before, after } = recomposed.get(productId)!;
    before.forEach(promise(-1, quantityMilli));
    after.forEach(promise(1, quantityMilli));
  }
  await writeLedger(sql, clinicId, atMs, { entries: [], reservations });
}
