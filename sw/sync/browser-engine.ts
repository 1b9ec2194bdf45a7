/* oxlint-disable no-restricted-globals, no-restricted-properties -- The engine gets its ports here, and only here. */
/** The sync engine with the browser's ports, for the worker, and for pages where no worker can run. */
import type { ClinicDatabase } from '#src/db/database.ts';
import { watchInput } from '#src/db/people-first.ts';
import { createSyncEngine } from './engine.ts';
import type { SyncEngine } from './engine.ts';
import { createSyncStore } from './store.ts';
import type { SyncStore } from './store.ts';
import { createLock } from './lock.ts';
import type { Clock } from './ports.ts';
import { watchCalls } from './standstill.ts';
import { createNet } from './transport.ts';

const clock: Clock = {
  now: () => Date.now(),
  after: (delayMs, wake) => {
    const timer = setTimeout(wake, delayMs);
    return () => clearTimeout(timer);
  },
};

/** Returns the store with its long transactions postponed while somebody taps or types, or the page disturbs them. */
function politeStore(store: SyncStore, undisturbed?: () => Promise<void>): SyncStore {
  const quiet = watchInput();
  const later = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    await quiet();
    await undisturbed?.();
    return work();
  };
  return {
    ...store,
    selectBatch: (...given) => later(() => store.selectBatch(...given)),
    recordResults: (...given) => later(() => store.recordResults(...given)),
    applyFeed: (...given) => later(() => store.applyFeed(...given)),
    addPatients: (...given) => later(() => store.addPatients(...given)),
    prune: (...given) => later(() => store.prune(...given)),
  };
}

interface BrowserEngine {
  host: 'worker' | 'page';
  send?: typeof fetch;
  /** Resolves when the page does nothing that ends transactions. */
  undisturbed?: () => Promise<void>;
}

export function createBrowserEngine(
  db: ClinicDatabase,
  { host, undisturbed, send = (input, init) => fetch(input, init) }: BrowserEngine,
): SyncEngine {
  const random = () => Math.random();
  const watch = watchCalls(clock, (step) => {
    console.warn(
      `The engine gives up ${step.name}, which has had no answer since ${new Date(step.sinceMs).toISOString()}.`,
    );
    tellStandstill(step);
  });
  const { lock, tellStandstill } = createLock(host, () => watch.steps());
  return createSyncEngine({
    store: watch.store(politeStore(createSyncStore(db, random), undisturbed)),
    net: watch.net(createNet(send)),
    clock,
    random,
    lock,
    // Reports the error to the console and to error listeners, like an uncaught one.
    onFault: (error) => reportError(error),
  });
}
