/** One REST write as an operation: the same locks, the same receipts, the same rules as for a device's batch. */
import type { AnyOperation, OperationKind } from '../../../domain/protocol/operations.ts';
import { serverDeviceCode } from '../../../domain/order/numbers.ts';
import type { Result } from '../../../domain/result.ts';
import type { Session } from '../users/service.ts';
import { isoOf, rowsOf } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { fingerprintOf, loadReceipts } from './receipts.ts';
import { applyOperations } from './apply.ts';
import type { Outcome } from './apply.ts';
import { clinicFacts, lockAggregates } from './store.ts';

export { publishChange } from './pokes.ts';

/** What completing a request may look at. */
export interface RequestScope {
  clinicId: number;
  receivedAtMs: number;
  currency: string;
  actorId: number;
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
  const { timeZone, currency } = await clinicFacts(sql, clinicId);
  const isRepetition = (await loadReceipts(sql, clinicId, [opId])).has(opId);
  const completed = isRepetition ? null : await write.complete(sql, { clinicId, receivedAtMs, currency, actorId: userId, newId });
  const operation = {
    op_id: opId,
    device_id: session.deviceId ?? (await serverDevice(sql, clinicId)),
    device_seq: 0,
    aggregate,
    depends_on: [],
    kind,
    v: 1,
    payload: completed?.ok ? completed.value : write.body,
    actor_id: userId,
    occurred_at: isoOf(receivedAtMs),
    clock_offset_ms: null,
  } as unknown as AnyOperation;
  const malformed = completed && !completed.ok ? { malformed: completed.refusal } : {};
  const [outcome] = await applyOperations(sql, { clinicId, uploadedBy: userId, receivedAtMs, timeZone }, [
    { source: 'request', operation, fingerprint: fingerprintOf(kind, write.body), ...malformed },
  ]);
  return outcome!;
}

/** The device that stands for the server itself in numbers and receipts. */
async function serverDevice(sql: Sql, clinicId: number): Promise<number> {
  const [row] = await rowsOf<{ device_id: number }>(
    sql,
    'server device',
    `select device_id from device_codes where clinic_id = $1 and code = '${serverDeviceCode}'`,
    [clinicId],
  );
  return row!.device_id;
}
