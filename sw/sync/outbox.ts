/**
 * Applies the events of sending to the states of operations (`transition`). `select-batch.ts` selects what is sent next. Each
 * function runs its own transaction, unless its comment requires one.
 */
import type { AnyOperation } from '#domain/protocol/operations.ts';
import type { OperationResult, ReceiptResource } from '#domain/protocol/sync.ts';
import type { ClinicDatabase, OperationState, OperationStatus } from '#src/db/database.ts';
import { rowsByKey } from '#src/db/neighbours.ts';
import { isReplayed, isSettled, transition, withStatus } from '#src/db/operation-state.ts';
import { captureBases, rebaseAggregates } from '#src/db/rebase.ts';
import { backoffMs, longBackoffMs } from './backoff.ts';
import type { LastError } from './classify.ts';
import type { Random } from './ports.ts';

/**
 * Records the server's results. An operation whose receipt has already arrived in the feed is left unchanged. Requires
 * a transaction over the outbox and the tables of `rebaseAggregates`.
 */
export async function recordResults(
  db: ClinicDatabase,
  results: readonly OperationResult[],
  { nowMs, random }: { nowMs: number; random: Random },
): Promise<void> {
  const states = await rowsByKey(
    db.operation_states,
    results.map(({ op_id }) => op_id),
  );
  const next = results.flatMap((result) => {
    const state = states.get(result.op_id);
    return state?.status === 'sending' ? afterResult(state, result, nowMs, random) : [];
  });
  await db.operation_states.bulkPut(next);
  await rebaseAggregates(
    db,
    next.filter(({ status }) => status === 'attention').map(({ aggregate }) => aggregate),
  );
}

function afterResult(
  state: OperationState<'sending'>,
  { status, reply }: OperationResult,
  nowMs: number,
  random: Random,
): OperationState {
  if (status === 'applied') return transition(state, 'accept', nowMs, { last_error: null });
  const last_error = reply.success ? null : lastErrorOf(reply);
  if (last_error?.code === 'UNKNOWN_VERSION') {
    return transition(state, 'postpone', nowMs, { last_error, next_at: nowMs + longBackoffMs(random) });
  }
  return status === 'refused'
    ? transition(state, 'refuse', nowMs, { last_error })
    : transition(state, 'postpone', nowMs, { last_error, next_at: nowMs + backoffMs(state.attempts, random) });
}

function lastErrorOf({ code, message, details }: Exclude<OperationResult['reply'], { success: true }>): LastError {
  return { code, message, ...(details !== undefined && { details: details as Record<string, string | number> }) };
}

export interface Release {
  nextAt: (attempts: number) => number;
  error?: LastError;
}

/** Changes the states with a status; `next` returns an empty list to leave a state unchanged. */
function change<S extends OperationStatus>(
  db: ClinicDatabase,
  status: S,
  next: (state: OperationState<S>) => OperationState | [],
): Promise<void> {
  return db.transaction('rw', db.operation_states, async () => {
    await db.operation_states.bulkPut((await withStatus(db, status).toArray()).flatMap(next));
  });
}

/** Returns operations without a result to the queue. They are sent again under the same ids. */
export function release(
  db: ClinicDatabase,
  opIds: readonly string[],
  nowMs: number,
  { nextAt, error }: Release,
): Promise<void> {
  return change(db, 'sending', (state) =>
    opIds.includes(state.op_id)
      ? transition(state, 'postpone', nowMs, { next_at: nextAt(state.attempts), ...(error && { last_error: error }) })
      : [],
  );
}

/**
 * Queues the operations again that a terminated worker was sending. The server may have them; the id makes that
 * harmless (SYNC-6).
 */
export function recoverSending(db: ClinicDatabase, nowMs: number): Promise<void> {
  return change(db, 'sending', (state) => transition(state, 'postpone', nowMs, { next_at: nowMs }));
}

