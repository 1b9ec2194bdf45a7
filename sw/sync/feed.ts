/** Merges the pages of a pull: of each row the latest version counts. */
import type { DrawerRowResource } from '#domain/drawer/resource.ts';
import type { RoomRowResource } from '#domain/room/resources.ts';
import type { CategoryResource, ProductResource, StockResource } from '#domain/stock/resources.ts';
import type { Order } from '#domain/order/order.ts';
import type { PatientDetailsResource, PatientResource } from '#domain/patient/resources.ts';
import type { AttentionResource, ChangesPage, ReceiptResource } from '#domain/protocol/sync.ts';
import type { NumberCounters } from '#domain/order/numbers.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';

export interface Feed {
  orders: Map<string, Order>;
  attention: Map<number, AttentionResource>;
  /** Null marks a deleted row, here and below. */
  stock: Map<number, StockResource | null>;
  products: Map<number, ProductResource | null>;
  categories: Map<number, CategoryResource | null>;
  rooms: Map<number, RoomRowResource | null>;
  drawers: DrawerRowResource[];
  patients: PatientResource[];
  details: PatientDetailsResource[];
  receipts: ReceiptResource[];
  settings: ClinicSettings | null;
  counters: Record<string, NumberCounters> | null;
  unsentRecords: number;
  /** When a manager last asked this device to lock. */
  lockAskedAt: string | null;
  /** True when the patients follow page by page. */
  patientsFollow: boolean;
  /** The number of rows, deletions and receipts. */
  size: number;
}

export function mergePages(pages: readonly ChangesPage[]): Feed {
  const feed: Feed = {
    orders: new Map(),
    attention: new Map(),
    stock: new Map(),
    products: new Map(),
    categories: new Map(),
    rooms: new Map(),
    drawers: [],
    patients: [],
    details: [],
    receipts: [],
    settings: null,
    counters: null,
    unsentRecords: 0,
    lockAskedAt: null,
    patientsFollow: false,
    size: 0,
  };
  for (const { rows, tombstones, receipts, counters, patients_follow, unsent_records, lock_asked_at } of pages) {
    for (const order of rows.orders) feed.orders.set(order.id, order);
    for (const item of rows.attention) feed.attention.set(item.id, item);
    merge(feed.stock, rows.stock, tombstones.stock);
    merge(feed.products, rows.products, tombstones.products);
    merge(feed.categories, rows.categories, tombstones.categories);
    merge(feed.rooms, rows.rooms, tombstones.rooms);
    feed.drawers.push(...rows.drawers);
    feed.patients.push(...rows.patients);
    feed.details.push(...rows.patient_details);
    feed.receipts.push(...receipts);
    feed.settings = rows.settings ?? feed.settings;
    feed.counters = counters ?? feed.counters;
    feed.unsentRecords = unsent_records ?? 0;
    feed.lockAskedAt = lock_asked_at ?? null;
    feed.patientsFollow ||= patients_follow ?? false;
  }
  feed.size = pages.reduce((sum, page) => sum + sizeOf(page), 0);
  return feed;
}

function merge<T extends { id: number }>(into: Map<number, T | null>, rows: T[], deleted: number[]): void {
  for (const row of rows) into.set(row.id, row);
  for (const id of deleted) into.set(id, null);
}

export function sizeOf({ rows, tombstones, receipts }: ChangesPage): number {
  const { settings, ...lists } = rows;
  const all: unknown[][] = [...Object.values(lists), ...Object.values(tombstones), receipts];
  return all.reduce((sum, list) => sum + list.length, settings ? 1 : 0);
}
