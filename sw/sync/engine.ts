/**
 * The sync engine: sends the outbox and pulls the feed. It runs in the worker, or in pages where no worker can run. A lock
 * lets one engine work at a time; `op_id` makes two harmless, because the server applies each operation once (SYNC-13).
 *
 *     idle ──run()──▶ lock free? ──no──▶ idle           another engine is running
 *                        │ yes
 *                        ▼
 *                 recover `sending`
 *                        ▼
 *              ┌──▶ drain the outbox ──401──▶ paused ──run() with another token──▶ …
 *              │         ▼
 *              │    pull the feed ─────401──▶ paused
 *              │         │
 *              └─resend──┤   (after a new epoch, confirmed operations are sent again; a long outbox continues; what
 *                        │   waited for the server goes out as soon as it answers anything)
 *                        ▼
 *              read the first patients, page by page, until run() is called
 *                        ▼
 *            run() called meanwhile? ──yes──▶ another round
 *                        │ no
 *                        ▼
 *            idle, with a wake-up for the earliest waiting operation; after a storage fault, with backoff
 *
 * `outbox.ts` shows the states of an operation, `circuit-breaker.ts` those of the network, and `classify.ts` the replies.
 */
import type { SyncReason } from '#src/db/worker-messages.ts';
import { createApi } from './api.ts';
import type { Api } from './api.ts';
import { backoffMs, isDue } from './backoff.ts';
import { drain } from './drain.ts';
import type { Drained } from './drain.ts';
import { nothing, pull } from './pull.ts';
import type { Pulled } from './pull.ts';
import { readPatients } from './patients.ts';
import { createWaits } from './waits.ts';
import type { Waits } from './waits.ts';
import type { SyncStore } from './store.ts';
import type { Clock, Lock, Net, Random } from './ports.ts';

export interface SyncEngine {
  /**
   * Sends and pulls until nothing is left to do. A call during a run causes one more round. The browser's own event joins a
   * run, or leaves the engine asleep until the wait that it is in has ended.
   */
  run(reason: SyncReason): Promise<void>;
  /** Returns until when the engine waits (milliseconds); infinity if nothing is left that it could do. */
  waitsUntil(): number;
  /** Makes operations of an unknown version due. A new version of the app calls it once, before its first run. */
  appUpdated(): Promise<void>;
}

export interface SyncEngineParts {
  store: SyncStore;
  net: Net;
  clock: Clock;
  random: Random;
  lock: Lock;
  /** Called when a scheduled run fails, for example because the storage is full. The next run is already scheduled. */
  onFault: (error: unknown) => void;
}

export function createSyncEngine({ store, net, clock, random, lock, onFault }: SyncEngineParts): SyncEngine {
  const api = createApi({ net, clock, token: () => store.token() });
  const waits = createWaits({ store, api, clock, random });
  const wakeUp = createWakeUp(clock, () => void run('timer').catch(onFault));
  let running: Promise<void> | null = null;
  let wanted = false;
  let faults = 0;

  function run(reason: SyncReason): Promise<void> {
    if (reason === 'background' && (running || isAsleep())) return running ?? Promise.resolve();
    wanted = true;
    waits.note(reason);
    running ??= runRounds();
    return running;
  }

  const isAsleep = (): boolean => !isDue(wakeUp.at(), clock.now());

  async function runRounds(): Promise<void> {
    // The rounds set the next one. This one would cause another round.
    wakeUp.set(Number.POSITIVE_INFINITY);
    try {
      while (wanted) {
        wanted = false;
        const worked = await lock(round);
        // The holder may have just finished looking for work.
        if (!worked) return wakeUp.set(clock.now() + backoffMs(1, random));
      }
      faults = 0;
    } catch (error) {
      // The caller gets the error; the wake-up continues the work even if nobody calls again.
      faults += 1;
      wakeUp.set(clock.now() + backoffMs(faults, random));
      throw error;
    } finally {
      running = null;
    }
  }

  async function round(): Promise<void> {
    try {
      await exchange();
    } catch (error) {
      if (!(await store.recovered(error))) throw error;
      await exchange();
    }
  }

  async function exchange(): Promise<void> {
    await waits.endNoted();
    if (!(await api.mayTry())) return store.setLinkStatus('paused', clock.now());
    await store.recoverSending(clock.now());
    const parts = { store, api, waits, clock, random };
    // Once more when confirmed operations must be sent again, but not endlessly if the server requires it every time.
    const first = await sendAndFetch(parts);
    const { authorised, nextDueAt } = first.resend ? await sendAndFetch(parts) : first;
    const isInterrupted = () => wanted;
    if (!authorised || !(await readPatients({ store, api, breaker: waits.downloads, clock, isInterrupted })))
      return store.setLinkStatus('paused', clock.now());
    wakeUp.set(Math.min(nextDueAt, ...waits.ends()));
  }

  return { run, waitsUntil: () => wakeUp.at(), appUpdated: () => store.appUpdated(clock.now()) };
}

type ExchangeParts = Pick<SyncEngineParts, 'store' | 'clock' | 'random'> & { api: Api; waits: Waits };

async function sendAndFetch({ store, api, waits, clock, random }: ExchangeParts): Promise<Drained & Pulled> {
  for (;;) {
    const sent = await drain({ store, api, breaker: waits.uploads, clock, random });
    if (!sent.authorised) return { ...sent, resend: false };
    if (sent.recovered) waits.downloads.release();
    const fetched = sent.isCurrent ? nothing : await pull({ store, api, breaker: waits.downloads, clock });
    if (fetched.recovered) await waits.endForServer();
    const isDone = !sent.more && !fetched.recovered;
    if (isDone || !fetched.authorised || fetched.resend) return { ...sent, ...fetched };
  }
}

/** Later wake-ups are left to the page's timer. */
const maxWakeUpDelayMs = 120_000;

interface WakeUp {
  /** Sets when the engine wakes up, in the place of any earlier wake-up. */
  set(atMs: number): void;
  at(): number;
}

function createWakeUp(clock: Clock, wake: () => void): WakeUp {
  let cancel: (() => void) | null = null;
  let setAtMs = Number.POSITIVE_INFINITY;
  return {
    set: (atMs) => {
      cancel?.();
      cancel = null;
      setAtMs = atMs;
      const delayMs = atMs - clock.now();
      if (delayMs <= maxWakeUpDelayMs) cancel = clock.after(Math.max(0, delayMs), wake);
    },
    at: () => setAtMs,
  };
}
