/**
 * A REST write that is not an operation of a device, under an idempotency key: it takes effect once, and a repetition
 * gets the stored reply (SYNC-4). Its receipt names the server's own device, so no other device reads it in the feed.
 */
import type { Result } from '#domain/result.ts';
import { isoOf } from '#domain/instant.ts';
import type { WriteContext } from '../context.ts';
import { refusalReply, successReply } from './reply.ts';
import { fingerprintOf, insertReceipts, loadReceipts } from './receipts.ts';
import { lockAggregates, serverDevice } from './store.ts';

export interface IdempotentWrite {
  /** The idempotency key. Without one nothing is stored, because nobody can repeat the request. */
  opId: string | undefined;
  kind: string;
  /** The lock key. */
  aggregate: string;
  /** The body as sent. A repetition under the same key must equal it. */
  body: unknown;
  /** What the receipt keeps of it; all of it by default. */
  kept?: unknown;
}

export interface StoredReply {
  httpStatus: number;
  /** JSON text. */
  reply: string;
  replayed: boolean;
  /** Whether the reply is stored now. */
  leavesReceipt: boolean;
}

/**
 * Runs the work under the aggregate's lock, or returns the stored reply of an earlier run.
 *
 * @param status the status of a success
 * @param work must not have written anything when it refuses; a refusal is stored like a success, except one that tells of others
 */
export async function applyOnce(
  { sql, clinicId, userId, atMs }: WriteContext,
  { opId, kind, aggregate, body, kept = body }: IdempotentWrite,
  status: 200 | 201,
  work: () => Promise<Result<unknown>>,
): Promise<StoredReply> {
  await lockAggregates(sql, clinicId, [aggregate, ...(opId ? [`key:${opId}`] : [])]);
  const fingerprint = fingerprintOf(kind, { aggregate, body });
  const stored = opId && (await loadReceipts(sql, clinicId, [opId])).get(opId);
  if (stored) {
    if (stored.fingerprint !== fingerprint) {
      const { text, httpStatus } = refusalReply({ code: 'IDEMPOTENCY_MISMATCH' });
      return { httpStatus, reply: text, replayed: false, leavesReceipt: false };
    }
    return { httpStatus: stored.http_status, reply: stored.reply, replayed: true, leavesReceipt: false };
  }
  const result = await work();
  const { httpStatus, text: reply } = result.ok ? successReply(result.value, status) : refusalReply(result.refusal);
  const leavesReceipt = opId !== undefined && !tellsOfOthers(result);
  if (leavesReceipt) {
    const envelope = {
      op_id: opId,
      device_id: await serverDevice(sql, clinicId),
      device_seq: 0,
      aggregate,
      depends_on: [],
      kind,
      v: 1,
      // Of a refused write nobody needs the body: its fingerprint knows a repetition. It may name whoever has been erased.
      payload: result.ok ? (kept ?? {}) : {},
      actor_id: userId,
      occurred_at: isoOf(atMs),
      clock_offset_ms: null,
    };
    await insertReceipts(sql, clinicId, [
      {
        envelope,
        uploadedBy: userId,
        fingerprint,
        receivedAtMs: atMs,
        effectiveAtMs: atMs,
        status: result.ok ? 'applied' : 'refused',
        reply,
        httpStatus,
      },
    ]);
  }
  return { httpStatus, reply, replayed: false, leavesReceipt };
}

/**
 * Returns whether a refusal says what others have stored, such as the name of a patient who may be erased later. It leaves no
 * receipt: nothing was written, and a repetition is compared again.
 */
const tellsOfOthers = (result: Result<unknown>): boolean => !result.ok && result.refusal.code === 'CHANGED_MEANWHILE';
