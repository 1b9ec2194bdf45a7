/**
 * The rules of an operation's mutable state. Every writer of a status calls `transition`, so that no status changes in another
 * way and the outbox index (`queue_place`) always agrees with the status.
 */
import { Dexie } from 'dexie';
import type { Collection } from 'dexie';
import { chainAggregate } from '#domain/fiscal/operations.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import type { ClinicDatabase, OperationState, OperationStatus } from './database.ts';

export type UnsentStatus = 'pending' | 'sending' | 'retry';
export type OpenStatus = UnsentStatus | 'attention';

/** True while the server has not answered for the operation. */
export const isUnsent = (state: OperationState): state is OperationState<UnsentStatus> =>
  state.status === 'pending' || state.status === 'sending' || state.status === 'retry';

/** True while the operation is replayed over the server's rows, because they do not contain its effect yet. */
export const isReplayed = (state: OperationState): state is OperationState<UnsentStatus | 'accepted'> =>
  isUnsent(state) || state.status === 'accepted';

/** True while the operation can be voided: the server has not answered for it, or has refused it. */
export const isOpen = (state: OperationState): state is OperationState<OpenStatus> =>
  isUnsent(state) || state.status === 'attention';

export const isSettled = (state: OperationState): state is OperationState<'settled'> => state.status === 'settled';

/**
 * The state machine of an operation: the statuses that an event may meet, and the status it leads to.
 *
 *                  select                       accept                 settle
 *     pending ────────────────▶ sending ────────────────▶ accepted ────────────────▶ settled
 *        ▲                      │  ▲  │                                                 ▲
 *        │ requeue              │  │  └─refuse──▶ attention ──replace───────────────────┘
 *        │ (from settled,       ▼  │ select, once due
 *        └──  accepted)        retry        postpone: no reply, a wait, put back
 *
 * A receipt in the feed may arrive before the reply, so it settles or refuses an operation of any status but the last.
 */
const transitions = {
  select: { from: ['pending', 'retry'], to: 'sending' },
  postpone: { from: ['sending'], to: 'retry' },
  accept: { from: ['sending'], to: 'accepted' },
  refuse: { from: ['pending', 'sending', 'retry', 'accepted'], to: 'attention' },
  settle: { from: ['pending', 'sending', 'retry', 'accepted', 'attention'], to: 'settled' },
  replace: { from: ['pending', 'sending', 'retry', 'accepted', 'attention'], to: 'settled' },
  requeue: { from: ['accepted', 'settled'], to: 'pending' },
} as const satisfies Record<string, { from: readonly OperationStatus[]; to: OperationStatus }>;

type OperationEvent = keyof typeof transitions;
type StatusBefore<E extends OperationEvent> = (typeof transitions)[E]['from'][number];

/** Returns the state after an event. The types refuse an event that the status does not take. */
export function transition<E extends OperationEvent>(
  state: OperationState<StatusBefore<E>>,
  event: E,
  nowMs: number,
  changes: Partial<Pick<OperationState, 'attempts' | 'next_at' | 'last_error' | 'superseded_by' | 'voided_at'>> = {},
): OperationState {
  const { queue_place: _left, ...rest }: OperationState = state;
  const next: OperationState = { ...rest, ...changes, status: transitions[event].to, changed_at: nowMs };
  return isUnsent(next) ? { ...next, queue_place: state.position } : next;
}

export function queuedState(operation: AnyOperation, position: number, nowMs: number): OperationState<'pending'> {
  return {
    op_id: operation.op_id,
    device_seq: operation.device_seq,
    aggregate: operation.aggregate,
    position,
    queue_place: position,
    superseded_by: null,
    status: 'pending',
    attempts: 0,
    next_at: 0,
    last_error: null,
    changed_at: nowMs,
  };
}

/** Returns the states of an aggregate's operations that this device still has, in the order of replay. */
export function statesOf(db: ClinicDatabase, aggregate: string): Promise<OperationState[]> {
  return db.operation_states
    .where('[aggregate+position]')
    .between([aggregate, Dexie.minKey], [aggregate, Dexie.maxKey])
    .toArray();
}

const chains = chainAggregate('');

export const isChain = (aggregate: string): boolean => aggregate.startsWith(chains);

/** Returns the states of the fiscal records that this device still has. */
export const chainStates = (db: ClinicDatabase) =>
  db.operation_states.where('[aggregate+position]').between([chains, Dexie.minKey], [`${chains}\uffff`, Dexie.minKey]);

/** The operations of the aggregates between the first and the last one are read in vain: few, if they were made one after another. */
const statesPerAggregate = 8;

/** Returns the states of the operations of all these aggregates, each aggregate's in the order of replay. */
export async function statesOfAll(db: ClinicDatabase, aggregates: readonly string[]): Promise<OperationState[]> {
  const sorted = [...new Set(aggregates)].sort();
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (first === undefined || last === undefined) return [];
  const limit = sorted.length * statesPerAggregate;
  const read = await db.operation_states
    .where('[aggregate+position]')
    .between([first, Dexie.minKey], [last, Dexie.maxKey])
    .limit(limit)
    .toArray();
  // The last aggregate of a read that was cut off may lack some.
  const cutAt = read.length < limit ? null : read.at(-1)!.aggregate;
  const isRead = (aggregate: string): boolean => cutAt === null || aggregate < cutAt;
  const wanted = new Set(sorted);
  const others = await Promise.all(
    sorted.filter((aggregate) => !isRead(aggregate)).map((aggregate) => statesOf(db, aggregate)),
  );
  return [...read.filter(({ aggregate }) => wanted.has(aggregate) && isRead(aggregate)), ...others.flat()];
}

/** Returns the operations with a status, oldest change first. */
export function withStatus<S extends OperationStatus>(db: ClinicDatabase, status: S) {
  const found = db.operation_states
    .where('[status+changed_at]')
    .between([status, Dexie.minKey], [status, Dexie.maxKey]);
  return found as unknown as Collection<OperationState<S>, string>;
}
