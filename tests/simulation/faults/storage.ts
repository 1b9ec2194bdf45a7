/**
 * A tablet's storage with fault injection. Every request to IndexedDB passes here, so that a process can crash at any request,
 * the storage can be full, and a connection can be lost before or after a commit.
 */
import '../runtime/task-tracking.ts';
import { forceCloseDatabase, IDBKeyRange } from 'fake-indexeddb';
import type { DBCore, DBCoreMutateRequest, DBCoreTable } from 'dexie';
import { ClinicDatabase } from '#src/db/database.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';

export type StorageFault = 'full_at_write' | 'full_at_commit' | 'lost_at_write' | 'lost_after_commit';

/** The process that uses the storage: a tab or a worker. */
export interface StorageUser {
  readonly isAlive: boolean;
  /** Marks an await of the process, at which it may crash; `isAlive` is false afterwards if it did. */
  reach(point: string): void;
  /** Removes and returns the fault of the next write, if any. */
  takeFault(): StorageFault | null;
  /** Called when operations became durable. */
  wrote(operations: readonly AnyOperation[]): void;
}

/** Extends the standard by fake-indexeddb's abort with a storage error. */
type Transaction = IDBTransaction & { _abort(reason: string): void; error: DOMException | null };

export interface Storage {
  db: ClinicDatabase;
  /** Aborts all open transactions, as the death of the process does. */
  abortAll(): void;
  /** Closes the connection, as a browser may do at any time. */
  loseConnection(): void;
}

export function openStorage(name: string, factory: IDBFactory, user: StorageUser): Storage {
  const db = new ClinicDatabase(name, { indexedDB: factory, IDBKeyRange, cache: 'disabled' });
  // These parts of Dexie serve live queries, which the simulation does not use.
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
      // The write is committed, but the page receives an error as if the connection had broken before.
      if (user.isAlive && losing.has(tx)) reportAbort(tx);
    });
  }

  function request<T>(table: string, type: string, go: () => PromiseLike<T>): PromiseLike<T> {
    if (user.isAlive) user.reach(`${type} ${table}`);
    // A new promise each time: a shared one would keep everything in memory that ever waited for it.
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
    const tracked =
      <R, T>(type: string, go: (query: R) => PromiseLike<T>) =>
      (query: R) =>
        request(table.name, type, () => go(query)) as Promise<T>;
    return {
      ...table,
      mutate: (query) => mutate(table, query) as ReturnType<DBCoreTable['mutate']>,
      get: tracked('get', (query) => table.get(query)),
      getMany: tracked('get', (query) => table.getMany(query)),
      query: tracked('query', (query) => table.query(query)),
      count: tracked('count', (query) => table.count(query)),
      openCursor: tracked('query', (query) => table.openCursor(query)),
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
    // The transaction had already ended.
  }
}

function reportAbort(tx: Transaction): void {
  const { onabort } = tx;
  tx.oncomplete = null;
  Object.defineProperty(tx, 'error', { value: new DOMException('', 'UnknownError') });
  onabort?.call(tx, new Event('abort'));
}
