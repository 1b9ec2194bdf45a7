/** Replies to operations and to idempotent writes: what is stored is what is sent, byte for byte. */
import { errorCatalogue } from '#domain/protocol/errors.ts';
import type { ErrorCode } from '#domain/protocol/errors.ts';
import type { ChangesPage } from '#domain/protocol/sync.ts';
import type { Refusal } from '#domain/result.ts';
import { isoOf } from '#domain/instant.ts';
import { errorBody } from '../http/refusals.ts';
import type { Decision } from './operation-module.ts';
import type { Receipt } from './receipts.ts';

export interface Reply {
  /** JSON text. */
  text: string;
  httpStatus: number;
}

/** The result of one operation, as its sender reads it. */
export interface Outcome {
  op_id: string;
  status: 'applied' | 'refused' | 'waiting';
  replayed: boolean;
  /** JSON text; stored unless the operation is waiting. */
  reply: string;
  httpStatus: number;
}

export function replyTo(decision: Decision): Reply {
  switch (decision.status) {
    case 'applied':
      return successReply(decision.data(), decision.created ? 201 : 200);
    case 'refused':
      return refusalReply(decision.refusal);
    case 'waiting':
      return refusalReply({ code: decision.code });
  }
}

export const successReply = (data: unknown, httpStatus: 200 | 201): Reply => ({
  text: JSON.stringify({ success: true, data }),
  httpStatus,
});

export const refusalReply = (refusal: Refusal): Reply => ({
  text: JSON.stringify(errorBody(refusal)),
  httpStatus: errorCatalogue[refusal.code].status,
});

/**
 * Returns the stored reply. The same key with another content is another request, which is neither applied nor stored.
 */
export function replay(opId: string, stored: Receipt, fingerprint: string): Outcome {
  // The receipt of a closed operation that never arrived has no fingerprint: its refusal is the reply to any content.
  if (stored.fingerprint !== '' && stored.fingerprint !== fingerprint) {
    const { text, httpStatus } = refusalReply({ code: 'IDEMPOTENCY_MISMATCH' });
    return { op_id: opId, status: 'refused', replayed: false, reply: text, httpStatus };
  }
  return { op_id: opId, status: stored.status, replayed: true, reply: stored.reply, httpStatus: stored.http_status };
}

/** Returns the code of a stored refusal. */
export const codeOf = ({ reply }: Receipt): ErrorCode | undefined => (JSON.parse(reply) as { code?: ErrorCode }).code;

/**
 * False for the refusal of a replacement that came too late or too often: what it names stays as it was, and another
 * attempt could double it.
 */
export const isReplaceable = (code: ErrorCode | undefined): boolean =>
  code !== 'SUPERSEDES_APPLIED' && code !== 'REPLACED_TOO_OFTEN';

/** Returns the body of a batch reply. It is assembled as text so that each stored reply is sent as it was stored. */
export function batchReply(
  epoch: string,
  nowMs: number,
  outcomes: readonly Outcome[],
  feed: ChangesPage | null,
): string {
  const results = outcomes.map(
    ({ op_id, status, replayed, reply }) =>
      `{"op_id":"${op_id}","status":"${status}","replayed":${replayed},"reply":${reply}}`,
  );
  const head = `"epoch":${JSON.stringify(epoch)},"server_time":${JSON.stringify(isoOf(nowMs))}`;
  const changes = feed ? `,"feed":${JSON.stringify(feed)}` : '';
  return `{"success":true,"data":{${head},"results":[${results.join()}]${changes}}}`;
}
