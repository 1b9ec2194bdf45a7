/** The pages of one pull, merged: for each row the latest word. */
import type { DrawerRowDocument } from '../../domain/drawer/document.ts';
import type { RoomRowDocument } from '../../domain/room/documents.ts';
import type { CategoryDocument, ProductDocument, StockDocument } from '../../domain/stock/documents.ts';
import type { OrderDocument } from '../../domain/order/document.ts';
import type { PatientDocument } from '../../domain/patient/documents.ts';
import type { AttentionDocument, ChangesPage, ReceiptDocument } from '../../domain/protocol/sync.ts';
import type { NumberCounters } from '../../domain/order/numbers.ts';
import type { ClinicSettings } from '../../domain/settings/settings.ts';

export interface Feed {
  orders: Map<string, OrderDocument>;
  attention: Map<number, AttentionDocument>;
  /** Null: deleted. */
  stock: Map<number, StockDocument | null>;
  products: Map<number, ProductDocument | null>;
  categories: Map<number, CategoryDocument | null>;
  rooms: Map<number, RoomRowDocument | null>;
  drawers: DrawerRowDocument[];
  patients: PatientDocument[];
  receipts: ReceiptDocument[];
  settings: ClinicSettings | null;
  counters: Record<string, NumberCounters> | null;
  /** How many rows and receipts came. */
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
    receipts: [],
    settings: null,
    counters: null,
    size: 0,
  };
  for (const { rows, tombstones, receipts, counters } of pages) {
    for (const order of rows.orders) feed.orders.set(order.id, order);
    for (const item of rows.attention) feed.attention.set(item.id, item);
    merge(feed.stock, rows.stock, tombstones.stock);
    merge(feed.products, rows.products, tombstones.products);
    merge(feed.categories, rows.categories, tombstones.categories);
    merge(feed.rooms, rows.rooms, tombstones.rooms);
    feed.drawers.push(...rows.drawers);
    feed.patients.push(...rows.patients);
    feed.receipts.push(...receipts);
    feed.settings = rows.settings ?? feed.settings;
    feed.counters = counters ?? feed.counters;
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
