/**
 * The stock ledger (SYNC-10): every change of a quantity is a row that says why, and an item's quantity is what its rows
 * add up to. Callers hand over all movements of one transaction at once; items are locked in the order of their ids, so
 * two batches can never wait for each other.
 */
import { moveStock } from '../../../domain/stock/ledger.ts';
import type { StockLevel, StockMovement } from '../../../domain/stock/ledger.ts';
import { insertRows, isoOf, rowsOf } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';

export interface LedgerEntry {
  stockId: number;
  type: 'usage' | 'stock_in' | 'stock_out' | 'manual_adjustment';
  movement: StockMovement;
  referenceType: 'order' | 'adjustment';
  referenceId: string | null;
  notes: string;
  userId: number;
  deviceId: number | null;
  opId: string;
  lineId: string | null;
}

export interface LedgerWork {
  entries: readonly LedgerEntry[];
  /** By item: how much more (or less) is promised to open treatments. Thousandths. */
  reservations: ReadonlyMap<number, number>;
}

interface Item extends StockLevel {
  id: number;
  costMinor: number;
}

interface WrittenEntry {
  entry: LedgerEntry;
  effectMilli: number;
  previousMilli: number;
  newMilli: number;
  costMinor: number;
}

/** Which of these items exist in the clinic, deleted ones included: a fact about one may still arrive. */
export async function knownItems(sql: Sql, clinicId: number, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const rows = await rowsOf<{ id: number }>(
    sql,
    'known stock items',
    `select id::int as id from stock_items where clinic_id = $1 and id = any($2::bigint[])`,
    [clinicId, ids],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Writes the ledger and the items' quantities. Entries of items that the clinic never had are left out. */
export async function writeLedger(sql: Sql, clinicId: number, receivedAtMs: number, work: LedgerWork): Promise<void> {
  const ids = [...new Set([...work.entries.map((entry) => entry.stockId), ...work.reservations.keys()])].sort((a, b) => a - b);
  if (ids.length === 0) return;
  const items = await lockItems(sql, clinicId, ids);
  const written: WrittenEntry[] = [];
  for (const entry of work.entries) {
    const item = items.get(entry.stockId);
    if (!item) continue;
    const since = entry.movement.type === 'count' ? await deltasSince(sql, clinicId, entry, written) : 0;
    const previousMilli = item.quantityMilli;
    const { level, effectMilli } = moveStock(item, entry.movement, since);
    Object.assign(item, level);
    written.push({ entry, effectMilli, previousMilli, newMilli: item.quantityMilli, costMinor: item.costMinor });
  }
  await insertEntries(sql, clinicId, receivedAtMs, written);
  await updateItems(sql, clinicId, receivedAtMs, items, work.reservations);
}

async function lockItems(sql: Sql, clinicId: number, ids: readonly number[]): Promise<Map<number, Item>> {
  const rows = await rowsOf<{ item: Item }>(
    sql,
    'lock stock items',
    `select json_build_object('id', id, 'quantityMilli', quantity_milli, 'costMinor', cost_minor,
       'countedAtMs', (extract(epoch from counted_at) * 1000)::bigint) as item
     from stock_items where clinic_id = $1 and id = any($2::bigint[]) order by id for no key update`,
    [clinicId, ids],
  );
  return new Map(rows.map(({ item }) => [item.id, item]));
}

/** The deltas that took effect after a count's own time: those stored, and those earlier in this very transaction. */
async function deltasSince(sql: Sql, clinicId: number, { stockId, movement }: LedgerEntry, written: readonly WrittenEntry[]): Promise<number> {
  const [stored] = await rowsOf<{ sum: string }>(
    sql,
    'deltas since',
    `select coalesce(sum(effect_milli), 0)::text as sum from stock_transactions
     where clinic_id = $1 and stock_id = $2 and effective_at > $3 and not is_count`,
    [clinicId, stockId, isoOf(movement.effectiveAtMs)],
  );
  const fresh = written
    .filter(({ entry }) => entry.stockId === stockId && entry.movement.type === 'delta')
    .filter(({ entry }) => entry.movement.effectiveAtMs > movement.effectiveAtMs)
    .reduce((sum, { effectMilli }) => sum + effectMilli, 0);
  return Number(stored!.sum) + fresh;
}

async function insertEntries(sql: Sql, clinicId: number, receivedAtMs: number, written: readonly WrittenEntry[]): Promise<void> {
  const receivedAt = isoOf(receivedAtMs);
  await insertRows(
    sql,
    'stock_transactions',
    ['clinic_id', 'stock_id', 'type', 'status', 'is_count', 'quantity_milli', 'effect_milli', 'previous_milli', 'new_milli',
      'cost_minor', 'reference_type', 'reference_id', 'notes', 'user_id', 'device_id', 'op_id', 'line_id', 'effective_at',
      'received_at'],
    written.map(({ entry, effectMilli, previousMilli, newMilli, costMinor }) => ({
      clinic_id: clinicId, stock_id: entry.stockId, type: entry.type, status: 'completed',
      is_count: entry.movement.type === 'count',
      quantity_milli: entry.movement.type === 'count' ? entry.movement.quantityMilli : entry.movement.changeMilli,
      effect_milli: effectMilli, previous_milli: previousMilli, new_milli: newMilli,
      cost_minor: Math.round((Math.abs(effectMilli) * costMinor) / 1000), reference_type: entry.referenceType,
      reference_id: entry.referenceId, notes: entry.notes, user_id: entry.userId, device_id: entry.deviceId,
      op_id: entry.opId, line_id: entry.lineId, effective_at: isoOf(entry.movement.effectiveAtMs), received_at: receivedAt,
    })),
  );
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
  }));
  await sql.query({
    name: 'update stock items',
    text: `update stock_items s set quantity_milli = r.quantity_milli, counted_at = r.counted_at,
             reserved_milli = s.reserved_milli + r.reserved_milli, updated_at = $3
           from json_to_recordset($2::json) as r(id bigint, quantity_milli bigint, counted_at timestamptz, reserved_milli bigint)
           where s.clinic_id = $1 and s.id = r.id
             and (s.quantity_milli, s.counted_at, r.reserved_milli) is distinct from (r.quantity_milli, r.counted_at, 0::bigint)`,
    values: [clinicId, JSON.stringify(rows), isoOf(atMs)],
  });
}
