/** Queries the items that are stocked, also those that the counter does not sell, and the adjustments made on this device. */
import { Dexie } from 'dexie';
import { barcodeForms } from '#domain/barcode.ts';
import { milliFromWire } from '#domain/quantity.ts';
import { searchKey } from '#domain/search-key.ts';
import { isStockOperation } from '#domain/stock/operations.ts';
import type { AdjustStockPayload } from '#domain/stock/operations.ts';
import type { CatalogueItem, ClinicDatabase, OperationState } from '../database.ts';
import { isUnsent } from '../operation-state.ts';
import { stockKey } from '../rows.ts';
import { userNames } from './tray.ts';

// Sorts after every character of a search key.
const afterAll = '\uffff';

/** Returns stocked items by the beginning of their name. */
export function searchStock(
  db: ClinicDatabase,
  { text, limit }: { text: string; limit: number },
): Promise<CatalogueItem[]> {
  const from = searchKey(text);
  return db.catalogue
    .where('[stocked+search_key]')
    .between([1, from], [1, from + afterAll])
    .limit(limit)
    .toArray();
}

/** Returns the stocked item that a barcode identifies, in whichever form it was read. */
export async function stockByBarcode(db: ClinicDatabase, code: string): Promise<CatalogueItem | undefined> {
  if (code === '') return undefined;
  const items = await db.catalogue.where('barcode').anyOf(barcodeForms(code)).toArray();
  return items.find(({ stocked }) => stocked === 1);
}

export const stockItemById = (db: ClinicDatabase, stockId: number): Promise<CatalogueItem | undefined> =>
  db.catalogue.get(stockKey(stockId));

export type Shortage = NonNullable<CatalogueItem['shortage']>;

const short = (db: ClinicDatabase, shortage: Shortage) =>
  db.catalogue.where('[shortage+search_key]').between([shortage, Dexie.minKey], [shortage, Dexie.maxKey]);

/** Counts the items that are out of stock and low. The index contains only these. */
export async function shortageCounts(db: ClinicDatabase): Promise<Record<Shortage, number>> {
  const [out, low] = await Promise.all([short(db, 'out_of_stock').count(), short(db, 'low_stock').count()]);
  return { out_of_stock: out, low_stock: low };
}

/** Returns items that are out of stock, then items that are low, each by name; or only one of the two. */
export async function shortItems(
  db: ClinicDatabase,
  { of, limit, offset = 0 }: { of: Shortage | 'all'; limit: number; offset?: number },
): Promise<CatalogueItem[]> {
  if (of !== 'all') return short(db, of).offset(offset).limit(limit).toArray();
  const out = await short(db, 'out_of_stock').offset(offset).limit(limit).toArray();
  if (out.length === limit) return out;
  const outCount = out.length > 0 ? offset + out.length : await short(db, 'out_of_stock').count();
  const low = await short(db, 'low_stock')
    .offset(Math.max(0, offset - outCount))
    .limit(limit - out.length)
    .toArray();
  return [...out, ...low];
}

/** An adjustment made on this device. */
export interface LocalAdjustment extends Pick<AdjustStockPayload, 'action'> {
  opId: string;
  /** Undefined when the item was deleted. */
  item: CatalogueItem | undefined;
  amountMilli: number;
  notes: string;
  /** Empty when the user has not signed in on this device recently. */
  actor: string;
  atMs: number;
  where: 'device' | 'server' | 'refused' | 'voided';
}

/** Returns the latest adjustments made on this device, newest first, without replaced ones. */
export async function recentAdjustments(db: ClinicDatabase, { limit }: { limit: number }): Promise<LocalAdjustment[]> {
  const opIds = await db.operation_states
    .where('[aggregate+position]')
    .between(['stock:', Dexie.minKey], ['stock;', Dexie.minKey])
    .primaryKeys();
  // An operation's id begins with its time, so the latest are found without reading rows.
  const latest = opIds
    .sort()
    .reverse()
    .slice(0, 4 * limit);
  const [states, operations, people] = await Promise.all([
    db.operation_states.bulkGet(latest),
    db.operations.bulkGet(latest),
    userNames(db),
  ]);
  const made = operations.flatMap((operation, index) => {
    const where = locationOf(states[index]);
    return operation && isStockOperation(operation) && where ? [{ operation, where }] : [];
  });
  const shown = made.slice(0, limit);
  const items = await db.catalogue.bulkGet(shown.map(({ operation }) => stockKey(operation.payload.stock_id)));
  return shown.map(({ operation: { op_id, payload, actor_id, occurred_at }, where }, index) => ({
    opId: op_id,
    item: items[index],
    action: payload.action,
    amountMilli: milliFromWire(payload.amount),
    notes: payload.notes ?? '',
    actor: people.get(actor_id) ?? '',
    atMs: Date.parse(occurred_at),
    where,
  }));
}

function locationOf(state: OperationState | undefined): LocalAdjustment['where'] | null {
  if (!state) return null;
  if (state.voided_at !== undefined) return 'voided';
  if (state.superseded_by !== null) return null;
  if (state.status === 'attention') return 'refused';
  return isUnsent(state) ? 'device' : 'server';
}
