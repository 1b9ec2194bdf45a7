/** Sends what is due, batch after batch, until nothing is left that may go now or it is the feed's turn. */
import type { Api } from './api.ts';
import { backoffMs, longBackoffMs } from './backoff.ts';
import type { CallOutcome } from './classify.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import type { Release } from './outbox.ts';
import type { SyncStore } from './store.ts';
import type { Clock, Random } from './ports.ts';
import type { SelectedBatch } from './select-batch.ts';

interface DrainParts {
  store: SyncStore;
  api: Api;
  link: CircuitBreaker;
  clock: Clock;
  random: Random;
}

export interface Drained {
  /** False when a sign-in is needed first. */
  authorised: boolean;
  /** When there is something to send again (milliseconds). */
  nextDueAt: number;
  /** More may go at once, after a look at the feed. */
  more: boolean;
}

/**
 * After so many batches the feed is read. A long queue would otherwise come home in one transaction over all tables, and
 * the counter's next sale would wait for it.
 */
const batchesBetweenPulls = 2;

/**
 * Batches go one after another, so that none in flight shares an aggregate with another (SYNC-5). While one is on its way,
 * the results of the one before are taken down. Until that is done its operations still count as being sent, and what comes
 * after them in the same aggregate is held.
 */
export async function drain(parts: DrainParts): Promise<Drained> {
  const { store, api, link, clock } = parts;
  let untold: Answered | null = null;
  const tell = async (): Promise<void> => {
    if (!untold) return;
    const { data, contact, recovered } = untold;
    untold = null;
    await store.recordResults(data.results, contact);
    if (recovered) await store.wake('unreached', contact.at);
  };
  const end = async (nextDueAt: number, more = false): Promise<Drained> => {
    await tell();
    return { authorised: true, nextDueAt, more };
  };
  for (let answered = 0; link.opensAt(clock.now()) <= clock.now();) {
    if (answered === batchesBetweenPulls) return end(clock.now(), true);
    const taken = await store.take({ limit: link.limit(), nowMs: clock.now() });
    if (taken.opIds.length === 0) {
      if (!untold) return end(taken.nextDueAt);
      await tell();
      continue;
    }
    const [reply] = await both(api.batch(taken.opIds, taken.texts), tell());
    if (reply.type === 'answer') {
      answered += 1;
      untold = { ...reply, recovered: link.answered() };
    } else {
      await giveBack(parts, taken, reply);
      if (reply.type === 'unauthorised') return { authorised: false, nextDueAt: Number.POSITIVE_INFINITY, more: false };
    }
  }
  return end(link.opensAt(clock.now()));
}

/** An answer whose results are not taken down yet. */
type Answered = Extract<Awaited<ReturnType<Api['batch']>>, { type: 'answer' }> & {
  /** The network had failed before it. */
  recovered: boolean;
};

/** Waits for both, however they end: when one has failed, the other is not still under way. */
async function both<A, B>(one: Promise<A>, other: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([one, other]);
  return Promise.all([one, other]);
}

/** The batch as a whole got no results: none of its operations is judged, each keeps its id and waits its turn. */
async function giveBack(
  { store, link, clock, random }: DrainParts,
  { opIds }: SelectedBatch,
  outcome: Exclude<CallOutcome<never>, { type: 'answer' }>,
): Promise<void> {
  const nowMs = clock.now();
  const release = (nextAt: Release['nextAt'] = () => nowMs, error?: Release['error']) =>
    store.release(opIds, { nowMs, nextAt, ...(error && { error }) });
  switch (outcome.type) {
    case 'unauthorised':
      return release();
    case 'rejected':
      link.rejected(opIds.length);
      return opIds.length > 1 ? release() : release(() => nowMs + longBackoffMs(random), outcome.error);
    case 'unreachable':
      link.failed(nowMs, outcome.retryAfterMs);
      await release((attempts) => nowMs + backoffMs(attempts, random), outcome.error);
      return store.setLinkStatus('offline', nowMs);
  }
}
