/**
 * A REST write that is no operation of a device — an order of supplies, their receipt — under an idempotency key: it takes
 * effect once, and whoever repeats it gets the stored reply (SYNC-4). Its receipt stands among those of operations, in the
 * server's own name, so that no device's feed carries it.
 */
import type { Result } from '../../../domain/result.ts';
import { isoOf } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import type { Session } from '../users/service.ts';
import { fingerprintOf, insertReceipts, loadReceipts } from './receipts.ts';
import { lockAggregates, serverDevice } from './store.ts';
import { refusalReply, successReply } from './verdicts.ts';

export interface KeyedWrite {
  session: Session;
  receivedAtMs: number;
  /** The key; without one nothing is stored, for nobody can repeat it. */
  opId: string | undefined;
  /** What kind of write it is, and what it writes to: work on one aggregate is done one after the other. */
  kind: string;
  aggregate: string;
  /** As sent: what a repetition under the same key must equal. */
  body: unknown;
}

export interface KeyedReply {
  httpStatus: number;
  /** As JSON text. */
  reply: string;
  replayed: boolean;
}

/**
 * Runs the work under the aggregate's lock, or repeats its stored reply, inside the caller's transaction.
 *
 * @param status what a success answers with
 * @param work must not have written anything when it refuses; a refusal is stored like a success
 */
export async function applyOnce(
  sql: Sql,
  write: KeyedWrite,
  status: 200 | 201,
  work: () => Promise<Result<unknown>>,
): Promise<KeyedReply> {
  const { session, receivedAtMs, opId, kind, aggregate, body } = write;
  const { clinicId, userId } = session;
  await lockAggregates(sql, clinicId, [aggregate, ...(opId ? [`key:${opId}`] : [])]);
  const fingerprint = fingerprintOf(kind, { aggregate, body });
  const stored = opId && (await loadReceipts(sql, clinicId, [opId])).get(opId);
  if (stored) {
    if (stored.fingerprint !== fingerprint) {
      const { text, httpStatus } = refusalReply({ code: 'IDEMPOTENCY_MISMATCH' });
      return { httpStatus, reply: text, replayed: false };
    }
    return { httpStatus: stored.http_status, reply: stored.reply, replayed: true };
  }
  const result = await work();
  const { httpStatus, text: reply } = result.ok ? successReply(result.value, status) : refusalReply(result.refusal);
  if (opId) {
    const at = isoOf(receivedAtMs);
    const envelope = {
      op_id: opId,
      device_id: await serverDevice(sql, clinicId),
      device_seq: 0,
      aggregate,
      depends_on: [],
      kind,
      v: 1,
      payload: body ?? {},
      actor_id: userId,
      occurred_at: at,
      clock_offset_ms: null,
    };
    await insertReceipts(sql, clinicId, [
      {
        envelope,
        uploadedBy: userId,
        fingerprint,
        receivedAtMs,
        effectiveAtMs: receivedAtMs,
        status: result.ok ? 'applied' : 'refused',
        reply,
        httpStatus,
      },
    ]);
  }
  return { httpStatus, reply, replayed: false };
}
