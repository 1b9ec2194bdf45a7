/**
 * What becomes of operations in the outbox. `take.ts` chooses what goes next. Each function is one transaction, unless it
 * says that it needs the feed's.
 *
 *                    take                      applied              receipt in the feed
 *     pending ────────────────▶ sending ────────────────▶ accepted ─────────────────────▶ settled
 *        ▲                      │  ▲  │                                                      ▲
 *        │ a new epoch          │  │  └─refused─▶ attention ──replaced or voided─────────────┘
 *        │ (from settled,       ▼  │ take, once due
 *        └──  accepted)        retry        waiting, no answer, rejected, put back
 */
import type { OperationResult, ReceiptResource } from '../../domain/protocol/sync.ts';
import type { ClinicDatabase, OperationState, OperationStatus } from '../../src/db/database.ts';
import { isReplayed, isSettled, withStatus, withStatusOf } from '../../src/db/operation-state.ts';
import { captureBases, rebaseAggregates } from '../../src/db/rebase.ts';
import { backoffMs, longBackoffMs } from './backoff.ts';
import type { LastError } from './classify.ts';
import type { Random } from './ports.ts';

/**
 * Takes down what the server said of each operation. What a receipt in the feed has overtaken is left as it is. Needs a
 * transaction over the outbox and all that `rebaseAggregates` names.
 */
export async function recordResults(
  db: ClinicDatabase,
  results: readonly OperationResult[],
  { nowMs, random }: { nowMs: number; random: Random },
): Promise<void> {
  const sending = await statesById(withStatusOf(db, 'sending'));
  const next = results.flatMap((result) => {
    const state = sending.get(result.op_id);
    return state ? afterResult(state, result, nowMs, random) : [];
  });
  await db.operation_states.bulkPut(next);
  await rebaseAggregates(
    db,
    next.filter(({ status }) => status === 'attention').map(({ aggregate }) => aggregate),
  );
}

/** One request to the storage, where asking for each by its id would be hundreds. */
async function statesById(those: ReturnType<typeof withStatusOf>): Promise<Map<string, OperationState>> {
  return new Map((await those.toArray()).map((state) => [state.op_id, state]));
}

function afterResult(
  state: OperationState,
  { status, reply }: OperationResult,
  nowMs: number,
  random: Random,
): OperationState {
  if (status === 'applied') return withStatus(state, 'accepted', nowMs, { last_error: null });
  const last_error = reply.success ? null : lastErrorOf(reply);
  if (last_error?.code === 'UNKNOWN_VERSION') {
    return withStatus(state, 'retry', nowMs, { last_error, next_at: nowMs + longBackoffMs(random) });
  }
  return status === 'refused'
    ? withStatus(state, 'attention', nowMs, { last_error })
    : withStatus(state, 'retry', nowMs, { last_error, next_at: nowMs + backoffMs(state.attempts, random) });
}

function lastErrorOf({ code, message, details }: Exclude<OperationResult['reply'], { success: true }>): LastError {
  return { code, message, ...(details !== undefined && { details: details as Record<string, string | number> }) };
}

export interface Release {
  nextAt: (attempts: number) => number;
  error?: LastError;
}

/** Changes the states that have a status; what `next` leaves out stays as it is. */
function change(
  db: ClinicDatabase,
  status: OperationStatus,
  next: (state: OperationState) => OperationState | [],
): Promise<void> {
  return db.transaction('rw', db.operation_states, async () => {
    await db.operation_states.bulkPut((await withStatusOf(db, status).toArray()).flatMap(next));
  });
}

/** Nobody said anything about these operations: they wait and go again under the same ids. */
export function release(
  db: ClinicDatabase,
  opIds: readonly string[],
  nowMs: number,
  { nextAt, error }: Release,
): Promise<void> {
  return change(db, 'sending', (state) =>
    opIds.includes(state.op_id)
      ? withStatus(state, 'retry', nowMs, { next_at: nextAt(state.attempts), ...(error && { last_error: error }) })
      : [],
  );
}

/** What a worker that died was sending goes again: whether it arrived is unknown, and its id makes that harmless (SYNC-6). */
export function recoverSending(db: ClinicDatabase, nowMs: number): Promise<void> {
  return change(db, 'sending', (state) => withStatus(state, 'retry', nowMs, { next_at: nowMs }));
}

/** Whose wait is over, by what began it. */
const isOver = {
  /** The network is back: what waited for it is due, and what the server itself put off is not. */
  unreached: (code) => code === 'NETWORK',
  /** A newer app has taken over: what the old one could not make the server understand is due. */
  outdated: (code) => code === 'UNKNOWN_VERSION',
  /** A person asks: all is due but what asking does not help, because it is held for an update or for another operation. */
  asked: (code) => code !== 'UNKNOWN_VERSION' && code !== 'DEPENDENCY_PENDING',
} satisfies Record<string, (code: LastError['code'] | undefined) => boolean>;

export type Waking = keyof typeof isOver;

/** Makes due what waits in vain. */
export function wake(db: ClinicDatabase, whose: Waking, nowMs: number): Promise<void> {
  return change(db, 'retry', (state) =>
    state.next_at > nowMs && isOver[whose](state.last_error?.code) ? { ...state, next_at: nowMs } : [],
  );
}

/**
 * The server may have lost what it once confirmed (SYNC-16): all that this device still knows, except what a replacement
 * stands for, goes again under the same ids. Needs the transaction of the feed.
 *
 * @param received the operations whose receipts the server still has
 * @returns the aggregates of what goes again
 */
export async function requeueConfirmed(
  db: ClinicDatabase,
  received: ReadonlySet<string>,
  nowMs: number,
): Promise<string[]> {
  const [accepted, settled] = await Promise.all([
    withStatusOf(db, 'accepted').toArray(),
    withStatusOf(db, 'settled')
      .filter(({ superseded_by }) => superseded_by === null)
      .toArray(),
  ]);
  const lost = [...accepted, ...settled].filter(({ op_id }) => !received.has(op_id));
  const aggregates = lost.map(({ aggregate }) => aggregate);
  await captureBases(db, aggregates);
  await db.operation_states.bulkPut(
    lost.map((state) => withStatus(state, 'pending', nowMs, { attempts: 0, next_at: 0 })),
  );
  return aggregates;
}

/**
 * Receipts end an operation's replay, whatever this device had heard before: the answer may have been lost, or may come
 * later (SYNC-9). Needs the transaction of the feed.
 *
 * @returns the aggregates to rebase
 */
export async function settle(
  db: ClinicDatabase,
  receipts: readonly ReceiptResource[],
  nowMs: number,
): Promise<string[]> {
  const states = await statesById(withStatusOf(db, 'accepted'));
  const others = receipts.flatMap(({ op_id }) => (states.has(op_id) ? [] : op_id));
  for (const state of await db.operation_states.bulkGet(others)) if (state) states.set(state.op_id, state);
  const next = receipts.flatMap(({ op_id, status, code, message, details, superseded_by }) => {
    const state = states.get(op_id);
    if (!state || isSettled(state)) return [];
    if (status === 'applied') return withStatus(state, 'settled', nowMs, { last_error: null });
    // What this device replaced is settled since; so this one was given up elsewhere.
    if (superseded_by) return withStatus(state, 'settled', nowMs, { superseded_by, voided_at: nowMs });
    const last_error = { code: code ?? 'INTERNAL', message: message ?? '', ...(details && { details }) } as const;
    return isReplayed(state) ? withStatus(state, 'attention', nowMs, { last_error }) : [];
  });
  await db.operation_states.bulkPut(next);
  return next.map(({ aggregate }) => aggregate);
}
