/**
 * The rules of an operation's mutable state. `sw/sync/outbox.ts` holds the transitions. Every writer of a status calls
 * `withStatus`, so that the outbox index (`queue_place`) always agrees with the status.
 */
import { Dexie } from 'dexie';
import { chainAggregate } from '../../domain/fiscal/operations.ts';
import type { AnyOperation } from '../../domain/protocol/operations.ts';
import type { ClinicDatabase, OperationState, OperationStatus } from './database.ts';

/** True while the server has not answered for the operation. */
export const isUnsent = ({ status }: OperationState): boolean =>
  status === 'pending' || status === 'sending' || status === 'retry';

/** True while the operation is replayed over the server's rows, because they do not contain its effect yet. */
export const isReplayed = (state: OperationState): boolean => isUnsent(state) || state.status === 'accepted';

/** True while the operation can be voided: the server has not answered for it, or has refused it. */
export const isOpen = (state: OperationState): boolean => isUnsent(state) || state.status === 'attention';

export const isSettled = ({ status }: OperationState): boolean => status === 'settled';

export function queuedState(operation: AnyOperation, position: number, nowMs: number): OperationState {
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

export function withStatus(
  state: OperationState,
  status: OperationStatus,
  nowMs: number,
  changes: Partial<Pick<OperationState, 'attempts' | 'next_at' | 'last_error' | 'superseded_by' | 'voided_at'>> = {},
): OperationState {
  const { queue_place: _left, ...rest } = state;
  const next: OperationState = { ...rest, ...changes, status, changed_at: nowMs };
  return isUnsent(next) ? { ...next, queue_place: state.position } : next;
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
export function withStatusOf(db: ClinicDatabase, status: OperationStatus) {
  return db.operation_states.where('[status+changed_at]').between([status, Dexie.minKey], [status, Dexie.maxKey]);
}
