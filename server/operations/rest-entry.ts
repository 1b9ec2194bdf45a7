/** A REST write as an operation: the same locks, receipts and rules as for a device's batch. */
import type { AnyOperation, OperationKind } from '#domain/protocol/operations.ts';
import type { Refusal, Result } from '#domain/result.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import { isoOf } from '#domain/instant.ts';
import type { WriteContext } from '../context.ts';
import { applyOperations } from './apply.ts';
import { fingerprintOf, loadReceipts } from './receipts.ts';
import type { OperationRegistry } from './registry.ts';
import type { Outcome } from './reply.ts';
import { RefusedError } from '../http/refusals.ts';
import type { ErrorBody } from '../http/refusals.ts';
import { deviceOf, loadClinic, lockAggregates } from './store.ts';

export interface OperationRequest {
  opId: string;
  /** False when the request has no idempotency key, so that nobody can repeat it. */
  isKeyed: boolean;
  kind: OperationKind;
  aggregate: string;
  /** The body as sent. A repetition under the same key must equal it. */
  body: unknown;
  /** Turns the body into a payload, or refuses. Runs under the aggregate's lock, and not for a repetition. */
  complete: (context: WriteContext, settings: ClinicSettings) => Promise<Result<AnyOperation['payload']>>;
}

/**
 * Applies one operation inside the caller's transaction. A refusal is stored like a success: a repetition gets it
 * again. Without a key there is none, and a refusal leaves nothing.
 */
export async function applyRequest(
  registry: OperationRegistry,
  context: WriteContext,
  { opId, isKeyed, kind, aggregate, body, complete }: OperationRequest,
): Promise<Outcome> {
  const { sql, clinicId, userId, atMs } = context;
  await lockAggregates(sql, clinicId, [aggregate]);
  const { settings, firstDayMs } = await loadClinic(sql, clinicId);
  const isRepetition = (await loadReceipts(sql, clinicId, [opId])).has(opId);
  const completed = isRepetition ? null : await complete(context, settings);
  const payload = completed?.ok ? completed.value : body;
  const malformed = completed && !completed.ok ? { malformed: completed.refusal } : {};
  const deviceId = await deviceOf(sql, context);
  const operation = operationOf(context, deviceId, { op_id: opId, kind, aggregate, payload });
  const [outcome] = await applyOperations(
    sql,
    registry,
    { clinicId, uploadedBy: userId, receivedAtMs: atMs, settings, firstDayMs },
    [{ source: 'request', operation, fingerprint: fingerprintOf(kind, body), isUnrepeatable: !isKeyed, ...malformed }],
  );
  return outcome!;
}

/**
 * Applies several operations of one REST call, all or none, inside the caller's transaction. The caller has decided them; the
 * bounds of a treatment may refuse one all the same.
 *
 * @throws RefusedError then, so that the transaction is undone
 */
export async function applyTogether(
  registry: OperationRegistry,
  context: WriteContext,
  wanted: readonly Pick<AnyOperation, 'kind' | 'aggregate' | 'payload'>[],
): Promise<void> {
  const { sql, clinicId, userId, atMs, newId } = context;
  const { settings, firstDayMs } = await loadClinic(sql, clinicId);
  const deviceId = await deviceOf(sql, context);
  const incoming = wanted.map((operation) => ({
    source: 'request' as const,
    operation: operationOf(context, deviceId, { op_id: newId(), ...operation }),
    fingerprint: fingerprintOf(operation.kind, operation.payload),
  }));
  const outcomes = await applyOperations(
    sql,
    registry,
    { clinicId, uploadedBy: userId, receivedAtMs: atMs, settings, firstDayMs },
    incoming,
  );
  const failed = outcomes.find(({ status }) => status !== 'applied');
  if (failed) throw new RefusedError(refusalOf(failed));
}

function refusalOf({ reply }: Outcome): Refusal {
  const { code, details } = JSON.parse(reply) as ErrorBody;
  return { code, ...(details && { details }) };
}

/** Returns a REST call in the form in which a device would have queued it. */
function operationOf(
  { userId, atMs }: WriteContext,
  deviceId: number,
  operation: { op_id: string; kind: OperationKind; aggregate: string; payload: unknown },
): AnyOperation {
  return {
    ...operation,
    device_id: deviceId,
    device_seq: 0,
    depends_on: [],
    v: 1,
    actor_id: userId,
    occurred_at: isoOf(atMs),
    clock_offset_ms: null,
  } as unknown as AnyOperation;
}
