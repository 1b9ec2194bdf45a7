/* oxlint-disable no-restricted-globals, no-restricted-properties -- As in `browser-engine.ts`, these are the browser's ports. */
/**
 * The lock that lets one engine work at a time (SYNC-13). It only saves work, so an engine that waits too long takes it: from
 * a holder that does not answer, as a worker that the browser has ended without freeing its locks. Without the Web Locks API
 * two engines may run at once: more traffic, the same result.
 */
import { askHolder, engineChannel } from '#src/db/engine-messages.ts';
import type { EngineMessage, EngineStatus, EngineStep } from '#src/db/engine-messages.ts';
import type { Lock } from './ports.ts';

const lockName = 'dental-counter-sync';
/** A holder that has not answered for this time is gone. */
const deafMs = 15_000;
/** The browser says within this time whether the lock is free. */
const requestMs = 5000;

export interface WatchedLock {
  lock: Lock;
  /** Tells the pages that a call was given up. */
  tellStandstill: (step: EngineStep) => void;
}

/** @param steps returns the calls of this engine that have no answer yet */
export function createLock(host: EngineStatus['host'], steps: () => EngineStep[]): WatchedLock {
  let heldSinceMs: number | null = null;
  let deafSinceMs: number | null = null;
  const channel = new BroadcastChannel(engineChannel);
  const tell = (message: EngineMessage) => channel.postMessage(message);
  channel.addEventListener('message', ({ data }: MessageEvent<EngineMessage>) => {
    if (data.type === 'who' && heldSinceMs !== null) tell({ type: 'holder', host, heldSinceMs, steps: steps() });
  });

  async function hold(work: () => Promise<void>): Promise<void> {
    heldSinceMs = Date.now();
    deafSinceMs = null;
    try {
      await work();
    } finally {
      heldSinceMs = null;
    }
  }

  /** Resolves to false also when the browser does not answer the request in time; it then gets no work any more. */
  async function request(options: LockOptions, work: () => Promise<void>): Promise<boolean> {
    let state: 'asked' | 'held' | 'late' = 'asked';
    const asked = navigator.locks.request(lockName, options, async (given) => {
      if (!given || state === 'late') return false;
      state = 'held';
      await hold(work);
      return true;
    });
    let timer: ReturnType<typeof setTimeout>;
    const late = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => {
        if (state === 'held') return;
        state = 'late';
        resolve(false);
      }, requestMs);
    });
    return Promise.race([asked, late]).finally(() => clearTimeout(timer));
  }

  const lock: Lock = async (work) => {
    if (!('locks' in navigator)) {
      await hold(work);
      return true;
    }
    if (await request({ ifAvailable: true }, work)) return true;
    const answers = (await askHolder()) !== null;
    deafSinceMs = answers ? null : (deafSinceMs ?? Date.now());
    if (deafSinceMs === null || Date.now() - deafSinceMs < deafMs) return false;
    console.warn('The holder of the synchronisation lock does not answer. The lock is taken from it.');
    tell({ type: 'taken', host });
    return request({ steal: true }, work);
  };

  return { lock, tellStandstill: (step) => tell({ type: 'standstill', step, host }) };
}