/** Functions by reason: each returns true if a wait with this last error ends. */
const endsWait = {
  /** The network is back: operations that failed because of it are due, those that the server postponed are not. */
  unreached: (code) => code === 'NETWORK',
  /** A new app version is active: operations of an unknown version are due. */
  outdated: (code) => code === 'UNKNOWN_VERSION',
  /** A person asks: all operations are due, except those that wait for an update or for another operation. */
  asked: (code) => code !== 'UNKNOWN_VERSION' && code !== 'DEPENDENCY_PENDING',
} satisfies Record<string, (code: LastError['code'] | undefined) => boolean>;

export type Waking = keyof typeof endsWait;

/** Makes operations due whose wait has lost its reason. */
export function wake(db: ClinicDatabase, whose: Waking, nowMs: number): Promise<void> {
  return change(db, 'retry', (state) =>
    state.next_at > nowMs && endsWait[whose](state.last_error?.code) ? { ...state, next_at: nowMs } : [],
  );
}

/**
 * Queues confirmed operations again that the server may have lost (SYNC-16): all that this device still has, except
 * replaced ones, under the same ids. Requires the transaction of the feed.
 *
 * @param received the operations whose receipts the server still has
 * @returns the aggregates of the queued operations
 */
export async function requeueConfirmed(
  db: ClinicDatabase,
  received: ReadonlySet<string>,
  nowMs: number,
): Promise<string[]> {
  const [accepted, settled] = await Promise.all([
    withStatus(db, 'accepted').toArray(),
    withStatus(db, 'settled')
      .filter(({ superseded_by }) => superseded_by === null)
      .toArray(),
  ]);
  const lost = [...accepted, ...settled].filter(({ op_id }) => !received.has(op_id));
  const aggregates = lost.map(({ aggregate }) => aggregate);
  await captureBases(db, aggregates);
  await db.operation_states.bulkPut(
    lost.map((state) => transition(state, 'requeue', nowMs, { attempts: 0, next_at: 0 })),
  );
  return aggregates;
}

/**
 * Settles operations by their receipts (SYNC-9). A receipt ends the replay whether or not the reply has arrived.
 * Requires the transaction of the feed.
 *
 * @returns the aggregates to rebase
 */
export async function settle(
  db: ClinicDatabase,
  receipts: readonly ReceiptResource[],
  nowMs: number,
): Promise<string[]> {
  const states = await rowsByKey(
    db.operation_states,
    receipts.map(({ op_id }) => op_id),
  );
  const next = receipts.flatMap(({ op_id, status, code, message, details, superseded_by }) => {
    const state = states.get(op_id);
    if (!state || isSettled(state)) return [];
    if (status === 'applied') return transition(state, 'settle', nowMs, { last_error: null });
    // Operations replaced by this device are settled already, so another device has voided this one.
    if (superseded_by) return transition(state, 'replace', nowMs, { superseded_by, voided_at: nowMs });
    const last_error = { code: code ?? 'INTERNAL', message: message ?? '', ...(details && { details }) } as const;
    return isReplayed(state) ? transition(state, 'refuse', nowMs, { last_error }) : [];
  });
  await db.operation_states.bulkPut(next);
  for (const state of next) states.set(state.op_id, state);
  await replaceRewritten(
    db,
    receipts.flatMap(({ op_id, operation }) => (operation && isSettledIn(states, op_id) ? operation : [])),
  );
  return next.map(({ aggregate }) => aggregate);
}

const isSettledIn = (states: ReadonlyMap<string, OperationState>, opId: string): boolean => {
  const state = states.get(opId);
  return state !== undefined && isSettled(state);
};

/**
 * Replaces settled operations by those that the server has rewritten, because their patient was erased, and deletes the
 * receipts that they printed. Numbered documents stay. An operation that still waits is left as it was signed.
 */
async function replaceRewritten(db: ClinicDatabase, operations: readonly AnyOperation[]): Promise<void> {
  if (operations.length === 0) return;
  await db.operations.bulkPut(operations);
  const payments = operations.flatMap((operation) =>
    operation.kind === 'order.pay' ? operation.payload.payment_id : [],
  );
  await db.documents.where('id').anyOf(payments).delete();
}
