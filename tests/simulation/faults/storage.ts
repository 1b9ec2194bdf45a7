/**
 * A tablet's storage with its faults. Every request to IndexedDB passes here, so a process can be stopped at any of them,
 * storage can be full, and a connection can be lost before or after a commit.
 */
import '../runtime/task-tracking.ts';
import { forceCloseDatabase, IDBKeyRange } from 'fake-indexeddb';
import type { DBCore, DBCoreMutateRequest, DBCoreTable } from 'dexie';
import { ClinicDatabase } from '../../../src/db/database.ts';
import type { AnyOperation } from '../../../domain/protocol/operations.ts';

export type StorageFault = 'full_at_write' | 'full_at_commit' | 'lost_at_write' | 'lost_after_commit';

/** Who uses the storage: a tab or a worker. */
export interface StorageUser {
  readonly isAlive: boolean;
  /** An await of the process: here it may be stopped. Afterwards `isAlive` tells. */
  reach(point: string): void;
  /** The fault that the next write meets, if any; it is used up by that. */
  takeFault(): StorageFault | null;
  /** Operations became durable. */
  wrote(operations: readonly AnyOperation[]): void;
}

/** What fake-indexeddb has beyond the standard: an abort for a reason of the storage's own. */
type Transaction = IDBTransaction & { _abort(reason: string): void; error: DOMException | null };

export interface Storage {
  db: ClinicDatabase;
  /** Undoes what is under way, as when the process dies. */
  abortAll(): void;
  /** The browser closes the connection by itself. */
  loseConnection(): void;
}

export function openStorage(name: string, factory: IDBFactory, user: StorageUser): Storage {
  const db = new ClinicDatabase(name, { indexedDB: factory, IDBKeyRange, cache: 'disabled' });
  // They tell live queries of every write, and nobody watches here.
  for (const announcer of ['Cache', 'Observability']) db.unuse({ stack: 'dbcore', name: announcer });
  const open = new Set<Transaction>();
  const added = new WeakMap<Transaction, AnyOperation[]>();
  const losing = new WeakSet<Transaction>();

  function began(tx: Transaction): void {
    open.add(tx);
    tx.addEventListener('abort', () => open.delete(tx));
    tx.addEventListener('complete', () => {
      open.delete(tx);
      const operations = added.get(tx);
      if (operations) user.wrote(operations);
      if (tx.mode === 'readwrite') user.reach('committed');
      // The write is there, but what the page hears is that the connection broke.
      if (user.isAlive && losing.has(tx)) hearsAbort(tx);
    });
  }

  function request<T>(table: string, type: string, go: () => PromiseLike<T>): PromiseLike<T> {
    if (user.isAlive) user.reach(`${type} ${table}`);
    // A promise of its own: one for all would keep everything that ever waited for it.
    return user.isAlive ? go() : new Promise<never>(() => undefined);
  }

  function mutate(table: DBCoreTable, request_: DBCoreMutateRequest) {
    const tx = request_.trans as unknown as Transaction;
    return request(table.name, request_.type, () => {
      if (table.name === 'operations' && request_.type === 'add') {
        added.set(tx, [...(added.get(tx) ?? []), ...(request_.values as AnyOperation[])]);
      }
      switch (user.takeFault()) {
        case 'full_at_write':
          return Promise.reject(new DOMException('', 'QuotaExceededError'));
        case 'full_at_commit':
          tx._abort('QuotaExceededError');
          break;
        case 'lost_at_write':
          tx._abort('UnknownError');
          close(db);
          break;
        case 'lost_after_commit':
          losing.add(tx);
          break;
        case null:
          break;
      }
      return table.mutate(request_);
    });
  }

  db.use({
    stack: 'dbcore',
    name: 'simulation',
    level: -1,
    create: (core: DBCore) => {
      const watched = new Map<string, DBCoreTable>();
      return {
        ...core,
        transaction: (tables, mode, options) => {
          const tx = core.transaction(tables, mode, options);
          began(tx as unknown as Transaction);
          return tx;
        },
        table: (tableName) => {
          const table = watched.get(tableName) ?? watch(core.table(tableName));
          watched.set(tableName, table);
          return table;
        },
      };
    },
  });

  function watch(table: DBCoreTable): DBCoreTable {
    const asked =
      <R, T>(type: string, go: (query: R) => PromiseLike<T>) =>
      (query: R) =>
        request(table.name, type, () => go(query)) as Promise<T>;
    return {
      ...table,
      mutate: (query) => mutate(table, query) as ReturnType<DBCoreTable['mutate']>,
      get: asked('get', (query) => table.get(query)),
      getMany: asked('get', (query) => table.getMany(query)),
      query: asked('query', (query) => table.query(query)),
      count: asked('count', (query) => table.count(query)),
      openCursor: asked('query', (query) => table.openCursor(query)),
    };
  }

  return {
    db,
    abortAll: () => open.forEach(abort),
    loseConnection: () => close(db),
  };
}

function close(db: ClinicDatabase): void {
  if (db.isOpen()) forceCloseDatabase(db.backendDB() as never);
}

function abort(tx: Transaction): void {
  try {
    tx.abort();
  } catch {
    // It was already over.
  }
}

function hearsAbort(tx: Transaction): void {
  const heard = tx.onabort;
  tx.oncomplete = null;
  Object.defineProperty(tx, 'error', { value: new DOMException('', 'UnknownError') });
  heard?.call(tx, new Event('abort'));
}
