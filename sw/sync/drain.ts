/** Sends the due operations, batch after batch, until nothing is due or the feed must be read first. */
import { maxBatchOperations } from '#domain/protocol/sync.ts';
import type { Api } from './api.ts';
import type { Pull } from './apply-feed.ts';
import { backoffMs, longBackoffMs } from './backoff.ts';
import type { CallOutcome } from './classify.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import type { Release } from './outbox.ts';
import { broughtBy, compareCounters } from './pull.ts';
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
  /** True when the last reply has brought the feed, so that no pull is needed. */
  isCurrent: boolean;
}

/**
 * Sends one batch at a time, each from the cursor that the previous reply has brought. While a batch is in flight, the reply
 * to the previous one is recorded and the next one is taken. Until their results are recorded, operations count as being
 * sent, and later operations of the same aggregates are held back, so batches in flight never share an aggregate (SYNC-5).
 *
 * Ends for a pull when a reply does not bring the feed. Otherwise the receipts of a long outbox would arrive in one large
 * transaction, and the counter's next sale would wait for it.
 */
export async function drain(parts: DrainParts): Promise<Drained> {
  const { store, api, breaker, clock } = parts;
  let position = await store.position();
  let unrecorded: Answered | null = null;
  let ahead: SelectedBatch | null = null;
  let recovered = false;
  let isCurrent = false;

  const record = async (): Promise<void> => {
    if (!unrecorded) return;
    const { data, contact, brought, hasRecovered } = unrecorded;
    unrecorded = null;
    isCurrent = await store.recordResults(data.results, contact, brought);
    if (!isCurrent) position = await store.position();
    if (hasRecovered) await store.wake('unreached', contact.at);
    if (isCurrent && brought?.feed.counters) await compareCounters(parts, brought.feed.counters);
  };
  const take = () => store.selectBatch({ limit: breaker.limit(), nowMs: clock.now() });
  const putAheadBack = async (): Promise<void> => {
    const taken = ahead;
    ahead = null;
    const nowMs = clock.now();
    if (taken) await store.release(taken.opIds, { nowMs, nextAt: () => nowMs });
  };
  const end = async (nextDueAt: number, more = false): Promise<Drained> => {
    await record();
    await putAheadBack();
    return { authorised: true, nextDueAt, more, recovered, isCurrent };
  };

  while (breaker.opensAt(clock.now()) <= clock.now()) {
    const batch: SelectedBatch = ahead ?? (await take());
    ahead = null;
    if (batch.opIds.length === 0) {
      if (!unrecorded) return end(batch.nextDueAt);
      await record();
      continue;
    }
    const waiting = Math.max(0, (await store.waiting()) - batch.opIds.length);
    const from = position;
    // A network that was just reached again proves itself first: the size of the next batch depends on this one's reply.
    const goesAhead = batch.isFull && breaker.limit() === maxBatchOperations;
    const [reply, next] = await both(
      api.batch(batch.opIds, batch.texts, { ...from, waiting }),
      record().then(() => (goesAhead ? take() : null)),
    );
    ahead = next;
    if (reply.type === 'answer') {
      const hasRecovered = breaker.answered();
      recovered ||= hasRecovered;
      // The feed of a batch that left from a place where the device no longer is would be ignored.
      const hasMoved = position !== from;
      const brought = hasMoved ? null : broughtBy(reply.data.feed, from, reply.contact);
      unrecorded = { ...reply, brought, hasRecovered };
      if (brought) position = { ...from, cursor: brought.cursor, lacks: [] };
      else if (!hasMoved) return end(clock.now(), batch.isFull);
    } else {
      isCurrent = false;
      await putBack(parts, batch, reply);
      await putAheadBack();
      if (reply.type === 'unauthorised')
        return { authorised: false, nextDueAt: Number.POSITIVE_INFINITY, more: false, recovered: false, isCurrent };
    }
  }
  return end(breaker.opensAt(clock.now()));
}

/** A reply whose results are not recorded yet. */
type Answered = Extract<Awaited<ReturnType<Api['batch']>>, { type: 'answer' }> & {
  /** The feed in the reply; null when there is none. */
  brought: Pull | null;
  /** True when requests had failed before this reply. */
  hasRecovered: boolean;
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
