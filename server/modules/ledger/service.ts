/**
 * The stock ledger (SYNC-10). Every change of a quantity is a row with its reason, and an item's quantity is the sum of
 * its rows. A caller passes all movements of its transaction in one call. Items are locked in the order of their ids,
 * so two batches never deadlock.
 */
import { accept, refuse } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';
import type { AdjustStockPayload } from '#domain/stock/operations.ts';
import { alertChanged, levelAlert } from '#domain/stock/alerts.ts';
import { moveStock } from '#domain/stock/ledger.ts';
import type { Sql } from '#server/db/sql.ts';
import { effectKey } from '#server/operations/operation-module.ts';
import { refreshAlerts, settleAlerts } from '../alerts/service.ts';
import type { Standing } from '../alerts/service.ts';
import { tellExpiredUses } from './expired-uses.ts';
import { isStocked, lockLevels, storedSince, updateItems } from './items-store.ts';
import type { Item } from './items-store.ts';
import { LotMovements } from './lots.ts';
import { insertEntries } from './store.ts';
import type { LedgerEntry, WrittenEntry } from './store.ts';

export { refreshAlerts } from '../alerts/service.ts';
export { existingItems } from './items-store.ts';
export type { LedgerEntry } from './store.ts';

/**
 * Refuses a requested adjustment of an item that does not exist or is not stocked. A fact from a device is recorded in
 * either case; without a stock it has no effect.
 */
export async function decideAdjustment(
  sql: Sql,
  clinicId: number,
  payload: AdjustStockPayload,
): Promise<Result<AdjustStockPayload>> {
  if (payload.action !== 'set' && payload.amount === 0) return refuse('AMOUNT_INVALID');
  const stocked = await isStocked(sql, clinicId, payload.stock_id);
  if (stocked === undefined) return refuse('STOCK_NOT_FOUND', { stock_id: payload.stock_id });
  return stocked ? accept(payload) : refuse('STOCK_NOT_STOCKED', { stock_id: payload.stock_id });
}

export interface LedgerWork {
  entries: readonly LedgerEntry[];
  /** Changes of what open treatments reserve, by item, in thousandths. */
  reservations: ReadonlyMap<number, number>;
}

/** Ledger work that the operations of other nouns leave. No two works may reserve the same item. */
export const ledgerEffects = effectKey<LedgerWork>('ledger');

/**
 * Writes ledger entries and their effects: quantities of items, movements of lots, and alerts for crossed levels.
 * Entries of items that the clinic never had, or does not stock, are left out.
 */
export async function writeLedger(sql: Sql, clinicId: number, receivedAtMs: number, work: LedgerWork): Promise<void> {
  const ids = [...new Set([...work.entries.map((entry) => entry.stockId), ...work.reservations.keys()])].sort(
    (a, b) => a - b,
  );
  if (ids.length === 0) return;
  const items = await lockLevels(sql, clinicId, ids);
  const entries = work.entries.filter(({ stockId }) => items.get(stockId)?.isStocked);
  const before = new Map([...items].map(([id, item]) => [id, { ...item }]));
  const tracked = new Set([...items.values()].filter(({ tracksLots }) => tracksLots).map(({ id }) => id));
  const lots = await LotMovements.open(sql, { clinicId, atMs: receivedAtMs }, entries, tracked);
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
      unit: item.unit,
      effectMilli,
      previousMilli,
      newMilli: item.quantityMilli,
      costMinor: entry.unitCostMinor ?? item.costMinor,
    };
    written.push(one);
    if (entry.movement.type === 'delta') deltas.set(entry.stockId, [...(deltas.get(entry.stockId) ?? []), one]);
  }
  const { reservations } = work;
  const changed = [...items.values()].filter((item) => reservations.has(item.id) || moved(item, before.get(item.id)!));
  const standings = changed.flatMap((item) => crossed(item, before.get(item.id)!.quantityMilli));
  await Promise.all([
    insertEntries(sql, clinicId, receivedAtMs, written),
    updateItems(sql, clinicId, receivedAtMs, { changed, reservations }),
    lots?.write(sql, clinicId),
    settleAlerts(sql, clinicId, receivedAtMs, standings),
  ]);
  await refreshAlerts(sql, clinicId, receivedAtMs, lots?.affectedItems ?? []);
  await tellExpiredUses(sql, clinicId, receivedAtMs, lots?.expiredUses ?? []);
}

const moved = (item: Item, before: Item): boolean =>
  item.quantityMilli !== before.quantityMilli || item.countedAtMs !== before.countedAtMs || item.restockedAtMs !== null;

const restocks = ({ type, movement }: LedgerEntry): boolean =>
  (type === 'purchase' || type === 'stock_in') && movement.type === 'delta' && movement.changeMilli > 0;

/** Returns the alert that the item's level now needs, if that changed. */
function crossed({ id, quantityMilli, thresholdMilli, isKept }: Item, beforeMilli: number): Standing[] {
  const call = levelAlert(quantityMilli, thresholdMilli);
  if (!isKept || !alertChanged(levelAlert(beforeMilli, thresholdMilli), call)) return [];
  return [{ stockId: id, lotId: null, call, quantityMilli, thresholdMilli }];
}

/** Returns the sum of the deltas of this transaction that took effect after a time. */
function freshSince(deltas: readonly WrittenEntry[] | undefined, atMs: number): number {
  return (deltas ?? [])
    .filter(({ entry }) => entry.movement.effectiveAtMs > atMs)
    .reduce((sum, { effectMilli }) => sum + effectMilli, 0);
}
