/** Sends the due operations, batch after batch, until nothing is due or the feed must be read first. */
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
  breaker: CircuitBreaker;
  clock: Clock;
  random: Random;
}

export interface Drained {
  /** False when a sign-in is needed first. */
  authorised: boolean;
  /** When the next operation is due (milliseconds). */
  nextDueAt: number;
  /** True when more is due, to be sent after the next pull. */
  more: boolean;
  /** True when a reply arrived after requests had failed. */
  recovered: boolean;
}

/**
 * The feed is read after this many batches. Otherwise the receipts of a long outbox would arrive in one large transaction, and
 * the counter's next sale would wait for it.
 */
const batchesBetweenPulls = 2;

/**
 * Sends one batch at a time, so that batches in flight never share an aggregate (SYNC-5). While a batch is in flight, the
 * results of the previous one are recorded. Until then its operations count as being sent, and later operations of the same
 * aggregates are held back.
 */
export async function drain(parts: DrainParts): Promise<Drained> {
  const { store, api, breaker, clock } = parts;
  let unrecorded: Answered | null = null;
  let hasRecovered = false;
  const record = async (): Promise<void> => {
    if (!unrecorded) return;
    const { data, contact, recovered } = unrecorded;
    unrecorded = null;
    await store.recordResults(data.results, contact);
    if (recovered) await store.wake('unreached', contact.at);
  };
  const end = async (nextDueAt: number, more = false): Promise<Drained> => {
    await record();
    return { authorised: true, nextDueAt, more, recovered: hasRecovered };
  };
  for (let answered = 0; breaker.opensAt(clock.now()) <= clock.now();) {
    if (answered === batchesBetweenPulls) return end(clock.now(), true);
    const batch = await store.selectBatch({ limit: breaker.limit(), nowMs: clock.now() });
    if (batch.opIds.length === 0) {
      if (!unrecorded) return end(batch.nextDueAt);
      await record();
      continue;
    }
    const [reply] = await both(api.batch(batch.opIds, batch.texts), record());
    if (reply.type === 'answer') {
      answered += 1;
      const recovered = breaker.answered();
      hasRecovered ||= recovered;
      unrecorded = { ...reply, recovered };
    } else {
      await putBack(parts, batch, reply);
      if (reply.type === 'unauthorised')
        return { authorised: false, nextDueAt: Number.POSITIVE_INFINITY, more: false, recovered: false };
    }
  }
  return end(breaker.opensAt(clock.now()));
}

/** A reply whose results are not recorded yet. */
type Answered = Extract<Awaited<ReturnType<Api['batch']>>, { type: 'answer' }> & {
  /** True when requests had failed before this reply. */
  recovered: boolean;
};

/** Waits until both have ended, so that neither is still running when the other's error is thrown. */
async function both<A, B>(one: Promise<A>, other: Promise<B>): Promise<[A, B]> {
  await Promise.allSettled([one, other]);
  return Promise.all([one, other]);
}

/** Returns a batch without results to the outbox. Its operations keep their ids and are sent again. */
async function putBack(
  { store, breaker, clock, random }: DrainParts,
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
      breaker.rejected(opIds.length);
      return opIds.length > 1 ? release() : release(() => nowMs + longBackoffMs(random), outcome.error);
    case 'unreachable':
      breaker.failed(nowMs, outcome.retryAfterMs);
      await release((attempts) => nowMs + backoffMs(attempts, random), outcome.error);
      return store.setLinkStatus('offline', nowMs);
  }
}
