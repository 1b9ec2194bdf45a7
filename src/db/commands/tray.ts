/**
 * Resends, corrects or voids an operation that the server refused (SYNC-7). Each command appends a new operation that
 * replaces the refused one; operations are never rewritten or deleted.
 */
import { minReasonLength } from '#domain/reason.ts';
import { isVoid, isVoidable, summarizeOperation } from '#domain/protocol/operations.ts';
import type { AnyOperation, OperationKind, VoidPayload } from '#domain/protocol/operations.ts';
import { maxMinor, textLimits } from '#domain/limits.ts';
import { minorToWire } from '#domain/money.ts';
import { accept, refuse } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';
import type { ClinicDatabase, OperationState } from '../database.ts';
import { dependantsOf } from '../dependants.ts';
import type { OutboxEntry } from '../dependants.ts';
import { transition } from '../operation-state.ts';
import type { OpenStatus } from '../operation-state.ts';
import { captureBases, rebaseAggregates, rebasedTables } from '../rebase.ts';
import { commit } from '../write.ts';
import type { Write, WriteContext } from '../write.ts';
import { storableText } from './storable-text.ts';

/**
 * Sends a refused operation again, with its payload and time. The actor becomes the current user, whose role authorises the
 * replacement. Operations that depend on the refused one now depend on the replacement.
 */
export function retryRefused(context: WriteContext, opId: string): Promise<Result<{ opId: string }>> {
  return replaceRefused(context, opId, (operation) => operation);
}

/** Sends a refused operation again with a corrected payload. */
export function correctRefused<K extends OperationKind>(
  context: WriteContext,
  { opId, payload }: { opId: string; payload: Extract<AnyOperation, { kind: K }>['payload'] },
): Promise<Result<{ opId: string }>> {
  return replaceRefused(context, opId, (operation) => ({ ...operation, payload }) as AnyOperation);
}

function replaceRefused(
  context: WriteContext,
  opId: string,
  change: (operation: AnyOperation) => AnyOperation,
): Promise<Result<{ opId: string }>> {
  const { db } = context;
  return commit(context, rebasedTables(db), async (write) => {
    const refused = await refusedEntry(db, opId);
    if (!refused) return refuse('OPERATION_NOT_REFUSED');
    const { operation, state } = refused;
    if (isAlreadyReplaced(state)) return refuse('SUPERSEDES_APPLIED');
    const replacement = write.appendReplacement(change(operation), state);
    await db.operation_states.put(transition(state, 'replace', write.nowMs, { superseded_by: replacement.op_id }));
    await refreshView(write, operation.aggregate);
    return accept({ opId: replacement.op_id });
  });
}

const finalRefusals: readonly (string | undefined)[] = ['SUPERSEDES_APPLIED', 'SUPERSEDED', 'REPLACED_TOO_OFTEN'];

/** True when the server takes no further replacement of the operation: sending it again could count it twice. */
export const isAlreadyReplaced = ({ last_error }: OperationState): boolean => finalRefusals.includes(last_error?.code);

/**
 * Voids a refused operation and every operation that depends on it and has not reached the server, each by a void of its own.
 * The caller ensures that a manager acts, and the server checks the role again.
 */
export function voidRefused(
  context: WriteContext,
  { opId, reason }: { opId: string; reason: string },
): Promise<Result<{ opIds: string[] }>> {
  const { db } = context;
  return commit(context, rebasedTables(db), async (write) => {
    const refused = await refusedEntry(db, opId);
    if (!refused) return refuse('OPERATION_NOT_REFUSED');
    if (!isVoidable(refused.operation.kind)) return refuse('NOT_VOIDABLE');
    const stored = checkedReason(reason);
    if (stored === null) return refuse('VALIDATION', { reason: minReasonLength });
    const entries = [refused, ...(await dependantsOf(db, opId))];
    for (const { operation, state } of entries) await voidOne(write, { operation, state, reason: stored });
    await refreshView(write, refused.operation.aggregate);
    return accept({ opIds: entries.map(({ operation }) => operation.op_id) });
  });
}

async function voidOne(
  write: Write,
  { operation, state, reason }: OutboxEntry<OpenStatus> & { reason: string },
): Promise<void> {
  const replacement = write.append({
    kind: 'operation.void',
    aggregate: operation.aggregate,
    dependsOn: [],
    supersedes: { opId: operation.op_id, position: state.position },
    payload: { op_id: operation.op_id, reason, ...voidedSummary(operation) },
  });
  await write.db.operation_states.put(
    transition(state, 'replace', write.nowMs, { superseded_by: replacement.op_id, voided_at: write.nowMs }),
  );
}

export interface RemoteRefusal {
  opId: string;
  aggregate: string;
  reason: string;
}

/** Voids a refused operation of another device, which may be lost. That device learns of it from the feed. */
export function voidRemote(
  context: WriteContext,
  { opId, aggregate, reason }: RemoteRefusal,
): Promise<Result<{ opIds: string[] }>> {
  const { db } = context;
  return commit(context, rebasedTables(db), async (write) => {
    const stored = checkedReason(reason);
    if (stored === null) return refuse('VALIDATION', { reason: minReasonLength });
    const payload = { op_id: opId, reason: stored };
    write.append({ kind: 'operation.void', aggregate, payload, dependsOn: [], supersedes: { opId } });
    await refreshView(write, aggregate);
    return accept({ opIds: [opId] });
  });
}

async function refusedEntry(db: ClinicDatabase, opId: string): Promise<OutboxEntry<'attention'> | null> {
  const [operation, state] = await Promise.all([db.operations.get(opId), db.operation_states.get(opId)]);
  return operation && state?.status === 'attention' ? { operation, state } : null;
}

const checkedReason = (reason: string): string | null => {
  const words = storableText(reason, textLimits.reason) ?? '';
  return words.length < minReasonLength ? null : words;
};

/** Describes the voided operation. Its payload may be malformed, so only values that the server accepts are taken over. */
function voidedSummary(operation: AnyOperation): Pick<VoidPayload, 'voided'> {
  if (isVoid(operation)) return {};
  const { number: named, amountMinor } = summarizeOperation(operation) as {
    number: unknown;
    amountMinor: number | null;
  };
  const number = typeof named === 'string' ? storableText(named, textLimits.number) : undefined;
  const isAmount = amountMinor !== null && Number.isFinite(amountMinor) && Math.abs(amountMinor) <= maxMinor;
  return {
    voided: {
      kind: operation.kind,
      ...(number !== undefined && { number }),
      ...(isAmount && { amount: minorToWire(Math.round(amountMinor)) }),
    },
  };
}

/** Rebases the shown row of the aggregate after the outbox changed. */
async function refreshView(write: Write, aggregate: string): Promise<void> {
  await write.flush();
  await captureBases(write.db, [aggregate]);
  await rebaseAggregates(write.db, [aggregate]);
}
