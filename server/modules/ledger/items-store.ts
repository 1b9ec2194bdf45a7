/** The quantities of stock items in SQL. */
import type { StockLevel } from '#domain/stock/ledger.ts';
import { isoOf, isoOrNull } from '#domain/instant.ts';
import { jsonFields } from '#server/db/read.ts';
import type { JsonFields } from '#server/db/read.ts';
import { stockItems } from '#server/db/schema/catalogue.ts';
import { rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';
import type { LedgerEntry } from './store.ts';

export interface Item extends StockLevel {
  id: number;
  unit: string;
  costMinor: number;
  thresholdMilli: number;
  tracksLots: boolean;
  /** False for a service: it has no movements. Its reservations are kept, for the day when it becomes stocked. */
  isStocked: boolean;
  isKept: boolean;
  /** Set when this transaction adds stock: the time at which the addition takes effect. */
  restockedAtMs: number | null;
}

const itemFields: JsonFields<Omit<Item, 'isKept' | 'restockedAtMs'>> = jsonFields(
  stockItems,
  'i',
  ['id', 'unit', 'quantityMilli', 'costMinor', 'countedAt', 'tracksLots', 'isStocked'],
  { thresholdMilli: 'lowStockThresholdMilli' },
);

/** Returns the items that the clinic has or had. Facts about a deleted item may still arrive. */
export async function existingItems(sql: Sql, clinicId: number, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await rowsOf<{ id: number }>(
    sql,
    'known stock items',
    `select id::int as id from stock_items where clinic_id = $1 and id = any($2::bigint[])`,
    [clinicId, ids],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Returns whether an item is stocked; undefined of one that the clinic does not have. */
export async function isStocked(sql: Sql, clinicId: number, id: number): Promise<boolean | undefined> {
  const [item] = await rowsOf<{ isStocked: boolean }>(
    sql,
    'item is stocked',
    'select is_stocked as "isStocked" from stock_items where clinic_id = $1 and id = $2 and deleted_at is null',
    [clinicId, id],
  );
  return item?.isStocked;
}

export async function lockLevels(sql: Sql, clinicId: number, ids: readonly number[]): Promise<Map<number, Item>> {
  const rows = await rowsOf<{ item: Item }>(
    sql,
    'lock stock items',
    `select json_build_object(${itemFields}, 'isKept', deleted_at is null and is_stocked, 'restockedAtMs', null) as item
     from stock_items i where clinic_id = $1 and id = any($2::bigint[]) order by id for no key update`,
    [clinicId, ids],
  );
  return new Map(rows.map(({ item }) => [item.id, item]));
}

/**
 * Returns, by count, the sum of stored deltas that took effect after it. One statement reads all, because an import has
 * many counts.
 */
export async function storedSince(
  sql: Sql,
  clinicId: number,
  entries: readonly LedgerEntry[],
): Promise<Map<LedgerEntry, number>> {
  const counts = entries.filter(({ movement }) => movement.type === 'count');
  if (counts.length === 0) return new Map();
  const rows = await rowsOf<{ sum: number }>(
    sql,
    'deltas since',
    `select (select coalesce(sum(t.effect_milli), 0) from stock_transactions t
         where t.clinic_id = $1 and t.stock_id = c.stock_id and t.effective_at > c.at and not t.is_count)::float8 as sum
     from unnest($2::int[], $3::timestamptz[]) with ordinality as c(stock_id, at, position) order by c.position`,
    [clinicId, counts.map(({ stockId }) => stockId), counts.map(({ movement }) => isoOf(movement.effectiveAtMs))],
  );
  return new Map(counts.map((entry, index) => [entry, rows[index]!.sum]));
}

export async function updateItems(
  sql: Sql,
  clinicId: number,
  atMs: number,
  { changed, reservations }: { changed: readonly Item[]; reservations: ReadonlyMap<number, number> },
): Promise<void> {
  if (changed.length === 0) return;
  const rows = changed.map((item) => ({
    id: item.id,
    quantity_milli: item.quantityMilli,
    counted_at: isoOrNull(item.countedAtMs),
    reserved_milli: reservations.get(item.id) ?? 0,
    restocked_at: isoOrNull(item.restockedAtMs),
  }));
  await sql.query({
    name: 'update stock items',
    text: `update stock_items s set quantity_milli = r.quantity_milli, counted_at = r.counted_at,
             reserved_milli = s.reserved_milli + r.reserved_milli, last_restocked_at = greatest(s.last_restocked_at, r.restocked_at),
             updated_at = $3
           from json_to_recordset($2::json)
             as r(id bigint, quantity_milli bigint, counted_at timestamptz, reserved_milli bigint, restocked_at timestamptz)
           where s.clinic_id = $1 and s.id = r.id`,
    values: [clinicId, JSON.stringify(rows), isoOf(atMs)],
  });
}
