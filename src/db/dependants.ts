/** Finds the operations that depend on an operation and that the server does not have (SYNC-7). */
import type { AnyOperation } from '#domain/protocol/operations.ts';
import type { ClinicDatabase, OperationState, OperationStatus } from './database.ts';
import { isOpen, statesOf } from './operation-state.ts';
import type { OpenStatus } from './operation-state.ts';

/** An operation with its state, which has one of the statuses. */
export interface OutboxEntry<S extends OperationStatus = OperationStatus> {
  operation: AnyOperation;
  state: OperationState<S>;
}

/**
 * Returns the dependants in the order of sending, without the operation itself. An operation depends only on earlier
 * operations of its own aggregate; a dependency on a replaced operation counts as one on the replacement.
 */
export async function dependantsOf(db: ClinicDatabase, opId: string): Promise<OutboxEntry<OpenStatus>[]> {
  const target = await db.operation_states.get(opId);
  if (!target) return [];
  const states = await statesOf(db, target.aggregate);
  const operations = await db.operations.bulkGet(states.map(({ op_id }) => op_id));
  const replacedBy = new Map(states.map(({ op_id, superseded_by }) => [op_id, superseded_by]));
  const latestOf = (id: string): string => {
    const next = replacedBy.get(id);
    return next ? latestOf(next) : id;
  };
  const affected = new Set([opId]);
  return states.flatMap((state, index) => {
    const operation = operations[index];
    if (!operation || affected.has(state.op_id) || !isOpen(state)) return [];
    if (!operation.depends_on.some((id) => affected.has(latestOf(id)))) return [];
    affected.add(state.op_id);
    return { operation, state };
  });
}
