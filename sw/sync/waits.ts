/**
 * The waits after failures, and what ends them: a reason to run which says that network or session may have recovered, or a
 * reply, which shows that the server answers again.
 */
import type { SyncReason } from '#src/db/worker-messages.ts';
import type { Api } from './api.ts';
import { createCircuitBreaker } from './circuit-breaker.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import type { SyncStore } from './store.ts';
import type { Clock, Random } from './ports.ts';

/** Reasons that say nothing about the network or the session. */
const routine: readonly SyncReason[] = ['write', 'timer', 'changes', 'background'];

export interface Waits {
  uploads: CircuitBreaker;
  downloads: CircuitBreaker;
  /** Notes a reason to run, which `endNoted` acts on. */
  note(reason: SyncReason): void;
  /** Ends what the reasons that were noted say has ended. */
  endNoted(): Promise<void>;
  /** Ends the waits that no reply has caused, because the server has answered something else. */
  endForServer(): Promise<void>;
  /** Returns when to try again in each direction that waits. */
  ends(): number[];
}

interface WaitsParts {
  store: SyncStore;
  api: Api;
  clock: Clock;
  random: Random;
}

export function createWaits({ store, api, clock, random }: WaitsParts): Waits {
  const uploads = createCircuitBreaker(random);
  const downloads = createCircuitBreaker(random);
  /** A reason said that the network or the session may have recovered. */
  let mayHaveRecovered = false;
  let reached = false;
  let asked = false;

  function note(reason: SyncReason): void {
    reached ||= reason === 'reached';
    mayHaveRecovered ||= reason !== 'reached' && !routine.includes(reason);
    asked ||= reason === 'asked';
  }

  async function endNoted(): Promise<void> {
    if (mayHaveRecovered) await endAll();
    else if (reached) await endForServer();
  }

  async function endForServer(): Promise<void> {
    reached = false;
    uploads.release();
    downloads.release();
    await store.wake('unreached', clock.now());
  }

  async function endAll(): Promise<void> {
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

  const ends = () =>
    [uploads, downloads].map((breaker) => breaker.opensAt(clock.now())).filter((atMs) => atMs > clock.now());

  return { uploads, downloads, note, endNoted, endForServer, ends };
}
