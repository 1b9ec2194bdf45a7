/**
 * The catalogue in SQL. PostgreSQL builds the documents themselves, because the lists of the API and the change feed show
 * the same ones.
 */
import { rowsOf } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import type { Sellable } from '../../../domain/order/decisions.ts';

const iso = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const quantity = (column: string) => `(${column} / 1000.0)::float8`;
const amount = (column: string) => `(${column} / 100.0)::float8`;

const stockJson = `json_build_object(
  'id', t.id, 'name', t.name, 'unit', t.unit, 'category_id', t.category_id, 'image_url', t.image_url, 'supplier', t.supplier,
  'supplier_contact', t.supplier_contact, 'quantity', ${quantity('t.quantity_milli')},
  'reserved_quantity', ${quantity('t.reserved_milli')}, 'low_stock_threshold', ${quantity('t.low_stock_threshold_milli')},
  'cost_per_unit', ${amount('t.cost_minor')}, 'barcode', t.barcode, 'is_available', t.is_available,
  'last_restocked_at', ${iso('t.last_restocked_at')}, 'created_at', ${iso('t.created_at')}, 'updated_at', ${iso('t.updated_at')})`;

const productJson = `json_build_object(
  'id', t.id, 'name', t.name, 'description', t.description, 'price', ${amount('t.price_minor')}, 'category_id', t.category_id,
  'image_url', t.image_url, 'barcode', t.barcode, 'is_available', t.is_available,
  'ingredients', (select coalesce(json_agg(json_build_object('ingredient_id', i.stock_id,
      'quantity_required', ${quantity('i.quantity_milli')}) order by i.stock_id), '[]'::json)
    from product_ingredients i where i.clinic_id = t.clinic_id and i.product_id = t.id),
  'created_at', ${iso('t.created_at')}, 'updated_at', ${iso('t.updated_at')})`;

const categoryJson = `json_build_object(
  'id', t.id, 'name', t.name, 'description', t.description, 'color', t.color,
  'created_at', ${iso('t.created_at')}, 'updated_at', ${iso('t.updated_at')})`;

const feed = (table: string, json: string) =>
  `select t.xid::text as xid, t.id::text as id, case when t.deleted_at is null then ${json} end as row from ${table} t`;

/** For the change feed: `xid`, `id`, and the document as `row`, which is null where the item was deleted. */
export const feedCatalogue = {
  stock: feed('stock_items', stockJson),
  products: feed('products', productJson),
  categories: feed('categories', categoryJson),
} as const;

export type CatalogueTable = keyof typeof feedCatalogue;

/** Everything of one kind that a clinic has not deleted, by name. */
export async function listDocuments<T>(sql: Sql, clinicId: number, table: CatalogueTable): Promise<T[]> {
  const rows = await rowsOf<{ row: T }>(
    sql,
    `list ${table}`,
    `${feedCatalogue[table]} where t.clinic_id = $1 and t.deleted_at is null order by t.name, t.id`,
    [clinicId],
  );
  return rows.map(({ row }) => row);
}

export interface Sellables {
  stock: ReadonlyMap<number, Sellable>;
  products: ReadonlyMap<number, Sellable>;
}

/** What these ids sell for now. Deleted and unknown items are left out. */
export async function loadSellables(
  sql: Sql,
  clinicId: number,
  { stockIds, productIds }: { stockIds: readonly number[]; productIds: readonly number[] },
): Promise<Sellables> {
  const rows = await rowsOf<{ row: Sellable }>(
    sql,
    'sellables',
    `select json_build_object('type', type, 'id', id, 'name', name, 'priceMinor', price, 'isAvailable', is_available) as row from (
       select 'stock' as type, id, name, cost_minor as price, is_available from stock_items
         where clinic_id = $1 and id = any($2::int[]) and deleted_at is null
       union all
       select 'product', id, name, price_minor, is_available from products
         where clinic_id = $1 and id = any($3::int[]) and deleted_at is null) sellables`,
    [clinicId, stockIds, productIds],
  );
  const byId = (type: Sellable['type']) => new Map(rows.filter(({ row }) => row.type === type).map(({ row }) => [row.id, row]));
  return { stock: byId('stock'), products: byId('product') };
}
