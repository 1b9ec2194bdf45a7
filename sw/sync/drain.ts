/** Sends what is due, batch after batch, until nothing is left that may go now or it is the feed's turn. */
import type { Api } from './api.ts';
import { backoffMs, longBackoffMs } from './backoff.ts';
import type { Verdict } from './classify.ts';
import type { Link } from './link.ts';
import type { SyncStore } from './store.ts';
import type { Clock, Random } from './surroundings.ts';
import type { Taken } from './take.ts';

export interface DrainParts {
  store: SyncStore;
  api: Api;
  link: Link;
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

/** Batches go one after another, so that none in flight shares an aggregate with another (SYNC-5). */
export async function drain(parts: DrainParts): Promise<Drained> {
  const { store, api, link, clock } = parts;
  let answered = 0;
  while (link.opensAt(clock.now()) <= clock.now()) {
    if (answered === batchesBetweenPulls) return { authorised: true, nextDueAt: clock.now(), more: true };
    const taken = await store.take({ limit: link.limit(), nowMs: clock.now() });
    if (taken.opIds.length === 0) return { authorised: true, nextDueAt: taken.nextDueAt, more: false };
    const reply = await api.batch(taken.opIds, taken.texts);
    if (reply.type === 'answer') {
      answered += 1;
      const recovered = link.answered();
      await store.record(reply.data.results, reply.contact);
      if (recovered) await store.wakeUnreached(reply.contact.at);
    } else {
      await giveBack(parts, taken, reply);
      if (reply.type === 'unauthorised') return { authorised: false, nextDueAt: Number.POSITIVE_INFINITY, more: false };
    }
  }
  return { authorised: true, nextDueAt: link.opensAt(clock.now()), more: false };
}

/** The batch as a whole got no results: none of its operations is judged, each keeps its id and waits its turn. */
async function giveBack(
  { store, link, clock, random }: DrainParts,
  { opIds }: Taken,
  verdict: Exclude<Verdict<never>, { type: 'answer' }>,
): Promise<void> {
  const nowMs = clock.now();
  switch (verdict.type) {
    case 'unauthorised':
      await store.release(opIds, { nowMs, nextAt: () => nowMs });
      return;
    case 'rejected':
      link.rejected(opIds.length);
      await store.release(
        opIds,
        opIds.length > 1
          ? { nowMs, nextAt: () => nowMs }
          : { nowMs, nextAt: () => nowMs + longBackoffMs(random), error: verdict.error },
      );
      return;
    case 'unreachable':
      link.failed(nowMs, verdict.retryAfterMs);
      await store.release(opIds, { nowMs, nextAt: (attempts) => nowMs + backoffMs(attempts, random), error: verdict.error });
      await store.noteLink('offline', nowMs);
      return;
  }
}
