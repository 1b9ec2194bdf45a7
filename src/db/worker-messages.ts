/** The messages from pages to the worker. Data travels through the database, which pages observe. */

/**
 * The reason for a synchronisation. The first four say nothing about the network or the session. `background` is the browser's
 * own event, which it also fires at once when it is registered. `reached` means that the server has answered again, and the
 * others that the network or the session may have recovered. `asked` means that a person wants every waiting operation to be
 * tried, whatever postponed it.
 */
export type SyncReason =
  | 'write'
  | 'timer'
  | 'changes'
  | 'background'
  | 'reached'
  | 'online'
  | 'visible'
  | 'signed-in'
  | 'asked';

/** Page to worker. */
export type WorkerMessage = { type: 'sync'; reason: SyncReason } | { type: 'skip-waiting' | 'end-requests' };

/** Tells whether the browser wakes the worker to send while the app is closed. Safari and Firefox do not. */
export const sendsWhileClosed = (): boolean => 'SyncManager' in globalThis;

/** Tells the worker to synchronise (SYNC-13). Never fails: the page's timer covers a lost message. */
export function pokeWorker(reason: SyncReason = 'write'): void {
  void wakeWorker({ type: 'sync', reason }).catch(() => undefined);
}

/** Activates the waiting version of the app. The browser waits for the requests of the active one, so these end. */
export function skipWaiting(registration: ServiceWorkerRegistration): void {
  registration.active?.postMessage({ type: 'end-requests' } satisfies WorkerMessage);
  registration.waiting?.postMessage({ type: 'skip-waiting' } satisfies WorkerMessage);
}

async function wakeWorker(message: WorkerMessage): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const registration = await navigator.serviceWorker.ready;
  registration.active?.postMessage(message);
}
