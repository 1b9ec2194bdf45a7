/**
 * Selects the next batch, in the order of positions. An operation is held back while an earlier one of its aggregate can't be
 * sent, or while a dependency is neither on the server nor earlier in the same batch. Nothing else is held back: the scan
 * continues past operations that can't be sent (SYNC-5). A void takes the place of a refused operation, so it has no order
 * among the operations that are not refused, and waits only for those in flight.
 */
import { isVoid } from '#domain/protocol/operations.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import { maxBatchBytes } from '#domain/protocol/sync.ts';
import type { ClinicDatabase, OperationState } from '#src/db/database.ts';
import { rowsByKey } from '#src/db/neighbours.ts';
import { isSettled, isUnsent, transition } from '#src/db/operation-state.ts';
import type { UnsentStatus } from '#src/db/operation-state.ts';
import { isDue } from './backoff.ts';

export interface SelectedBatch {
  opIds: string[];
  /** The operations as JSON texts, in the order of sending. */
  texts: string[];
  /** When the next waiting operation is due (milliseconds). */
  nextDueAt: number;
  /** True when the batch is full, so that more may be due. */
  isFull: boolean;
}

const pageSize = 200;
/** The size of the JSON around the operations. */
const wrappingBytes = 64;

/** Selects the next batch and marks its operations as sending. */
export function selectBatch(
  db: ClinicDatabase,
  { limit, nowMs }: { limit: number; nowMs: number },
): Promise<SelectedBatch> {
  return db.transaction('rw', [db.operations, db.operation_states], async () => {
    const batch: { state: OperationState<'pending' | 'retry'>; text: string }[] = [];
    const batched = new Set<string>();
    const held = new Set<string>();
    const inFlight = new Set<string>();
    let bytes = wrappingBytes;
    let nextDueAt = Number.POSITIVE_INFINITY;
    let isFull = false;

    scan: for (let place = 0; ;) {
      const page = await waitingPage(db, place);
      const last = page.at(-1);
      if (!last) break;
      place = last.state.position;
      for (const { state, operation, waitsFor } of page) {
        if (isVoid(operation) ? inFlight.has(state.aggregate) : held.has(state.aggregate)) continue;
        const isSending = state.status === 'sending';
        if (isSending) inFlight.add(state.aggregate);
        const canGo = !isSending && isDue(state.next_at, nowMs);
        if (!canGo) nextDueAt = Math.min(nextDueAt, state.next_at);
        if (!canGo || !waitsFor.every((id) => batched.has(id))) {
          held.add(state.aggregate);
          continue;
        }
        const text = JSON.stringify(operation);
        bytes += encoder.encode(text).byteLength + 1;
        isFull = batch.length === limit || (bytes > maxBatchBytes && batch.length > 0);
        if (isFull) break scan;
        batch.push({ state, text });
        batched.add(state.op_id);
      }
    }

    await db.operation_states.bulkPut(
      batch.map(({ state }) => transition(state, 'select', nowMs, { attempts: state.attempts + 1 })),
    );
    return { opIds: [...batched], texts: batch.map(({ text }) => text), nextDueAt, isFull };
  });
}

const encoder = new TextEncoder();

interface Waiting {
  state: OperationState<UnsentStatus>;
  operation: AnyOperation;
  /** The dependencies that the server does not have. */
  waitsFor: string[];
}

async function waitingPage(db: ClinicDatabase, place: number): Promise<Waiting[]> {
  const states = await db.operation_states.where('queue_place').above(place).limit(pageSize).toArray();
  const operations = await rowsByKey(
    db.operations,
    states.map(({ op_id }) => op_id),
  );
  // The operations of this page are waiting themselves and need no lookup.
  const unmet = new Map(states.map(({ op_id }) => [op_id, op_id]));
  await addUnmet(
    db,
    unmet,
    [...operations.values()].flatMap((operation) => operation.depends_on),
  );
  return states.flatMap((state) => {
    const operation = operations.get(state.op_id);
    if (!operation || !isUnsent(state)) return [];
    return { state, operation, waitsFor: operation.depends_on.flatMap((id) => unmet.get(id) ?? []) };
  });
}

/**
 * Adds the dependencies that the server does not have, each with the operation to wait for: the dependency itself or its
 * latest replacement (SYNC-7). A dependency that this device no longer has was settled and pruned.
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
