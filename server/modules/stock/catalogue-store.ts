/**
 * The catalogue's resources in SQL. PostgreSQL builds them, because lists, replies and the change feed show the same
 * ones.
 */
import type { KnownPrice } from '#domain/order/odd-facts.ts';
import type { Sellable } from '#domain/order/decisions.ts';
import { defaultPageSize, paginationOf } from '#domain/pagination.ts';
import type { Pagination } from '#domain/pagination.ts';
import { searchKey } from '#domain/search-key.ts';
import type { StockState } from '#domain/stock/ledger.ts';
import { isoOf } from '#domain/instant.ts';
import { amountOf, isoText, keyOf, likeText, msOf, naturally, quantityOf, rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';
import { measured, readPart } from '#server/db/page.ts';
import type { Measured } from '#server/db/page.ts';
import { partOf } from '#server/http/paging.ts';
import type { WriteContext } from '#server/context.ts';

/** The fields that stock items and products share. */
const sellableFields = `'id', t.id, 'name', t.name, 'category_id', t.category_id, 'image_url', t.image_url, 'barcode', t.barcode,
  'is_available', t.is_available, 'needs_preparation', t.needs_preparation, 'is_favourite', t.is_favourite, 'tax', t.tax, 'created_at', ${isoText('t.created_at')}, 'updated_at', ${isoText('t.updated_at')}`;

/** An item that is not stocked keeps its last level, which returns when it is stocked again; until then it shows 0. */
const ifStocked = (milli: string) => `case when t.is_stocked then ${quantityOf(milli)} else 0 end`;

/** The resource of a table's row `t`, by table. */
export const documentJson = {
  stock: `json_build_object(${sellableFields}, 'unit', t.unit, 'supplier', t.supplier, 'supplier_contact', t.supplier_contact,
    'is_stocked', t.is_stocked, 'quantity', ${ifStocked('t.quantity_milli')}, 'reserved_quantity', ${ifStocked('(t.reserved_milli + t.held_milli)')},
    'low_stock_threshold', ${ifStocked('t.low_stock_threshold_milli')}, 'cost_per_unit', ${amountOf('t.cost_minor')},
    'tracks_lots', t.tracks_lots, 'last_restocked_at', ${isoText('t.last_restocked_at')})`,
  products: `json_build_object(${sellableFields}, 'description', t.description, 'price', ${amountOf('t.price_minor')},
    'ingredients', (select coalesce(json_agg(json_build_object('ingredient_id', i.stock_id,
        'quantity_required', ${quantityOf('i.quantity_milli')}) order by i.stock_id), '[]'::json)
      from product_ingredients i where i.clinic_id = t.clinic_id and i.product_id = t.id))`,
  categories: `json_build_object('id', t.id, 'name', t.name, 'description', t.description, 'color', t.color, 'image_url', t.image_url,
    'created_at', ${isoText('t.created_at')}, 'updated_at', ${isoText('t.updated_at')})`,
} as const;

export type CatalogueTable = keyof typeof documentJson;

const tableOf = {
  stock: 'stock_items',
  products: 'products',
  categories: 'categories',
} as const satisfies Record<CatalogueTable, string>;

/** Mirrors `stockState` in `domain/stock/ledger.ts`. */
export const stockStateSql = `case when t.quantity_milli <= 0 then 'out_of_stock'
  when t.quantity_milli <= t.low_stock_threshold_milli then 'low_stock' else 'in_stock' end`;

const feed = (table: CatalogueTable) =>
  `select t.xid::text as xid, t.id::text as id, case when t.deleted_at is null then ${documentJson[table]} end as row from ${tableOf[table]} t`;

/** Selects rows for the change feed: `xid`, `id`, and the resource as `row`, which is null for a deleted one. */
export const feedCatalogue = {
  stock: feed('stock'),
  products: feed('products'),
  categories: feed('categories'),
} as const;

/** Returns the resources of these ids, unordered. Deleted and unknown ids, and those of other clinics, are left out. */
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

/** Returns a resource that is there or deleted. */
export async function anyDocumentOf<T>(
  sql: Sql,
  clinicId: number,
  table: CatalogueTable,
  id: number,
): Promise<T | undefined> {
  const [found] = await rowsOf<{ row: T }>(
    sql,
    `${table} by id, deleted or not`,
    `select ${documentJson[table]} as row from ${tableOf[table]} t where t.clinic_id = $1 and t.id = $2`,
    [clinicId, id],
  );
  return found?.row;
}

/** Returns every resource of one table that the clinic has not deleted, by id. `links` leaves out pictures that are in the row itself. */
export async function allResources<T>(
  sql: Sql,
  clinicId: number,
  table: CatalogueTable,
  { pictures = 'links' }: { pictures?: 'links' | 'all' } = {},
): Promise<T[]> {
  const json = documentJson[table];
  const rows = await rowsOf<{ row: T }>(
    sql,
    `all ${table} with ${pictures}`,
    `select ${pictures === 'all' ? json : json.replace('t.image_url', linkOnly)} as row
     from ${tableOf[table]} t where t.clinic_id = $1 and t.deleted_at is null order by t.id`,
    [clinicId],
  );
  return rows.map(({ row }) => row);
}

/** A picture in the row itself has up to 200,000 letters, in each of some thousand rows. */
const linkOnly = "case when left(t.image_url, 5) <> 'data:' then t.image_url end";

/** Allocates ids in advance, so that new rows and their references can be written as sets. */
export async function newIds(sql: Sql, table: CatalogueTable, count: number): Promise<number[]> {
  if (count === 0) return [];
  const rows = await rowsOf<{ id: number }>(
    sql,
    `new ${table} ids`,
    `select nextval(pg_get_serial_sequence('${tableOf[table]}', 'id'))::int as id from generate_series(1, $1::int)`,
    [count],
  );
  return rows.map(({ id }) => id);
}

/** Returns what saves rows of a table: new ones, and those whose id exists. The columns are those that a form edits. */
export function upsertInto<Column extends string>(table: CatalogueTable, columns: readonly Column[]) {
  const list = ['clinic_id', 'id', ...columns, 'updated_at'].join(', ');
  const updates = [...columns, 'updated_at'].map((column) => `${column} = excluded.${column}`).join(', ');
  const statement = {
    name: `save ${table}`,
    text: `insert into ${tableOf[table]} (${list}, created_at) overriding system value
           select ${list}, updated_at from json_populate_recordset(null::${tableOf[table]}, $1::json)
           on conflict (clinic_id, id) do update set ${updates}`,
  };
  return async (
    sql: Sql,
    rows: readonly Record<Column | 'clinic_id' | 'id' | 'updated_at', unknown>[],
  ): Promise<void> => {
    await sql.query({ ...statement, values: [JSON.stringify(rows)] });
  };
}

/** Deletes a row from the catalogue; what names it keeps it. */
export async function deleteRow(
  { sql, clinicId, atMs }: Pick<WriteContext, 'sql' | 'clinicId' | 'atMs'>,
  table: CatalogueTable,
  id: number,
): Promise<void> {
  await sql.query({
    name: `delete of ${table}`,
    text: `update ${tableOf[table]} set deleted_at = $3, updated_at = $3 where clinic_id = $1 and id = $2`,
    values: [clinicId, id, isoOf(atMs)],
  });
}

/** Takes the deletion of a row back. Returns false if the clinic has deleted no such row. */
export async function restoreRow(
  { sql, clinicId, atMs }: Pick<WriteContext, 'sql' | 'clinicId' | 'atMs'>,
  table: CatalogueTable,
  id: number,
): Promise<boolean> {
  const { rowCount } = await sql.query({
    name: `restore of ${table}`,
    text: `update ${tableOf[table]} set deleted_at = null, updated_at = $3
           where clinic_id = $1 and id = $2 and deleted_at is not null`,
    values: [clinicId, id, isoOf(atMs)],
  });
  return rowCount === 1;
}

export const upsertCategories = upsertInto('categories', ['name', 'description', 'color', 'image_url']);

/** Removes the items and products of a category from it. */
export async function clearCategory({ sql, clinicId, atMs }: WriteContext, id: number): Promise<void> {
  for (const table of ['stock_items', 'products']) {
    // Rows are locked in the order that every writer uses.
    await sql.query({
      name: `clear category of ${table}`,
      text: `with held as (select id from ${table} where clinic_id = $1 and category_id = $2 order by id for no key update)
             update ${table} t set category_id = null, updated_at = $3 from held where t.clinic_id = $1 and t.id = held.id`,
      values: [clinicId, id, isoOf(atMs)],
    });
  }
}

/** The sort keys of each list. `name` sorts by the search key, which ignores accents and case. */
export const sorts = {
  stock: {
    name: naturally('t.search_key'),
    id: 't.id',
    unit: 't.unit',
    supplier: naturally(keyOf('t.supplier')),
    quantity: 't.quantity_milli',
    reserved_quantity: '(t.reserved_milli + t.held_milli)',
    low_stock_threshold: 't.low_stock_threshold_milli',
    cost_per_unit: 't.cost_minor',
    // Never restocked sorts as the longest ago.
    last_restocked_at: "coalesce(t.last_restocked_at, '-infinity')",
    created_at: 't.created_at',
    updated_at: 't.updated_at',
  },
  products: {
    name: naturally('t.search_key'),
    id: 't.id',
    price: 't.price_minor',
    created_at: 't.created_at',
    updated_at: 't.updated_at',
  },
  categories: { name: naturally(keyOf('t.name')), id: 't.id', created_at: 't.created_at', updated_at: 't.updated_at' },
} as const satisfies Record<CatalogueTable, Record<string, string>>;

/** Categories have no stored search key: PostgreSQL removes the accents of the few dozen while reading. */
const searched: Record<CatalogueTable, string> = {
  stock: 't.search_key',
  products: 't.search_key',
  categories: keyOf('t.name'),
};

export interface ListQuery {
  page?: number | undefined;
  per_page?: number | undefined;
  row?: number | undefined;
  search?: string | undefined;
  order: 'asc' | 'desc';
  sort: string;
  status?: StockState | undefined;
  is_stocked?: boolean | undefined;
  category_id?: number | undefined;
}

export interface ListPage<T> {
  data: T[];
  pagination: Pagination;
}

/** Returns one page, or everything without page and size. A search matches the beginning of any word of the name. */
export async function listPage<T>(
  sql: Sql,
  clinicId: number,
  table: CatalogueTable,
  query: ListQuery,
): Promise<ListPage<T>> {
  const values: unknown[] = [clinicId];
  const conditions = ['t.clinic_id = $1', 't.deleted_at is null'];
  const where = (condition: (parameter: string) => string, value: unknown) => {
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  };
  const wanted = likeText(searchKey(query.search ?? ''));
  if (wanted !== '') where((text) => `' ' || ${searched[table]} like ${text}`, `% ${wanted}%`);
  if (query.status !== undefined) where((state) => `t.is_stocked and (${stockStateSql}) = ${state}`, query.status);
  if (query.is_stocked !== undefined) where((stocked) => `t.is_stocked = ${stocked}`, query.is_stocked);
  if (query.category_id !== undefined) where((id) => `t.category_id = ${id}`, query.category_id);

  const from = `from ${tableOf[table]} t where ${conditions.join(' and ')}`;
  const { rows: counted } = await sql.query(`select count(*)::int as total ${from}`, values);
  const total = (counted[0] as { total: number }).total;
  const isPaged = query.page !== undefined || query.per_page !== undefined;
  const perPage = isPaged ? (query.per_page ?? defaultPageSize) : Math.max(1, total);
  const page = query.page ?? 1;
  const order = `${(sorts[table] as Record<string, string>)[query.sort]} ${query.order}, t.id ${query.order}`;
  const asked = { page, per_page: perPage, row: query.row ?? 0 };
  const data = await readPart(partOf(asked), async ({ limit, offset }) => {
    const { rows } = await sql.query(
      measured(
        `select ${documentJson[table]} as row from (select t.* ${from} order by ${order} limit ${limit} offset ${offset}) t order by ${order}`,
      ),
      values,
    );
    return rows as Measured<T>[];
  });
  return { data, pagination: paginationOf({ ...asked, total, rows: data.length }) };
}

export interface Sellables {
  stock: ReadonlyMap<number, Sellable>;
  products: ReadonlyMap<number, Sellable>;
}

/** Returns names and prices of these ids. Deleted and unknown items are left out. */
export async function loadSellables(
  sql: Sql,
  clinicId: number,
  { stockIds, productIds }: { stockIds: readonly number[]; productIds: readonly number[] },
): Promise<Sellables> {
  const rows = await rowsOf<{ row: Sellable }>(
    sql,
    'sellables',
    `select json_build_object('type', type, 'id', id, 'name', name, 'priceMinor', price, 'isAvailable', is_available, 'taxCode', tax) as row from (
       select 'stock' as type, id, name, cost_minor as price, is_available, tax from stock_items
         where clinic_id = $1 and id = any($2::int[]) and deleted_at is null
       union all
       select 'product', id, name, price_minor, is_available, tax from products
         where clinic_id = $1 and id = any($3::int[]) and deleted_at is null) sellables`,
    [clinicId, stockIds, productIds],
  );
  const byId = (type: Sellable['type']) =>
    new Map(rows.filter(({ row }) => row.type === type).map(({ row }) => [row.id, row]));
  return { stock: byId('stock'), products: byId('product') };
}

/** Prices by the ids of stock items and of products. */
export interface Prices {
  stock: ReadonlyMap<number, readonly KnownPrice[]>;
  products: ReadonlyMap<number, readonly KnownPrice[]>;
}

/** Returns the prices and taxes that services have, also deleted ones, and those that they had since then. */
export async function loadPrices(
  sql: Sql,
  clinicId: number,
  { stockIds, productIds, sinceMs }: { stockIds: readonly number[]; productIds: readonly number[]; sinceMs: number },
): Promise<Prices> {
  const rows = await rowsOf<{ type: Sellable['type']; id: number } & KnownPrice>(
    sql,
    'prices',
    `select type, id, price::float8 as "priceMinor", tax as "taxCode", ${msOf('until')}::float8 as "untilMs" from (
       select 'stock' as type, id, cost_minor as price, tax, null::timestamptz as until from stock_items where clinic_id = $1 and id = any($2::int[])
       union all select 'product', id, price_minor, tax, null from products where clinic_id = $1 and id = any($3::int[])
       union all select 'stock', stock_id, price_minor, tax, until from former_prices where clinic_id = $1 and stock_id = any($2::int[]) and until >= $4
       union all select 'product', product_id, price_minor, tax, until from former_prices where clinic_id = $1 and product_id = any($3::int[]) and until >= $4) known`,
    [clinicId, stockIds, productIds, isoOf(sinceMs)],
  );
  const byId = (of: Sellable['type']) => {
    const prices = new Map<number, KnownPrice[]>();
    for (const { type, id, ...price } of rows) if (type === of) prices.set(id, [...(prices.get(id) ?? []), price]);
    return prices;
  };
  return { stock: byId('stock'), products: byId('product') };
}
