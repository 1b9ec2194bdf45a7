/** Measures lower bounds in the browser: for storing each operation, and for sending all of them. */
import type { AnyOperation } from '#domain/protocol/operations.ts';
import { maxBatchOperations } from '#domain/protocol/sync.ts';

/** Rows of one command, by object store. */
export type Rows = Record<string, unknown[]>;

/** Opens an IndexedDB database without a library and without secondary indexes. */
export async function openRaw(stores: readonly string[]): Promise<IDBDatabase> {
  const opening = indexedDB.open('raw', 1);
  opening.addEventListener('upgradeneeded', () =>
    stores.forEach((store) => opening.result.createObjectStore(store, { autoIncrement: true })),
  );
  return new Promise((resolve, reject) => {
    opening.addEventListener('success', () => resolve(opening.result));
    opening.addEventListener('error', () => reject(opening.error ?? new Error('The database could not be opened.')));
  });
}

/** Writes rows in one strict transaction. @returns milliseconds until they are on disk */
export function writeRaw(db: IDBDatabase, rows: Rows): Promise<number> {
  const started = performance.now();
  const transaction = db.transaction(Object.keys(rows), 'readwrite', { durability: 'strict' });
  for (const [store, values] of Object.entries(rows))
    for (const value of values) transaction.objectStore(store).put(value);
  return new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve(performance.now() - started));
    transaction.addEventListener('error', () => reject(transaction.error ?? new Error('The transaction failed.')));
  });
}

let sales: IDBDatabase | null = null;

/**
 * Stores as much as payments do, each in a strict transaction of its own: a treatment, its invoice, an operation with its
 * state, the counters. @returns milliseconds of each
 */
export async function timeSales(count: number): Promise<number[]> {
  sales ??= await openRaw(['orders', 'documents', 'operations', 'operation_states', 'device']);
  const times: number[] = [];
  for (let sale = 0; sale < count; sale++) {
    const row = (length: number) => [{ at: Date.now(), text: 'x'.repeat(length) }];
    const rows = { orders: row(1500), documents: row(1000), operations: row(2000), operation_states: row(200) };
    times.push(await writeRaw(sales, { ...rows, device: row(300) }));
  }
  return times;
}

/** Stores each operation in its own strict transaction. @returns the total in milliseconds */
export async function storeEach(operations: AnyOperation[]): Promise<number> {
  const db = await openRaw(['operations']);
  const started = performance.now();
  for (const operation of operations) await writeRaw(db, { operations: [operation] });
  const took = performance.now() - started;
  db.close();
  return took;
}

/** Sends full batches in sequence to an endpoint that does nothing with them. @returns the total in milliseconds */
export async function sendBatches(operations: AnyOperation[]): Promise<number> {
  const bodies: string[] = [];
  for (let from = 0; from < operations.length; from += maxBatchOperations) {
    bodies.push(JSON.stringify({ operations: operations.slice(from, from + maxBatchOperations) }));
  }
  const started = performance.now();
  for (const body of bodies) {
    const reply = await fetch('/limits/answer', {
      method: 'POST',
      headers: { 'content-type': 'application/octet-stream' },
      body,
    });
    await reply.text();
  }
  return performance.now() - started;
}
