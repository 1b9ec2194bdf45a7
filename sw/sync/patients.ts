/**
 * Reads the first patients of a new tablet, page by page, after everything else has arrived: a large clinic has a hundred
 * thousand, and the counter sells meanwhile. Each page is stored with its place in one transaction, so an interrupted
 * reading continues there.
 */
import type { Api } from './api.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import type { Clock } from './ports.ts';
import type { SyncStore } from './store.ts';

interface PatientsParts {
  store: SyncStore;
  api: Api;
  breaker: CircuitBreaker;
  clock: Clock;
  /** True when something else is to be done first. The next call continues. */
  isInterrupted: () => boolean;
}

/** @returns false when a sign-in is needed first */
export async function readPatients({ store, api, breaker, clock, isInterrupted }: PatientsParts): Promise<boolean> {
  while (!isInterrupted() && breaker.opensAt(clock.now()) <= clock.now()) {
    const { cursor, epoch, patients_after: after } = await store.position();
    // Without a cursor the feed starts over first.
    if (after === null || cursor === null) break;
    const reply = await api.patients(after);
    if (reply.type === 'unauthorised') return false;
    if (reply.type !== 'answer') {
      breaker.failed(clock.now(), reply.type === 'unreachable' ? reply.retryAfterMs : null);
      if (reply.type === 'unreachable') await store.setLinkStatus('offline', clock.now());
      break;
    }
    breaker.answered();
    // The next pull finds the new epoch too, and starts over.
    if (reply.data.epoch !== epoch) break;
    await store.addPatients(reply.data, after);
  }
  return true;
}
