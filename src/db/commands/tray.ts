/**
 * What a person may do about an operation that the server refused: send it again, send it corrected, or give it up (SYNC-7).
 * Each is a new operation that takes the place of the old one; nothing is rewritten and nothing deleted.
 */
import { minReasonLength } from '../../../domain/reason.ts';
import { isVoid, summarizeOperation } from '../../../domain/protocol/operations.ts';
import type { AnyOperation, OperationKind, VoidPayload } from '../../../domain/protocol/operations.ts';
import { maxMinor, minorToWire } from '../../../domain/money.ts';
import { accept, refuse } from '../../../domain/result.ts';
import type { Result } from '../../../domain/result.ts';
import type { ClinicDatabase, OperationState } from '../database.ts';
import { dependantsOf } from '../dependants.ts';
import type { OutboxEntry } from '../dependants.ts';
import { withStatus } from '../operation-state.ts';
import { captureBases, rebaseAggregates } from '../rebase.ts';
import { commit } from '../write.ts';
import type { Write, WriteContext } from '../write.ts';
import { storableText, textLimits } from './storable-text.ts';

const trayTables = (db: ClinicDatabase) => [db.orders, db.order_bases, db.catalogue];

/**
 * Sends a refused operation again: the same facts at the same time, by the hand of whoever retries, for that person's role is
 * what it is judged by. What depends on the old one follows the chain.
 */
export function retryRefused(context: WriteContext, opId: string): Promise<Result<{ opId: string }>> {
  return replaceRefused(context, opId, (operation) => operation);
}

/** Sends a refused operation again with a payload that a person has put right. */
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
  return commit(context, trayTables(db), async (write) => {
    const refused = await refusedEntry(db, opId);
    if (!refused) return refuse('OPERATION_NOT_REFUSED');
    const { operation, state } = refused;
    if (isAlreadyReplaced(state)) return refuse('SUPERSEDES_APPLIED');
    const replacement = write.appendReplacement(change(operation), state);
    await db.operation_states.put(withStatus(state, 'settled', write.nowMs, { superseded_by: replacement.op_id }));
    await showAnew(write, operation.aggregate);
    return accept({ opId: replacement.op_id });
  });
}

/** Another operation stands for it at the server already: the same facts once more would count twice. */
export const isAlreadyReplaced = ({ last_error }: OperationState): boolean =>
  last_error?.code === 'SUPERSEDES_APPLIED' || last_error?.code === 'SUPERSEDED';

/**
 * Gives up a refused operation, and with it all that builds on it and has not reached the server, each by a void of its own.
 * Whoever calls has made sure that a manager acts; the server does so again.
 */
export function voidRefused(
  context: WriteContext,
  { opId, reason }: { opId: string; reason: string },
): Promise<Result<{ opIds: string[] }>> {
  const { db } = context;
  return commit(context, trayTables(db), async (write) => {
    const refused = await refusedEntry(db, opId);
    if (!refused) return refuse('OPERATION_NOT_REFUSED');
    const words = reasonOf(reason);
    if (words === null) return refuse('VALIDATION', { reason: minReasonLength });
    const entries = [refused, ...(await dependantsOf(db, opId))];
    for (const { operation, state } of entries) await voidOne(write, { operation, state, reason: words });
    await showAnew(write, refused.operation.aggregate);
    return accept({ opIds: entries.map(({ operation }) => operation.op_id) });
  });
}

async function voidOne(write: Write, { operation, state, reason }: OutboxEntry & { reason: string }): Promise<void> {
  const act = write.append({
    kind: 'operation.void',
    aggregate: operation.aggregate,
    dependsOn: [],
    supersedes: { opId: operation.op_id, position: state.position },
    payload: { op_id: operation.op_id, reason, ...voidedFacts(operation) },
  });
  await write.db.operation_states.put(
    withStatus(state, 'settled', write.nowMs, { superseded_by: act.op_id, voided_at: write.nowMs }),
  );
}

export interface RemoteRefusal {
  opId: string;
  aggregate: string;
  reason: string;
}

/** Gives up what the server refused of another device, which may be lost; that device hears of it in its feed. */
export function voidRemote(
  context: WriteContext,
  { opId, aggregate, reason }: RemoteRefusal,
): Promise<Result<{ opIds: string[] }>> {
  const { db } = context;
  return commit(context, trayTables(db), async (write) => {
    const words = reasonOf(reason);
    if (words === null) return refuse('VALIDATION', { reason: minReasonLength });
    const payload = { op_id: opId, reason: words };
    write.append({ kind: 'operation.void', aggregate, payload, dependsOn: [], supersedes: { opId } });
    await showAnew(write, aggregate);
    return accept({ opIds: [opId] });
  });
}

async function refusedEntry(db: ClinicDatabase, opId: string): Promise<OutboxEntry | null> {
  const [operation, state] = await Promise.all([db.operations.get(opId), db.operation_states.get(opId)]);
  return operation && state?.status === 'attention' ? { operation, state } : null;
}

const reasonOf = (reason: string): string | null => {
  const words = storableText(reason, textLimits.reason) ?? '';
  return words.length < minReasonLength ? null : words;
};

/** The server refuses what it cannot read, and a void must not fail for the very fault that it does away with. */
function voidedFacts(operation: AnyOperation): Pick<VoidPayload, 'voided'> {
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

/** Shows the treatment or the item as it now stands: the outbox has changed under it. */
async function showAnew(write: Write, aggregate: string): Promise<void> {
  await write.flush();
  await captureBases(write.db, [aggregate]);
  await rebaseAggregates(write.db, [aggregate]);
}
