/** What pages say to the worker. Data travels through the database, and what is new there every page sees by itself. */

/**
 * Why to look now. All but the first three say that the network or the session may be better than it was; `asked`, that all
 * that waits shall be tried, whatever put it off.
 */
export type SyncReason = 'write' | 'timer' | 'changes' | 'online' | 'visible' | 'signed-in' | 'asked';

/** Page to worker. */
export type WorkerMessage = { type: 'sync'; reason: SyncReason } | { type: 'skip-waiting' };

/** The Background Sync tag that stands for a non-empty outbox. */
export const outboxSyncTag = 'outbox';

interface SyncManager {
  register(tag: string): Promise<void>;
}

/**
 * Tells the worker that there is something to send, and asks the browser to start it when the network is back, where it
 * can (SYNC-13). Never fails: the page's timer is there for what this misses.
 */
export function pokeWorker(reason: SyncReason = 'write'): void {
  void wakeWorker({ type: 'sync', reason }).catch(() => undefined);
}

/** Lets the new version of the app take over. */
export function skipWaiting(registration: ServiceWorkerRegistration): void {
  registration.waiting?.postMessage({ type: 'skip-waiting' } satisfies WorkerMessage);
}

async function wakeWorker(message: WorkerMessage): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const registration: ServiceWorkerRegistration & { sync?: SyncManager } = await navigator.serviceWorker.ready;
  registration.active?.postMessage(message);
  await registration.sync?.register(outboxSyncTag);
}
