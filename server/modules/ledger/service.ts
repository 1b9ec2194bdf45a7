/**
 * The stock ledger (SYNC-10). Every change of a quantity is a row with its reason, and an item's quantity is the sum of
 * its rows. A caller passes all movements of its transaction in one call. Items are locked in the order of their ids,
 * so two batches never deadlock.
 */
import { alertChanged, levelAlert } from '../../../domain/stock/alerts.ts';
import { moveStock } from '../../../domain/stock/ledger.ts';
import type { StockLevel } from '../../../domain/stock/ledger.ts';
import { isoOf, msOf, rowsOf } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { effectKey } from '../../operations/operation-module.ts';
import { refreshAlerts, settleAlerts } from '../alerts/service.ts';
import type { Standing } from '../alerts/service.ts';
import { LotMovements } from './lots.ts';
import { insertEntries } from './store.ts';
import type { LedgerEntry, WrittenEntry } from './store.ts';

export { refreshAlerts } from '../alerts/service.ts';
export type { LedgerEntry } from './store.ts';

export interface LedgerWork {
  entries: readonly LedgerEntry[];
  /** By item, the change of what open treatments reserve, in thousandths. */
  reservations: ReadonlyMap<number, number>;
}

/** Ledger work that the operations of other nouns leave. No two works may reserve the same item. */
export const ledgerEffects = effectKey<LedgerWork>('ledger');

interface Item extends StockLevel {
  id: number;
  costMinor: number;
  thresholdMilli: number;
  tracksLots: boolean;
  isKept: boolean;
  /** Set when this transaction adds stock: the time at which the addition takes effect. */
  restockedAtMs: number | null;
}

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

/**
 * Writes ledger entries and their effects: quantities of items, movements of lots, and alerts for crossed levels.
 * Entries of items that the clinic never had are left out.
 */
export async function writeLedger(sql: Sql, clinicId: number, receivedAtMs: number, work: LedgerWork): Promise<void> {
  const ids = [...new Set([...work.entries.map((entry) => entry.stockId), ...work.reservations.keys()])].sort(
    (a, b) => a - b,
  );
  if (ids.length === 0) return;
  const items = await lockLevels(sql, clinicId, ids);
  const entries = work.entries.filter(({ stockId }) => items.has(stockId));
  const before = new Map([...items.values()].map(({ id, quantityMilli }) => [id, quantityMilli]));
  const tracked = new Set([...items.values()].filter(({ tracksLots }) => tracksLots).map(({ id }) => id));
  const lots = await LotMovements.open(sql, clinicId, receivedAtMs, entries, tracked);
  const stored = await storedSince(sql, clinicId, entries);
  const written: WrittenEntry[] = [];
  const deltas = new Map<number, WrittenEntry[]>();
  for (const entry of entries) {
    const item = items.get(entry.stockId)!;
    const since = stored.has(entry)
      ? stored.get(entry)! + freshSince(deltas.get(entry.stockId), entry.movement.effectiveAtMs)
      : 0;
    const previousMilli = item.quantityMilli;
    const { level, effectMilli } = moveStock(item, entry.movement, since);
    Object.assign(item, level);
    if (restocks(entry)) item.restockedAtMs = Math.max(item.restockedAtMs ?? 0, entry.movement.effectiveAtMs);
    lots?.move(entry, effectMilli);
    const one = {
      entry,
      effectMilli,
      previousMilli,
      newMilli: item.quantityMilli,
      costMinor: entry.unitCostMinor ?? item.costMinor,
    };
    written.push(one);
    if (entry.movement.type === 'delta') deltas.set(entry.stockId, [...(deltas.get(entry.stockId) ?? []), one]);
  }
  await insertEntries(sql, clinicId, receivedAtMs, written);
  await updateItems(sql, clinicId, receivedAtMs, items, work.reservations);
  await lots?.write(sql, clinicId);
  await settleAlerts(
    sql,
    clinicId,
    receivedAtMs,
    [...items.values()].flatMap((item) => crossed(item, before.get(item.id)!)),
  );
  await refreshAlerts(sql, clinicId, receivedAtMs, lots?.affectedItems ?? []);
}

const restocks = ({ type, movement }: LedgerEntry): boolean =>
  (type === 'purchase' || type === 'stock_in') && movement.type === 'delta' && movement.changeMilli > 0;

/** Returns the alert that the item's level now needs, if that changed. */
function crossed({ id, quantityMilli, thresholdMilli, isKept }: Item, beforeMilli: number): Standing[] {
  const call = levelAlert(quantityMilli, thresholdMilli);
  if (!isKept || !alertChanged(levelAlert(beforeMilli, thresholdMilli), call)) return [];
  return [{ stockId: id, lotId: null, call, quantityMilli, thresholdMilli }];
}

async function lockLevels(sql: Sql, clinicId: number, ids: readonly number[]): Promise<Map<number, Item>> {
  const rows = await rowsOf<{ item: Item }>(
    sql,
    'lock stock items',
    `select json_build_object('id', id, 'quantityMilli', quantity_milli, 'costMinor', cost_minor,
       'countedAtMs', ${msOf('counted_at')}, 'thresholdMilli', low_stock_threshold_milli,
       'tracksLots', tracks_lots, 'isKept', deleted_at is null, 'restockedAtMs', null) as item
     from stock_items where clinic_id = $1 and id = any($2::bigint[]) order by id for no key update`,
    [clinicId, ids],
  );
  return new Map(rows.map(({ item }) => [item.id, item]));
}

/**
 * Returns, by count, the sum of stored deltas that took effect after it. One statement reads all, because an import has
 * many counts.
 */
async function storedSince(
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

/** Returns the sum of the deltas of this transaction that took effect after a time. */
function freshSince(deltas: readonly WrittenEntry[] | undefined, atMs: number): number {
  return (deltas ?? [])
    .filter(({ entry }) => entry.movement.effectiveAtMs > atMs)
    .reduce((sum, { effectMilli }) => sum + effectMilli, 0);
}

async function updateItems(
  sql: Sql,
  clinicId: number,
  atMs: number,
  items: ReadonlyMap<number, Item>,
  reservations: ReadonlyMap<number, number>,
): Promise<void> {
  const rows = [...items.values()].map((item) => ({
    id: item.id,
    quantity_milli: item.quantityMilli,
    counted_at: item.countedAtMs === null ? null : isoOf(item.countedAtMs),
    reserved_milli: reservations.get(item.id) ?? 0,
    restocked_at: item.restockedAtMs === null ? null : isoOf(item.restockedAtMs),
  }));
  await sql.query({
    name: 'update stock items',
    text: `update stock_items s set quantity_milli = r.quantity_milli, counted_at = r.counted_at,
             reserved_milli = s.reserved_milli + r.reserved_milli, last_restocked_at = greatest(s.last_restocked_at, r.restocked_at),
             updated_at = $3
           from json_to_recordset($2::json)
             as r(id bigint, quantity_milli bigint, counted_at timestamptz, reserved_milli bigint, restocked_at timestamptz)
           where s.clinic_id = $1 and s.id = r.id
             and (s.quantity_milli, s.counted_at, r.reserved_milli, r.restocked_at)
               is distinct from (r.quantity_milli, r.counted_at, 0::bigint, null)`,
    values: [clinicId, JSON.stringify(rows), isoOf(atMs)],
  });
}
