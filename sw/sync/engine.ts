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
import { backoffMs } from './backoff.ts';
import { drain } from './drain.ts';
import type { Drained } from './drain.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';
import { nothing, pull } from './pull.ts';
import type { Pulled } from './pull.ts';
import { readPatients } from './patients.ts';
import type { SyncStore } from './store.ts';
import type { Clock, Lock, Net, Random } from './ports.ts';

/** Reasons that say nothing about the network or the session. */
const routine: readonly SyncReason[] = ['write', 'timer', 'changes'];

export interface SyncEngine {
  /** Sends and pulls until nothing is left to do. A call during a run causes one more round. */
  run(reason: SyncReason): Promise<void>;
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

/** Later wake-ups are left to the page's timer. */
const maxWakeUpDelayMs = 120_000;

export function createSyncEngine({ store, net, clock, random, lock, onFault }: SyncEngineParts): SyncEngine {
  const api = createApi({ net, clock, token: () => store.token() });
  const uploads = createCircuitBreaker(random);
  const downloads = createCircuitBreaker(random);
  let running: Promise<void> | null = null;
  let wanted = false;
  /** A reason said that the network or the session may have recovered. */
  let mayHaveRecovered = false;
  let reached = false;
  let asked = false;
  let faults = 0;
  let cancelWakeUp: (() => void) | null = null;

  function run(reason: SyncReason): Promise<void> {
    wanted = true;
    reached ||= reason === 'reached';
    mayHaveRecovered ||= reason !== 'reached' && !routine.includes(reason);
    asked ||= reason === 'asked';
    running ??= runRounds();
    return running;
  }

  async function runRounds(): Promise<void> {
    try {
      while (wanted) {
        wanted = false;
        const worked = await lock(round);
        // The holder may have just finished looking for work.
        if (!worked) return wakeUpAt(clock.now() + backoffMs(1, random));
      }
      faults = 0;
    } catch (error) {
      // The caller gets the error; the wake-up continues the work even if nobody calls again.
      faults += 1;
      wakeUpAt(clock.now() + backoffMs(faults, random));
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
    if (mayHaveRecovered) await endWaits();
    else if (reached) await endWaitsForServer();
    if (!(await api.mayTry())) return store.setLinkStatus('paused', clock.now());
    await store.recoverSending(clock.now());
    // Once more when confirmed operations must be sent again, but not endlessly if the server requires it every time.
    const first = await sendAndFetch();
    const { authorised, nextDueAt } = first.resend ? await sendAndFetch() : first;
    const isInterrupted = () => wanted;
    if (!authorised || !(await readPatients({ store, api, breaker: downloads, clock, isInterrupted })))
      return store.setLinkStatus('paused', clock.now());
    wakeUpAt(Math.min(nextDueAt, ...waits()));
  }

  async function sendAndFetch(): Promise<Drained & Pulled> {
    for (;;) {
      const sent = await drain({ store, api, breaker: uploads, clock, random });
      if (!sent.authorised) return { ...sent, resend: false };
      if (sent.recovered) downloads.release();
      const fetched = sent.isCurrent ? nothing : await pull({ store, api, breaker: downloads, clock });
      if (fetched.recovered) await endWaitsForServer();
      const isDone = !sent.more && !fetched.recovered;
      if (isDone || !fetched.authorised || fetched.resend) return { ...sent, ...fetched };
    }
  }

  /** Ends the waits that no reply has caused, because the server has answered something else. */
  async function endWaitsForServer(): Promise<void> {
    reached = false;
    uploads.release();
    downloads.release();
    await store.wake('unreached', clock.now());
  }

  async function endWaits(): Promise<void> {
    const wasAsked = asked;
    mayHaveRecovered = reached = asked = false;
    api.refresh();
    uploads.refresh();
    downloads.refresh();
    try {
      await store.wake(wasAsked ? 'asked' : 'unreached', clock.now());
    } catch (error) {
      // The store did not record it: the next round tries again.
      mayHaveRecovered = true;
      asked ||= wasAsked;
      throw error;
    }
  }

  const waits = () =>
    [uploads, downloads].map((breaker) => breaker.opensAt(clock.now())).filter((atMs) => atMs > clock.now());

  function wakeUpAt(atMs: number): void {
    cancelWakeUp?.();
    cancelWakeUp = null;
    const delayMs = atMs - clock.now();
    if (delayMs > maxWakeUpDelayMs) return;
    cancelWakeUp = clock.after(Math.max(0, delayMs), () => void run('timer').catch(onFault));
  }

  return { run, appUpdated: () => store.appUpdated(clock.now()) };
}
