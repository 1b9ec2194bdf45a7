/* oxlint-disable no-restricted-globals, no-restricted-properties -- Here, and only here, the engine gets what it must not reach for. */
/** The engine with the browser's clock, chance, network and locks: for the worker, and for a page that stands in for it. */
import type { ClinicDatabase } from '../../src/db/database.ts';
import { createSyncEngine } from './engine.ts';
import type { SyncEngine } from './engine.ts';
import { createSyncStore } from './store.ts';
import type { Clock, Lock } from './ports.ts';
import { createNet } from './transport.ts';

const clock: Clock = {
  now: () => Date.now(),
  after: (delayMs, wake) => {
    const timer = setTimeout(wake, delayMs);
    return () => clearTimeout(timer);
  },
};

/** A browser without locks may have two at work: more traffic, the same outcome. */
const lock: Lock = async (work) => {
  if (!('locks' in navigator)) {
    await work();
    return true;
  }
  return navigator.locks.request('dental-counter-sync', { ifAvailable: true }, async (held) => {
    if (held) await work();
    return held !== null;
  });
};

export function createBrowserEngine(db: ClinicDatabase): SyncEngine {
  const random = () => Math.random();
  return createSyncEngine({
    store: createSyncStore(db, random),
    net: createNet((input, init) => fetch(input, init)),
    clock,
    random,
    lock,
    // To the console and to whatever else listens for errors, as if it had been thrown where nothing catches.
    onFault: (error) => reportError(error),
  });
}
