/** The work of a revoked device, which takes effect when a manager approves it. */
import type { AnyOperation } from '#domain/protocol/operations.ts';
import { accept, refuse } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';
import type { WriteContext } from '../context.ts';
import { applyOperations } from './apply.ts';
import { fingerprintOf, hasEarlierRefusal, loadRefused } from './receipts.ts';
import type { OperationRegistry } from './registry.ts';
import type { Outcome } from './reply.ts';
import { loadClinic, lockAggregates } from './store.ts';

/**
 * Applies the stored operation under a new id, as a replacement of the refused one. Its actor, device and time stay.
 * Refuses when it is not refused any more, and while an earlier operation on the same aggregate waits for approval.
 */
export async function approveOperation(
  registry: OperationRegistry,
  { sql, clinicId, userId, atMs, newId }: WriteContext,
  { opId, aggregate }: { opId: string; aggregate: string },
): Promise<Result<Outcome>> {
  await lockAggregates(sql, clinicId, [aggregate]);
  const refusedOperation = await loadRefused(sql, clinicId, opId);
  if (!refusedOperation) return refuse('SUPERSEDES_APPLIED');
  if (await hasEarlierRefusal(sql, clinicId, refusedOperation)) return refuse('DEPENDENCY_PENDING');
  const operation = { ...refusedOperation, op_id: newId(), depends_on: [], supersedes: opId } as AnyOperation;
  const { settings, firstDayMs } = await loadClinic(sql, clinicId);
  const [outcome] = await applyOperations(
    sql,
    registry,
    { clinicId, uploadedBy: userId, receivedAtMs: atMs, settings, firstDayMs },
    [
      {
        source: 'device',
        operation,
        fingerprint: fingerprintOf(operation.kind, operation.payload),
        isProven: true,
        isAdmitted: true,
      },
    ],
  );
  return accept(outcome!);
}
