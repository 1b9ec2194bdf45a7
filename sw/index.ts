/** The worker: events to calls. It serves the shell, and keeps the outbox and the feed moving. */
import { ClinicDatabase } from '../src/db/database.ts';
import { waitingCount } from '../src/db/queries/outbox.ts';
import { outboxSyncTag } from '../src/db/worker-messages.ts';
import type { WorkerMessage } from '../src/db/worker-messages.ts';
import { answerPicture, isPicture } from './pictures.ts';
import { serveShell } from './precache.ts';
import type { ShellFile } from './precache.ts';
import { createBrowserEngine } from './sync/browser-engine.ts';

/** Background Sync, which the compiler's library does not know. */
interface TaggedEvent extends ExtendableEvent {
  readonly tag: string;
}

declare global {
  interface ServiceWorkerGlobalScopeEventMap {
    sync: TaggedEvent;
  }
}

declare const self: ServiceWorkerGlobalScope & {
  /** Filled in by the build. */
  __WB_MANIFEST: ShellFile[];
};

// Whatever the worker writes, the server can tell it again: none of it is worth the counter's waiting for the disk.
const db = new ClinicDatabase(undefined, { chromeTransactionDurability: 'relaxed' });
const engine = createBrowserEngine(db);

// Before the shell, which answers for every address that is opened as a page.
self.addEventListener('fetch', (event) => {
  if (isPicture(event.request)) event.respondWith(answerPicture(event.request, (work) => event.waitUntil(work)));
});
serveShell(self.__WB_MANIFEST);

// A new version waits until a person lets it in (the `skip-waiting` message); then it takes the open pages over.
self.addEventListener('activate', (event) => {
  event.waitUntil(takeOver());
});

self.addEventListener('message', (event) => {
  const message = event.data as WorkerMessage;
  if (message.type === 'skip-waiting') event.waitUntil(self.skipWaiting());
  if (message.type === 'sync') event.waitUntil(engine.run(message.reason));
});

self.addEventListener('sync', (event) => {
  if (event.tag === outboxSyncTag) event.waitUntil(sendEverything());
});

async function takeOver(): Promise<void> {
  await self.clients.claim();
  await engine.appUpdated();
}

/** The browser asks again later, even with the app closed and this worker gone, as long as this fails: for whatever reason. */
async function sendEverything(): Promise<void> {
  await engine.run('online');
  const waiting = await waitingCount(db);
  if (waiting > 0) throw new Error(`${waiting} operations still wait.`);
}
