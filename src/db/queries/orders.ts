/** Queries treatments for the counter. */
import { Dexie } from 'dexie';
import { minorFromWire } from '#domain/money.ts';
import { searchKey } from '#domain/search-key.ts';
import type { ClinicDatabase, OrderRow, DocumentRow } from '../database.ts';

/** Returns the payable treatments, newest first. */
export function confirmedOrders(db: ClinicDatabase, { limit }: { limit: number }): Promise<OrderRow[]> {
  return db.orders
    .where('[status+createdAtMs]')
    .between(['confirmed', Dexie.minKey], ['confirmed', Dexie.maxKey])
    .reverse()
    .limit(limit)
    .toArray();
}

/** Returns the latest changed treatments, newest first. */
export function recentOrders(db: ClinicDatabase, { limit }: { limit: number }): Promise<OrderRow[]> {
  return db.orders.orderBy('updatedAtMs').reverse().limit(limit).toArray();
}

/** Whether a document proves that something was paid or billed. */
export const isSold = ({ payments, invoices }: OrderRow): boolean => payments.length + invoices.length > 0;

/** Returns the latest changed treatments that were sold, newest first, however many others wait for their payment. */
export function recentlySoldOrders(db: ClinicDatabase, { limit }: { limit: number }): Promise<OrderRow[]> {
  return db.orders.orderBy('updatedAtMs').reverse().filter(isSold).limit(limit).toArray();
}

export const orderById = (db: ClinicDatabase, id: string): Promise<OrderRow | undefined> => db.orders.get(id);

/** Returns the documents printed for a treatment on this device, in the order of issue. */
export const documentsOf = (db: ClinicDatabase, orderId: string): Promise<DocumentRow[]> =>
  db.documents.where('order_id').equals(orderId).sortBy('issued_at');

/** The number of latest treatments that a search reads: several days of a busy clinic. */
const searchDepth = 400;

/**
 * Returns the latest treatments whose customer name or document number contains the text, newest first.
 *
 * @param amountMinor the text as an amount: treatments that have it are returned too
 */
export async function findOrders(
  db: ClinicDatabase,
  { text, amountMinor = null, limit }: { text: string; amountMinor?: number | null; limit: number },
): Promise<OrderRow[]> {
  const [name, number] = [searchKey(text), text.trim().toUpperCase()];
  const matches = (order: OrderRow) =>
    searchKey(order.customerName).includes(name) ||
    numbersOf(order).some((each) => each.includes(number)) ||
    (amountMinor !== null && amountsOf(order).includes(Math.abs(amountMinor)));
  return (await recentOrders(db, { limit: searchDepth })).filter(matches).slice(0, limit);
}

/** The total, what was paid or given back, and what was billed; in minor units, all positive. */
const amountsOf = ({ totalMinor, payments, invoices }: OrderRow): number[] => [
  totalMinor,
  ...payments.map(({ amountMinor }) => Math.abs(amountMinor)),
  ...invoices.map(({ total_amount }) => minorFromWire(total_amount)),
];

const numbersOf = ({ number, invoices, payments, cancels }: OrderRow): string[] => [
  number,
  ...invoices.map(({ invoice_number }) => invoice_number),
  ...payments.map(({ creditNoteNumber }) => creditNoteNumber ?? ''),
  ...cancels.flatMap(({ correction }) => correction?.number ?? []),
];
