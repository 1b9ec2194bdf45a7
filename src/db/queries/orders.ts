/** Treatments as the counter lists them. */
import { Dexie } from 'dexie';
import type { ClinicDatabase, OrderRow, DocumentRow } from '../database.ts';

/** What can be paid, newest first. */
export function confirmedOrders(db: ClinicDatabase, { limit }: { limit: number }): Promise<OrderRow[]> {
  return db.orders
    .where('[status+createdAtMs]')
    .between(['confirmed', Dexie.minKey], ['confirmed', Dexie.maxKey])
    .reverse()
    .limit(limit)
    .toArray();
}

/** What happened lately, newest first. */
export function recentOrders(db: ClinicDatabase, { limit }: { limit: number }): Promise<OrderRow[]> {
  return db.orders.orderBy('updatedAtMs').reverse().limit(limit).toArray();
}

export const orderById = (db: ClinicDatabase, id: string): Promise<OrderRow | undefined> => db.orders.get(id);

/** What was printed for a treatment on this device, in the order of issue. */
export const documentsOf = (db: ClinicDatabase, orderId: string): Promise<DocumentRow[]> =>
  db.documents.where('order_id').equals(orderId).sortBy('issued_at');
