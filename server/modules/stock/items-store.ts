/** Stock items in SQL, read under locks and written as sets. Forms and imports share these functions. */
import { minorFromWire } from '#domain/money.ts';
import { milliFromWire } from '#domain/quantity.ts';
import { searchKey } from '#domain/search-key.ts';
import type { StockDraft } from '#domain/stock/drafts.ts';
import type { StockResource } from '#domain/stock/resources.ts';
import { isoOf } from '#domain/instant.ts';
import { rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';
import { openOrdersOf } from '../purchasing/service.ts';
import { documentJson } from './catalogue-store.ts';

/** An item with the part of its reservation that was made by hand. */
export interface StockItem {
  document: StockResource;
  heldMilli: number;
}

const itemSql = `select ${documentJson.stock} as document, t.held_milli::float8 as "heldMilli" from stock_items t where t.clinic_id = $1 and t.deleted_at is null`;

/** Locks these items, or all of the clinic, until the transaction ends. */
export async function lockItems(
  sql: Sql,
  clinicId: number,
  ids: readonly number[] | 'all',
): Promise<Map<number, StockItem>> {
  const rows =
    ids === 'all'
      ? await rowsOf<StockItem>(sql, 'lock all items', `${itemSql} order by t.id for no key update`, [clinicId])
      : await rowsOf<StockItem>(
          sql,
          'lock items',
          `${itemSql} and t.id = any($2::int[]) order by t.id for no key update`,
          [clinicId, ids],
        );
  return byId(rows);
}

/** What depends on an item as it is. */
export interface ItemUses {
  /** The numbers of sent orders that wait for it. */
  orders: readonly string[];
  /** True when its lots, reservations or services count in its unit. */
  countsInUnit: boolean;
}

const unused: ItemUses = { orders: [], countsInUnit: false };

/** Reads what depends on items, which are locked, so that no order is sent meanwhile. */
export async function readUses(
  sql: Sql,
  clinicId: number,
  ids: readonly number[] | 'all',
): Promise<(id: number) => ItemUses> {
  const orders = await openOrdersOf(sql, clinicId, ids);
  const counted = await rowsOf<{ id: number }>(
    sql,
    'items whose unit is in use',
    `select t.id from stock_items t where t.clinic_id = $1 and ($2::int[] is null or t.id = any($2::int[])) and (
       t.reserved_milli <> 0 or t.held_milli <> 0
       or exists (select 1 from stock_lots l where l.clinic_id = $1 and l.stock_id = t.id)
       or exists (select 1 from product_ingredients i join products p on p.clinic_id = i.clinic_id and p.id = i.product_id
                  where i.clinic_id = $1 and i.stock_id = t.id and p.deleted_at is null))`,
    [clinicId, ids === 'all' ? null : ids],
  );
  const inUnit = new Set(counted.map(({ id }) => id));
  return (id) =>
    orders.has(id) || inUnit.has(id) ? { orders: orders.get(id) ?? [], countsInUnit: inUnit.has(id) } : unused;
}

/** Returns all items without locking them. */
export async function allItems(sql: Sql, clinicId: number): Promise<Map<number, StockItem>> {
  return byId(await rowsOf<StockItem>(sql, 'all items', `${itemSql} order by t.id`, [clinicId]));
}

const byId = (rows: readonly StockItem[]) => new Map(rows.map((item) => [item.document.id, item]));

/** The saved values of an item. */
export interface ItemContent {
  draft: StockDraft;
  heldMilli: number;
  lastRestockedAt: string | null;
}

export function itemRow({ draft, heldMilli, lastRestockedAt }: ItemContent) {
  return {
    name: draft.name,
    search_key: searchKey(draft.name),
    unit: draft.unit,
    category_id: draft.category_id,
    image_url: draft.image_url,
    supplier: draft.supplier,
    supplier_contact: draft.supplier_contact,
    held_milli: heldMilli,
    low_stock_threshold_milli: milliFromWire(draft.low_stock_threshold),
    cost_minor: minorFromWire(draft.cost_per_unit),
    barcode: draft.barcode,
    is_available: draft.is_available,
    needs_preparation: draft.needs_preparation,
    is_favourite: draft.is_favourite,
    tax: draft.tax,
    is_stocked: draft.is_stocked,
    tracks_lots: draft.tracks_lots,
    last_restocked_at: lastRestockedAt,
  };
}

export type ItemRow = ReturnType<typeof itemRow> & { clinic_id: number; id: number; updated_at: string };

const columns = [
  'name',
  'search_key',
  'unit',
  'category_id',
  'image_url',
  'supplier',
  'supplier_contact',
  'held_milli',
  'low_stock_threshold_milli',
  'cost_minor',
  'barcode',
  'is_available',
  'needs_preparation',
  'is_favourite',
  'tax',
  'is_stocked',
  'tracks_lots',
  'last_restocked_at',
  'updated_at',
] as const satisfies (keyof ItemRow)[];

export async function insertItems(sql: Sql, rows: readonly ItemRow[]): Promise<void> {
  if (rows.length === 0) return;
  const list = ['clinic_id', 'id', ...columns].join(', ');
  await sql.query({
    name: 'insert items',
    text: `insert into stock_items (${list}, created_at) overriding system value
           select ${list}, updated_at from json_populate_recordset(null::stock_items, $1::json)`,
    values: [JSON.stringify(rows)],
  });
}

export async function updateItems(sql: Sql, clinicId: number, rows: readonly ItemRow[]): Promise<void> {
  if (rows.length === 0) return;
  await sql.query({
    name: 'update items',
    text: `update stock_items t set ${columns.map((column) => `${column} = r.${column}`).join(', ')}
           from json_populate_recordset(null::stock_items, $2::json) r where t.clinic_id = $1 and t.id = r.id`,
    values: [clinicId, JSON.stringify(rows)],
  });
}

/** Changes the reservations made by hand, in thousandths. The items must be locked. */
export async function changeReserved(
  sql: Sql,
  clinicId: number,
  changes: readonly { id: number; change: number }[],
  atMs: number,
): Promise<void> {
  await sql.query({
    name: 'hold items',
    text: `update stock_items t set held_milli = t.held_milli + r.change, updated_at = $3
           from json_to_recordset($2::json) as r(id int, change bigint) where t.clinic_id = $1 and t.id = r.id`,
    values: [clinicId, JSON.stringify(changes), isoOf(atMs)],
  });
}

/** Returns the names of at most five products that an item is an ingredient of. */
export async function productsUsing(sql: Sql, clinicId: number, stockId: number): Promise<string[]> {
  const rows = await rowsOf<{ name: string }>(
    sql,
    'products of an item',
    `select p.name from product_ingredients i join products p on p.clinic_id = i.clinic_id and p.id = i.product_id
     where i.clinic_id = $1 and i.stock_id = $2 and p.deleted_at is null order by p.name limit 5`,
    [clinicId, stockId],
  );
  return rows.map(({ name }) => name);
}

/** Returns the number of a treatment, for the movements that are entered for it; undefined of none. */
export async function treatmentNumber(sql: Sql, clinicId: number, orderId: string): Promise<string | undefined> {
  const [order] = await rowsOf<{ number: string }>(
    sql,
    'number of treatment',
    'select number from orders where clinic_id = $1 and id = $2',
    [clinicId, orderId],
  );
  return order?.number;
}
