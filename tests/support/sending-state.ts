import type { OperationState } from '#src/db/database.ts';
import { isUnsent } from '#src/db/operation-state.ts';

/** Returns the state of an unsent operation as it is while the operation is on its way, so that each event of the outbox may follow. */
export function sendingState(state: OperationState | undefined): OperationState<'sending'> {
  if (!state || !isUnsent(state)) throw new Error('The operation is not unsent.');
  return { ...state, status: 'sending' };
}
