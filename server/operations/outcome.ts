/** What is said about an operation: the verdict on it, the reply that is stored with it, and the outcome that its sender hears. */
import { errorCatalogue } from '../../domain/protocol/errors.ts';
import type { ErrorCode } from '../../domain/protocol/errors.ts';
import type { OperationKind } from '../../domain/protocol/operations.ts';
import type { Refusal } from '../../domain/result.ts';
import { errorBody } from '../http/refusals.ts';
import type { Receipt } from './receipts.ts';

/** Before anything is written. */
export type Verdict =
  | { status: 'applied'; data: () => unknown }
  | { status: 'refused'; refusal: Refusal }
  | { status: 'waiting'; code: ErrorCode };

export interface Reply {
  /** JSON text: what is stored is what is sent, byte for byte. */
  text: string;
  httpStatus: number;
}

export interface Outcome {
  op_id: string;
  status: 'applied' | 'refused' | 'waiting';
  replayed: boolean;
  /** The reply as JSON text; stored unless waiting. */
  reply: string;
  httpStatus: number;
}

export const refused = (code: ErrorCode, details?: Refusal['details']): Verdict => ({
  status: 'refused',
  refusal: details ? { code, details } : { code },
});

export function replyOf(verdict: Verdict, kind: OperationKind): Reply {
  switch (verdict.status) {
    case 'applied':
      return successReply(verdict.data(), kind === 'order.create' || kind === 'drawer.open' ? 201 : 200);
    case 'refused':
      return refusalReply(verdict.refusal);
    case 'waiting':
      return refusalReply({ code: verdict.code });
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

/** A replay gets the stored reply; the same key with other content is another request and gets neither stored nor applied. */
export function replay(opId: string, stored: Receipt, fingerprint: string): Outcome {
  // A closed operation that never arrived has no fingerprint: whatever it was, the answer is its refusal.
  if (stored.fingerprint !== '' && stored.fingerprint !== fingerprint) {
    const { text, httpStatus } = refusalReply({ code: 'IDEMPOTENCY_MISMATCH' });
    return { op_id: opId, status: 'refused', replayed: false, reply: text, httpStatus };
  }
  return { op_id: opId, status: stored.status, replayed: true, reply: stored.reply, httpStatus: stored.http_status };
}

/** The code of a stored refusal. */
export const codeOf = ({ reply }: Receipt): ErrorCode | undefined => (JSON.parse(reply) as { code?: ErrorCode }).code;
