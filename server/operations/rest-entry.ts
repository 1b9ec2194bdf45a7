/** One REST write as an operation: the same locks, the same receipts, the same rules as for a device's batch. */
import type { AnyOperation, OperationKind } from '../../domain/protocol/operations.ts';
import type { Result } from '../../domain/result.ts';
import type { Role } from '../../domain/staff/roles.ts';
import type { Session } from '../context.ts';
import { isoOf } from '../db/sql.ts';
import type { Sql } from '../db/sql.ts';
import { fingerprintOf, loadReceipts } from './receipts.ts';
import { applyOperations } from './apply.ts';
import type { Outcome } from './outcome.ts';
import { clinicFacts, lockAggregates, serverDevice } from './store.ts';

export { applyOnce } from './idempotent-write.ts';
export { publishChange } from '../events/pokes.ts';
export { lockAggregates } from './store.ts';

/** What completing a request may look at. */
export interface RequestScope {
  clinicId: number;
  receivedAtMs: number;
  currency: string;
  discountLimitPercent: number;
  actorId: number;
  role: Role;
  newId: () => string;
}

export interface RestWrite {
  session: Session;
  receivedAtMs: number;
  newId: () => string;
  opId: string;
  kind: OperationKind;
  aggregate: string;
  /** As sent: what a repetition under the same key must equal. */
  body: unknown;
  /** Turns the body into a payload, or refuses. Runs under the aggregate's lock, and not at all for a repetition. */
  complete: (sql: Sql, scope: RequestScope) => Promise<Result<AnyOperation['payload']>>;
}

/** Applies one REST write inside the caller's transaction. A refusal is stored like a success: a repetition gets it again. */
export async function applyRequest(sql: Sql, write: RestWrite): Promise<Outcome> {
  const { session, receivedAtMs, opId, kind, aggregate, newId } = write;
  const { clinicId, userId } = session;
  await lockAggregates(sql, clinicId, [aggregate]);
  const { timeZone, currency, discountLimitPercent } = await clinicFacts(sql, clinicId);
  const isRepetition = (await loadReceipts(sql, clinicId, [opId])).has(opId);
  const completed = isRepetition
    ? null
    : await write.complete(sql, {
        clinicId,
        receivedAtMs,
        currency,
        discountLimitPercent,
        actorId: userId,
        role: session.role,
        newId,
      });
  const payload = completed?.ok ? completed.value : write.body;
  const operation = requestedOperation(write, {
    opId,
    kind,
    aggregate,
    payload,
    deviceId: await sessionDevice(sql, session),
  });
  const malformed = completed && !completed.ok ? { malformed: completed.refusal } : {};
  const [outcome] = await applyOperations(
    sql,
    { clinicId, uploadedBy: userId, receivedAtMs, timeZone, discountLimitPercent },
    [{ source: 'request', operation, fingerprint: fingerprintOf(kind, write.body), ...malformed }],
  );
  return outcome!;
}

/**
 * Applies the operations of one REST call that asks for all or nothing, inside the caller's transaction. The caller has judged
 * that none of them will be refused.
 *
 * @throws when one is refused all the same, so that the transaction is undone
 */
export async function applyTogether(
  sql: Sql,
  call: Pick<RestWrite, 'session' | 'receivedAtMs' | 'newId'>,
  wanted: readonly Pick<AnyOperation, 'kind' | 'aggregate' | 'payload'>[],
): Promise<void> {
  const { session, receivedAtMs, newId } = call;
  const { clinicId, userId } = session;
  const { timeZone, discountLimitPercent } = await clinicFacts(sql, clinicId);
  const deviceId = await sessionDevice(sql, session);
  const incoming = wanted.map(({ kind, aggregate, payload }) => ({
    source: 'request' as const,
    operation: requestedOperation(call, { opId: newId(), kind, aggregate, payload, deviceId }),
    fingerprint: fingerprintOf(kind, payload),
  }));
  const outcomes = await applyOperations(
    sql,
    { clinicId, uploadedBy: userId, receivedAtMs, timeZone, discountLimitPercent },
    incoming,
  );
  const failed = outcomes.find(({ status }) => status !== 'applied');
  if (failed) throw new Error(`An operation that was judged before was refused: ${failed.reply}`);
}

/** A REST call in the form in which a device would have queued it. */
function requestedOperation(
  { session, receivedAtMs }: Pick<RestWrite, 'session' | 'receivedAtMs'>,
  {
    opId,
    kind,
    aggregate,
    payload,
    deviceId,
  }: { opId: string; kind: OperationKind; aggregate: string; payload: unknown; deviceId: number },
): AnyOperation {
  return {
    op_id: opId,
    device_id: deviceId,
    device_seq: 0,
    aggregate,
    depends_on: [],
    kind,
    v: 1,
    payload,
    actor_id: session.userId,
    occurred_at: isoOf(receivedAtMs),
    clock_offset_ms: null,
  } as unknown as AnyOperation;
}

/** Whoever has no device works in the name of the server's own. */
export const sessionDevice = async (sql: Sql, { clinicId, deviceId }: Session): Promise<number> =>
  deviceId ?? serverDevice(sql, clinicId);
