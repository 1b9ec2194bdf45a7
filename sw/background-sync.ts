/**
 * Background Sync: the browser wakes the worker to send what waits, even with the app closed (SYNC-13). An event is registered
 * only while something waits. A browser that has a network fires it at once, beside the run that it was registered for, so it
 * joins that run, and ends no wait.
 */
import type { ClinicDatabase } from '#src/db/database.ts';
import { waitingCount } from '#src/db/queries/outbox.ts';
import { rotateLog } from '#src/db/rotate-log.ts';
import type { SyncReason } from '#src/db/worker-messages.ts';
import type { SyncEngine } from './sync/engine.ts';

/** What TypeScript's library lacks. */
interface TaggedEvent extends ExtendableEvent {
  readonly tag: string;
}

interface SyncManager {
  getTags(): Promise<string[]>;
  register(tag: string): Promise<void>;
}

declare global {
  interface ServiceWorkerGlobalScopeEventMap {
    sync: TaggedEvent;
  }
  interface ServiceWorkerRegistration {
    readonly sync?: SyncManager;
  }
}

declare const self: ServiceWorkerGlobalScope;

const outboxSyncTag = 'outbox';
/** The worker stays awake for shorter waits; the browser ends it after some minutes. Longer ones are left to the browser. */
const longestWaitMs = 60_000;

interface Outbox {
  db: ClinicDatabase;
  engine: SyncEngine;
}

/** Runs the engine. What waits is registered before the run ends, because the browser may end first. */
export async function runRegistered({ db, engine }: Outbox, reason: SyncReason): Promise<void> {
  await Promise.all([engine.run(reason), register(db)]);
}

/** Does nothing in a browser without these events, and in one that allows none. */
async function register(db: ClinicDatabase): Promise<void> {
  const { sync } = self.registration;
  if (!sync || (await waitingCount(db)) === 0) return;
  try {
    // To register again would fire an event again that waits for its next attempt.
    if (!(await sync.getTags()).includes(outboxSyncTag)) await sync.register(outboxSyncTag);
  } catch {
    // The page's timer covers it.
  }
}

/** @returns a function that ends the waits of events: a worker that keeps one gives way to no new version */
export function answerBackgroundSync(outbox: Outbox): () => void {
  const end = new AbortController();
  self.addEventListener('sync', (event) => {
    if (event.tag === outboxSyncTag) event.waitUntil(sendOutbox(outbox, end.signal));
  });
  return () => end.abort(new Error('A new version takes over.'));
}

/** Sends the outbox. While this rejects, the browser fires the event again later. */
async function sendOutbox({ db, engine }: Outbox, end: AbortSignal): Promise<void> {
  // An open app has done it when it started.
  if ((await self.clients.matchAll()).length === 0) await rotateLog();
  const endMs = Date.now() + longestWaitMs;
  while ((await waitingCount(db)) > 0) {
    await engine.run('background');
    const untilMs = engine.waitsUntil();
    end.throwIfAborted();
    if (untilMs > endMs) throw new Error('Operations are still waiting.');
    await new Promise((resolve) => {
      setTimeout(resolve, untilMs - Date.now());
      end.addEventListener('abort', resolve);
    });
    end.throwIfAborted();
  }
}
