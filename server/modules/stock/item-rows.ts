/** Stock items in SQL: read under their locks, written as sets. One item and a table of them go the same way. */
import { minorFromWire } from '../../../domain/money.ts';
import { milliFromWire } from '../../../domain/quantity.ts';
import { searchKey } from '../../../domain/search-key.ts';
import type { StockDraft } from '../../../domain/stock/drafts.ts';
import type { StockResource } from '../../../domain/stock/resources.ts';
import { isoOf, rowsOf } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { refreshAlerts, writeLedger } from '../ledger/service.ts';
import type { LedgerEntry } from '../ledger/service.ts';
import { holdUploads } from '../uploads/service.ts';
import { documentJson } from './resources.ts';
import type { WriteContext } from '../../context.ts';

/** An item as it stands, with the part of what is reserved that was set aside by hand. */
export interface StockItem {
  document: StockResource;
  heldMilli: number;
}

export interface ItemChange {
  /** Null for a new one. */
  item: StockItem | null;
  draft: StockDraft;
  heldMilli: number;
  /** What was counted; null where nobody counted. */
  countMilli: number | null;
  lastRestockedAt: string | null;
}

const itemRow = `select ${documentJson.stock} as document, t.held_milli::float8 as "heldMilli" from stock_items t where t.clinic_id = $1 and t.deleted_at is null`;

/** These items of the clinic, or all of them, kept from changing until the transaction ends. */
export async function lockItems(
  sql: Sql,
  clinicId: number,
  ids: readonly number[] | 'all',
): Promise<Map<number, StockItem>> {
  const rows =
    ids === 'all'
      ? await rowsOf<StockItem>(sql, 'lock all items', `${itemRow} order by t.id for no key update`, [clinicId])
      : await rowsOf<StockItem>(
          sql,
          'lock items',
          `${itemRow} and t.id = any($2::int[]) order by t.id for no key update`,
          [clinicId, ids],
        );
  return byId(rows);
}

/** All items as they stand, for a look. */
export async function allItems(sql: Sql, clinicId: number): Promise<Map<number, StockItem>> {
  return byId(await rowsOf<StockItem>(sql, 'all items', `${itemRow} order by t.id`, [clinicId]));
}

const byId = (rows: readonly StockItem[]) => new Map(rows.map((item) => [item.document.id, item]));

/**
 * Writes what changed, counts included. Items that are there must be locked.
 *
 * @returns the ids, in the order given
 */
export async function saveItems(context: WriteContext, changes: readonly ItemChange[]): Promise<number[]> {
  const { sql, clinicId, atMs } = context;
  const created = await newIds(sql, 'stock_items', changes.filter(({ item }) => !item).length);
  const ids = changes.map(({ item }) => item?.document.id ?? created.shift()!);
  const rows = changes.map((change, index) => ({
    ...rowOf(change),
    clinic_id: clinicId,
    id: ids[index]!,
    updated_at: isoOf(atMs),
  }));
  await holdUploads(
    sql,
    clinicId,
    rows.map(({ image_url }) => image_url),
  );
  await insertItems(
    sql,
    rows.filter((_, index) => !changes[index]!.item),
  );
  await updateItems(
    sql,
    clinicId,
    rows.filter((_, index) => changes[index]!.item),
  );
  const counts = changes.flatMap(({ countMilli }, index) =>
    countMilli === null ? [] : [countEntry(context, ids[index]!, countMilli)],
  );
  await writeLedger(sql, clinicId, atMs, { entries: counts, reservations: new Map() });
  await refreshAlerts(sql, clinicId, atMs, ids);
  return ids;
}

function rowOf({ draft, heldMilli, lastRestockedAt }: ItemChange) {
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
    tracks_lots: draft.tracks_lots,
    last_restocked_at: lastRestockedAt,
  };
}

type Row = ReturnType<typeof rowOf> & { clinic_id: number; id: number; updated_at: string };

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
  'tracks_lots',
  'last_restocked_at',
  'updated_at',
] as const satisfies (keyof Row)[];

/** Ids given out ahead, so that a set of new rows and what refers to them can be written as sets. */
export async function newIds(sql: Sql, table: 'stock_items' | 'products', count: number): Promise<number[]> {
  if (count === 0) return [];
  const rows = await rowsOf<{ id: number }>(
    sql,
    `new ${table} ids`,
    `select nextval(pg_get_serial_sequence('${table}', 'id'))::int as id from generate_series(1, $1::int)`,
    [count],
  );
  return rows.map(({ id }) => id);
}

async function insertItems(sql: Sql, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  const list = ['clinic_id', 'id', ...columns].join(', ');
  await sql.query({
    name: 'insert items',
    text: `insert into stock_items (${list}, created_at) overriding system value
           select ${list}, updated_at from json_populate_recordset(null::stock_items, $1::json)`,
    values: [JSON.stringify(rows)],
  });
}

async function updateItems(sql: Sql, clinicId: number, rows: readonly Row[]): Promise<void> {
  if (rows.length === 0) return;
  await sql.query({
    name: 'update items',
    text: `update stock_items t set ${columns.map((column) => `${column} = r.${column}`).join(', ')}
           from json_populate_recordset(null::stock_items, $2::json) r where t.clinic_id = $1 and t.id = r.id`,
    values: [clinicId, JSON.stringify(rows)],
  });
}

function countEntry({ session, atMs, newId }: WriteContext, stockId: number, quantityMilli: number): LedgerEntry {
  return {
    stockId,
    type: 'manual_adjustment',
    movement: { type: 'count', quantityMilli, effectiveAtMs: atMs },
    referenceType: 'adjustment',
    referenceId: null,
    notes: '',
    userId: session.userId,
    deviceId: session.deviceId,
    opId: newId(),
    lineId: null,
  };
}
