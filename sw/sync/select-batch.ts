/**
 * Chooses what goes next, in the order of positions. An operation is held while an earlier one of its aggregate cannot go,
 * or one that it depends on is neither with the server nor ahead of it in the same batch. Nothing else is held: the scan
 * goes on past what cannot go (SYNC-5).
 */
import type { AnyOperation } from '../../domain/protocol/operations.ts';
import { maxBatchBytes } from '../../domain/protocol/sync.ts';
import type { ClinicDatabase, OperationState } from '../../src/db/database.ts';
import { isSettled, withStatus } from '../../src/db/operation-state.ts';
import { hasCome } from './backoff.ts';

export interface SelectedBatch {
  opIds: string[];
  /** The operations as JSON texts, in the order of sending. */
  texts: string[];
  /** When the next operation that has to wait may go (milliseconds). */
  nextDueAt: number;
}

const scanned = 200;
/** The braces and the name around the operations of a batch. */
const wrappingBytes = 64;

/** Chooses the next batch and marks it as sending. */
export function take(db: ClinicDatabase, { limit, nowMs }: { limit: number; nowMs: number }): Promise<SelectedBatch> {
  return db.transaction('rw', [db.operations, db.operation_states], async () => {
    const batch: { state: OperationState; text: string }[] = [];
    const batched = new Set<string>();
    const held = new Set<string>();
    let bytes = wrappingBytes;
    let nextDueAt = Number.POSITIVE_INFINITY;

    scan: for (let place = 0; batch.length < limit;) {
      const page = await waitingPage(db, place);
      const last = page.at(-1);
      if (!last) break;
      place = last.state.position;
      for (const { state, operation, waitsFor } of page) {
        if (held.has(state.aggregate)) continue;
        const isDue = state.status !== 'sending' && hasCome(state.next_at, nowMs);
        if (!isDue) nextDueAt = Math.min(nextDueAt, state.next_at);
        if (!isDue || !waitsFor.every((id) => batched.has(id))) {
          held.add(state.aggregate);
          continue;
        }
        const text = JSON.stringify(operation);
        bytes += encoder.encode(text).byteLength + 1;
        if (batch.length === limit || (bytes > maxBatchBytes && batch.length > 0)) break scan;
        batch.push({ state, text });
        batched.add(state.op_id);
      }
    }

    await db.operation_states.bulkPut(
      batch.map(({ state }) => withStatus(state, 'sending', nowMs, { attempts: state.attempts + 1 })),
    );
    return { opIds: [...batched], texts: batch.map(({ text }) => text), nextDueAt };
  });
}

const encoder = new TextEncoder();

interface Waiting {
  state: OperationState;
  operation: AnyOperation;
  /** The operations it depends on that the server does not have yet. */
  waitsFor: string[];
}

async function waitingPage(db: ClinicDatabase, place: number): Promise<Waiting[]> {
  const states = await db.operation_states.where('queue_place').above(place).limit(scanned).toArray();
  const operations = await db.operations.bulkGet(states.map(({ op_id }) => op_id));
  // What waits on this page itself need not be looked up.
  const unmet = new Map(states.map(({ op_id }) => [op_id, op_id]));
  await addUnmet(
    db,
    unmet,
    operations.flatMap((operation) => operation?.depends_on ?? []),
  );
  return states.flatMap((state, index) => {
    const operation = operations[index];
    return operation ? { state, operation, waitsFor: operation.depends_on.flatMap((id) => unmet.get(id) ?? []) } : [];
  });
}

/**
 * Adds which of the dependencies the server does not have, each with the operation that stands for it: itself, or what
 * replaced it (SYNC-7). One that this device no longer knows was settled long ago.
 */
async function addUnmet(db: ClinicDatabase, unmet: Map<string, string>, opIds: readonly string[]): Promise<void> {
  let links = [...new Set(opIds)].filter((id) => !unmet.has(id)).map((id) => ({ id, standsFor: id }));
  while (links.length > 0) {
    const states = await db.operation_states.bulkGet(links.map(({ id }) => id));
    const replaced: typeof links = [];
    links.forEach(({ id, standsFor }, index) => {
      const state = states[index];
      if (state?.superseded_by) replaced.push({ id: state.superseded_by, standsFor });
      else if (state && !isSettled(state) && state.status !== 'accepted') unmet.set(standsFor, id);
    });
    links = replaced;
  }
}
