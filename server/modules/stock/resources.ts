/**
 * The catalogue's documents in SQL. PostgreSQL builds them itself, because the lists of the API, the answers to its writes
 * and the change feed show the same ones.
 */
import { rowsOf } from '../../db/sql.ts';
import { amountOf, isoText, quantityOf } from '../../db/wire.ts';
import type { Sql } from '../../db/sql.ts';

/** What both kinds of things that the counter sells show alike. */
const sellableFields = `'id', t.id, 'name', t.name, 'category_id', t.category_id, 'image_url', t.image_url, 'barcode', t.barcode,
  'is_available', t.is_available, 'created_at', ${isoText('t.created_at')}, 'updated_at', ${isoText('t.updated_at')}`;

/** By kind, the document of a row of its table, which goes by the name `t`. */
export const documentJson = {
  stock: `json_build_object(${sellableFields}, 'unit', t.unit, 'supplier', t.supplier, 'supplier_contact', t.supplier_contact,
    'quantity', ${quantityOf('t.quantity_milli')}, 'reserved_quantity', ${quantityOf('(t.reserved_milli + t.held_milli)')},
    'low_stock_threshold', ${quantityOf('t.low_stock_threshold_milli')}, 'cost_per_unit', ${amountOf('t.cost_minor')},
    'tracks_lots', t.tracks_lots, 'last_restocked_at', ${isoText('t.last_restocked_at')})`,
  products: `json_build_object(${sellableFields}, 'description', t.description, 'price', ${amountOf('t.price_minor')},
    'ingredients', (select coalesce(json_agg(json_build_object('ingredient_id', i.stock_id,
        'quantity_required', ${quantityOf('i.quantity_milli')}) order by i.stock_id), '[]'::json)
      from product_ingredients i where i.clinic_id = t.clinic_id and i.product_id = t.id))`,
  categories: `json_build_object('id', t.id, 'name', t.name, 'description', t.description, 'color', t.color,
    'created_at', ${isoText('t.created_at')}, 'updated_at', ${isoText('t.updated_at')})`,
} as const;

export type CatalogueTable = keyof typeof documentJson;

export const tableOf = {
  stock: 'stock_items',
  products: 'products',
  categories: 'categories',
} as const satisfies Record<CatalogueTable, string>;

/** How an item stands, by the rule of `stockState` in `domain/stock/ledger.ts`. */
export const stockStateSql = `case when t.quantity_milli <= 0 then 'out_of_stock'
  when t.quantity_milli <= t.low_stock_threshold_milli then 'low_stock' else 'in_stock' end`;

const feed = (table: CatalogueTable) =>
  `select t.xid::text as xid, t.id::text as id, case when t.deleted_at is null then ${documentJson[table]} end as row from ${tableOf[table]} t`;

/** For the change feed: `xid`, `id`, and the document as `row`, which is null where the item was deleted. */
export const feedCatalogue = {
  stock: feed('stock'),
  products: feed('products'),
  categories: feed('categories'),
} as const;

/** The documents of these ids, in no particular order; deleted, unknown and other clinics' ones are left out. */
export async function documentsOf<T>(
  sql: Sql,
  clinicId: number,
  table: CatalogueTable,
  ids: readonly number[],
): Promise<T[]> {
  const rows = await rowsOf<{ row: T }>(
    sql,
    `${table} by id`,
    `select ${documentJson[table]} as row from ${tableOf[table]} t where t.clinic_id = $1 and t.id = any($2::int[]) and t.deleted_at is null`,
    [clinicId, ids],
  );
  return rows.map(({ row }) => row);
}

/** Everything of one kind that a clinic has not deleted, by id. */
export async function allResources<T>(sql: Sql, clinicId: number, table: CatalogueTable): Promise<T[]> {
  const rows = await rowsOf<{ row: T }>(
    sql,
    `all ${table}`,
    `select ${documentJson[table]} as row from ${tableOf[table]} t where t.clinic_id = $1 and t.deleted_at is null order by t.id`,
    [clinicId],
  );
  return rows.map(({ row }) => row);
}
