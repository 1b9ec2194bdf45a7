/** What falls with an operation: all that builds on it and that the server does not have (SYNC-7). */
import type { AnyOperation } from '../../domain/protocol/operations.ts';
import type { ClinicDatabase, OperationState } from './database.ts';
import { isOpen, statesOf } from './operation-state.ts';

/** An operation and where it stands. */
export interface OutboxEntry {
  operation: AnyOperation;
  state: OperationState;
}

/**
 * In the order of sending, without the operation itself. An operation builds only on others of its own treatment, each in a
 * place after theirs; one that names a replaced operation builds on the replacement.
 */
export async function dependantsOf(db: ClinicDatabase, opId: string): Promise<OutboxEntry[]> {
  const target = await db.operation_states.get(opId);
  if (!target) return [];
  const states = await statesOf(db, target.aggregate);
  const operations = await db.operations.bulkGet(states.map(({ op_id }) => op_id));
  const replacedBy = new Map(states.map(({ op_id, superseded_by }) => [op_id, superseded_by]));
  const standsFor = (id: string): string => {
    const next = replacedBy.get(id);
    return next ? standsFor(next) : id;
  };
  const fallen = new Set([opId]);
  return states.flatMap((state, index) => {
    const operation = operations[index];
    if (!operation || fallen.has(state.op_id) || !isOpen(state)) return [];
    if (!operation.depends_on.some((id) => fallen.has(standsFor(id)))) return [];
    fallen.add(state.op_id);
    return { operation, state };
  });
}
