/**
 * Keeps this device and the server in step. It runs in the worker, or in a page where no worker can, any number at a time:
 * a lock lets one work, and the server's `op_id` makes it harmless when two do (SYNC-13).
 *
 *     idle ──run()──▶ lock free? ──no──▶ idle           somebody else is at it
 *                        │ yes
 *                        ▼
 *                 recover `sending`
 *                        ▼
 *              ┌──▶ drain the outbox ──401──▶ paused ──run() with another token──▶ …
 *              │         ▼
 *              │    pull the feed ─────401──▶ paused
 *              │         │
 *              └─resend──┤   (a new epoch: what was confirmed goes again; a long queue: the next part)
 *                        ▼
 *            asked again meanwhile? ──yes──▶ once more
 *                        │ no
 *                        ▼
 *            idle, and a wake-up for the earliest thing that waits; after a fault of the storage, soon and then less soon
 *
 * The states of an operation are drawn in `outbox.ts`, what is held is said in `take.ts`, the network's in `link.ts`, what an answer means in `classify.ts`.
 */
import type { SyncReason } from '../../src/db/worker-messages.ts';
import { createApi } from './api.ts';
import { backoffMs } from './backoff.ts';
import { drain } from './drain.ts';
import type { Drained } from './drain.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';
import { pull } from './pull.ts';
import type { Pulled } from './pull.ts';
import type { SyncStore } from './store.ts';
import type { Clock, Lock, Net, Random } from './ports.ts';

const routine: readonly SyncReason[] = ['write', 'timer', 'changes'];

export interface SyncEngine {
  /** Sends and fetches until nothing is left to do. Calls while it runs are answered by one more round. */
  run(reason: SyncReason): Promise<void>;
  /** To be called once by a newer app, before its first run. */
  appUpdated(): Promise<void>;
}

export interface SyncEngineParts {
  store: SyncStore;
  net: Net;
  clock: Clock;
  random: Random;
  lock: Lock;
  /** A run that nobody waits for has failed, as it does when the storage is full. Another is set already. */
  onFault: (error: unknown) => void;
}

/** A later wake-up than this is left to the page's timer. */
const longestNapMs = 120_000;

export function createSyncEngine({ store, net, clock, random, lock, onFault }: SyncEngineParts): SyncEngine {
  const api = createApi({ net, clock, token: () => store.token() });
  const uploads = createCircuitBreaker(random);
  const downloads = createCircuitBreaker(random);
  let running: Promise<void> | null = null;
  let wanted = false;
  let news = false;
  let asked = false;
  let faults = 0;
  let callOffWakeUp: (() => void) | null = null;

  function run(reason: SyncReason): Promise<void> {
    wanted = true;
    news ||= !routine.includes(reason);
    asked ||= reason === 'asked';
    running ??= rounds();
    return running;
  }

  async function rounds(): Promise<void> {
    try {
      while (wanted) {
        wanted = false;
        const worked = await lock(round);
        // Whoever holds it may just have stopped looking.
        if (!worked) return wakeUpAt(clock.now() + backoffMs(1, random));
      }
      faults = 0;
    } catch (error) {
      // Whoever asked hears of it; the work is not given up, even if nobody asks again.
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
    if (news) await takeNews();
    if (!(await api.mayTry())) return store.setLinkStatus('paused', clock.now());
    await store.recoverSending(clock.now());
    // Once more when what was confirmed has to go again; a server that asks for that every time is not obeyed at once.
    const first = await sendAndFetch();
    const { authorised, nextDueAt } = first.resend ? await sendAndFetch() : first;
    if (!authorised) return store.setLinkStatus('paused', clock.now());
    wakeUpAt(Math.min(nextDueAt, ...waits()));
  }

  async function sendAndFetch(): Promise<Drained & Pulled> {
    for (;;) {
      const sent = await drain({ store, api, link: uploads, clock, random });
      if (!sent.authorised) return { ...sent, resend: false };
      const fetched = await pull({ store, api, link: downloads, clock });
      if (!sent.more || !fetched.authorised || fetched.resend) return { ...sent, ...fetched };
    }
  }

  async function takeNews(): Promise<void> {
    const wasAsked = asked;
    news = asked = false;
    api.refresh();
    uploads.refresh();
    downloads.refresh();
    try {
      await store.wake(wasAsked ? 'asked' : 'unreached', clock.now());
    } catch (error) {
      // The store has not heard it: the next attempt tells it again.
      news = true;
      asked ||= wasAsked;
      throw error;
    }
  }

  const waits = () =>
    [uploads, downloads].map((link) => link.opensAt(clock.now())).filter((atMs) => atMs > clock.now());

  function wakeUpAt(atMs: number): void {
    callOffWakeUp?.();
    callOffWakeUp = null;
    const delayMs = atMs - clock.now();
    if (delayMs > longestNapMs) return;
    callOffWakeUp = clock.after(Math.max(0, delayMs), () => void run('timer').catch(onFault));
  }

  return { run, appUpdated: () => store.appUpdated(clock.now()) };
}
