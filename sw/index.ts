/** The service worker's entry: routes events to the shell, the picture cache and the sync engine. */
import { ClinicDatabase } from '#src/db/database.ts';
import type { WorkerMessage } from '#src/db/worker-messages.ts';
import { answerBackgroundSync, runRegistered } from './background-sync.ts';
import { endableFetch, endRequests } from './endable-fetch.ts';
import { isPicture, servePicture } from './pictures.ts';
import { serveShell } from './precache.ts';
import type { ShellFile } from './precache.ts';
import { createBrowserEngine } from './sync/browser-engine.ts';

declare const self: ServiceWorkerGlobalScope & {
  /** Injected by the build. */
  __WB_MANIFEST: ShellFile[];
};

// The server can repeat whatever the worker writes, so the counter doesn't wait for the disk.
const db = new ClinicDatabase(undefined, { chromeTransactionDurability: 'relaxed' });
const engine = createBrowserEngine(db, { host: 'worker', send: endableFetch });

// Registered before the shell, which answers every navigation.
self.addEventListener('fetch', (event) => {
  if (isPicture(event.request)) event.respondWith(servePicture(event.request, (work) => event.waitUntil(work)));
});
serveShell(self.__WB_MANIFEST);

// A new version waits until a user accepts it (the `skip-waiting` message); then it takes over the open pages.
self.addEventListener('activate', (event) => {
  event.waitUntil(takeOver());
});

self.addEventListener('message', (event) => {
  const message = event.data as WorkerMessage;
  if (message.type === 'end-requests') {
    endRequests();
    endWaits();
  }
  if (message.type === 'skip-waiting') event.waitUntil(self.skipWaiting());
  if (message.type === 'sync') event.waitUntil(runRegistered({ db, engine }, message.reason));
});

const endWaits = answerBackgroundSync({ db, engine });

async function takeOver(): Promise<void> {
  await self.clients.claim();
  await engine.appUpdated();
}
