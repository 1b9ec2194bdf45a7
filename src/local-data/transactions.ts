/** The transactions that this page runs: it neither leaves one behind nor interrupts one. */
import type { Dexie } from 'dexie';

const running = new Set<IDBTransaction>();
const waiting = new Set<() => void>();

/** Counts the transactions of a database from now on. */
export function watchTransactions(db: Dexie): void {
  db.use({
    stack: 'dbcore',
    name: 'running transactions',
    create: (core) => ({
      ...core,
      transaction: (...given) => {
        const transaction = core.transaction(...given);
        note(transaction as IDBTransaction);
        return transaction;
      },
    }),
  });
}

function note(transaction: IDBTransaction): void {
  running.add(transaction);
  const end = (): void => {
    running.delete(transaction);
    if (running.size > 0) return;
    for (const resolve of waiting) resolve();
    waiting.clear();
  };
  for (const type of ['complete', 'abort']) transaction.addEventListener(type, end, { once: true });
}

/** Waits until this page runs no transaction, but not longer than a time. What follows at once interrupts none. */
async function atRest(latestMs: number): Promise<void> {
  const end = performance.now() + latestMs;
  while (running.size > 0 && performance.now() < end) {
    // oxlint-disable-next-line no-await-in-loop -- Another transaction may begin before this function goes on.
    await new Promise<void>((resolve) => {
      waiting.add(resolve);
      setTimeout(resolve, end - performance.now());
    });
  }
}

let interrupting = 0;
let interruption = Promise.resolve();

/**
 * Runs work that ends the transactions of the page: Firefox handles other events while a page opens a window or prints, and
 * promises wait meanwhile. So it begins between two transactions, or when it has waited for this time.
 */
export async function betweenTransactions<Result>(work: () => Result, latestMs: number): Promise<Result> {
  await atRest(latestMs);
  let end = (): void => undefined;
  interruption = new Promise((resolve) => (end = resolve));
  interrupting += 1;
  try {
    return work();
  } finally {
    interrupting -= 1;
    end();
  }
}

/** Resolves when no such work is under way, for the engine that writes in this page. */
export async function undisturbed(): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop -- Other work may begin at once.
  while (interrupting > 0) await interruption;
}

/**
 * Ends the page's transactions when the browser keeps the page for the way back instead of closing it. WebKit freezes such
 * a page with its transactions, and one that is frozen blocks the tables for every other page and the worker, until the
 * browser is closed. A page that comes back loads again.
 */
export function leaveNoTransaction(db: Dexie): void {
  addEventListener('pagehide', ({ persisted }) => {
    if (!persisted) return;
    for (const transaction of running) {
      try {
        transaction.abort();
      } catch {
        // It is being committed, and needs this page no more.
      }
    }
    db.close();
  });
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload();
  });
}
