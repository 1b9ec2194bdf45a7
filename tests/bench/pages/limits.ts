/** What the browser itself can do: nothing that stores each operation, or carries all of them, is faster. */
import type { AnyOperation } from '../../../domain/protocol/operations.ts';
import { maxBatchOperations } from '../../../domain/protocol/sync.ts';

/** Rows by object store, as one command writes them. */
export type Rows = Record<string, unknown[]>;

/** A database with plain stores: no library, no secondary index. */
export async function openRaw(stores: readonly string[]): Promise<IDBDatabase> {
  const opening = indexedDB.open('raw', 1);
  opening.addEventListener('upgradeneeded', () =>
    stores.forEach((store) => opening.result.createObjectStore(store, { autoIncrement: true })),
  );
  return new Promise((resolve, reject) => {
    opening.addEventListener('success', () => resolve(opening.result));
    opening.addEventListener('error', () => reject(opening.error ?? new Error('The database does not open.')));
  });
}

/** One strict transaction. @returns milliseconds until the disk has it */
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

/** One strict transaction for each operation. @returns milliseconds in all */
export async function storeEach(operations: AnyOperation[]): Promise<number> {
  const db = await openRaw(['operations']);
  const started = performance.now();
  for (const operation of operations) await writeRaw(db, { operations: [operation] });
  const took = performance.now() - started;
  db.close();
  return took;
}

/** Full batches to a server that reads them and answers at once, one after another. @returns milliseconds in all */
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
