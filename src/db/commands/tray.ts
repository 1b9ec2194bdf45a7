/** What a person may do about an operation that the server refused (SYNC-7). */
import { accept, refuse } from '../../../domain/result.ts';
import type { Result } from '../../../domain/result.ts';
import { withStatus } from '../operation-state.ts';
import { captureBases, rebaseAggregates } from '../rebase.ts';
import { commit } from '../write.ts';
import type { WriteContext } from '../write.ts';

/**
 * Sends a refused operation again, as a new one that replaces it: the same facts at the same time, by the hand of whoever
 * retries, for that person's role is what it is judged by. What depends on the old one follows the chain.
 */
export function retryRefused(context: WriteContext, opId: string): Promise<Result<{ opId: string }>> {
  const { db } = context;
  return commit(context, [db.orders, db.order_bases, db.catalogue], async (write) => {
    const [operation, state] = await Promise.all([db.operations.get(opId), db.operation_states.get(opId)]);
    if (!operation || state?.status !== 'attention') return refuse('OPERATION_NOT_REFUSED');
    const replacement = write.appendReplacement(operation, state);
    await db.operation_states.put(withStatus(state, 'settled', write.nowMs, { superseded_by: replacement.op_id }));
    await write.flush();
    await captureBases(db, [operation.aggregate]);
    await rebaseAggregates(db, [operation.aggregate]);
    return accept({ opId: replacement.op_id });
  });
}
