/** Decides what the tax agency's reply means for the records of a call. */
import { dayMs } from '#domain/durations.ts';
import type { SendingState } from '#domain/fiscal/resources.ts';
import type { RecordReply } from './reply.ts';
import type { StoredReply } from './answers-store.ts';
import type { UnsentRecord } from './queue-store.ts';
import { callTimeoutMs } from './transport.ts';

/** A record may reach the agency so long after it was made. A later one has to say that an outage delayed it (error 2004). */
const clockMarginMs = 240_000;

/** A call takes up to its timeout, so a record counts as late before the margin ends. */
const lateMs = clockMarginMs - callTimeoutMs;

/** True for a record that was sent before, or could not be sent when it was made. */
export const isLate = ({ record, attempts }: UnsentRecord, nowMs: number): boolean =>
  attempts > 0 || nowMs - Date.parse(record.fields.generated_at) >= lateMs;

/** For a server that is further ahead, nothing waits. */
const longestLeadMs = dayMs;

/**
 * Returns the records that may go out now. When this server's clock is ahead of the agency's, its newest records would seem to come
 * from the future (error 2004, which no flag excuses). They, and what follows them in their chains, wait until the agency's clock has
 * caught up. A record that is ahead of this server's clock as well comes from a tablet whose clock is wrong: it is sent, and a manager
 * hears of the error.
 *
 * @param agencyAheadMs how much the agency's clock is ahead of this server's; negative if it is behind
 */
export function ripeRecords<R extends Pick<UnsentRecord, 'record'>>(
  records: readonly R[],
  { nowMs, agencyAheadMs }: { nowMs: number; agencyAheadMs: number },
): R[] {
  if (agencyAheadMs > -lateMs || agencyAheadMs < -longestLeadMs) return [...records];
  const waiting = new Set<string>();
  return records.filter(({ record }) => {
    const aheadMs = Date.parse(record.fields.generated_at) - nowMs;
    if (aheadMs < lateMs && aheadMs - agencyAheadMs >= lateMs) waiting.add(record.chain);
    return !waiting.has(record.chain);
  });
}

/**
 * Returns the records with each behind the one that it follows in its chain, if that is among them. After a restore a tablet sends
 * what the server has lost again, and newer records may have arrived before.
 */
export function inChainOrder<R extends Pick<UnsentRecord, 'record'>>(records: readonly R[]): R[] {
  const byHash = new Map(records.map((one) => [one.record.hash, one]));
  const ordered = new Set<R>();
  for (const one of records) {
    const missing: R[] = [];
    for (let at: R | undefined = one; at && !ordered.has(at) && !missing.includes(at);) {
      missing.push(at);
      at = byHash.get(at.record.previous?.hash ?? '');
    }
    for (const each of missing.toReversed()) ordered.add(each);
  }
  return [...ordered];
}

/** The clocks differ. The agency takes the record, and asks for no correction of it. */
const clockCode = 2004;

/** True for an answer that a manager has to hear of. */
export const needsPerson = ({ state, code }: Pick<StoredReply, 'state' | 'code'>): boolean =>
  state === 'rejected' || (state === 'accepted_with_errors' && code !== clockCode);

/** True for the answer to a record whose document the agency does not have. */
export const isMissing = (answer: Pick<StoredReply, 'state' | 'code'> | undefined): boolean =>
  answer?.state === 'rejected' && answer.code === 3002;

/** The codes by which the agency refuses a whole call: because of its sender, its certificate, or the agency's own fault. */
const ofCall = new Set([
  102, 3500, 3501, 3502, 3503, 4104, 4105, 4107, 4108, 4109, 4110, 4111, 4112, 4115, 4116, 4117, 4118, 4120, 4121, 4122,
  4123, 4124, 4125, 4126, 4127, 4128, 4129, 4130, 4131, 4132, 4133, 4134, 4135, 4139, 4140,
]);

/** Returns the agency's number of the error for which it refuses a call; null when it gives none. */
export const refusalCode = (message: string): number | null => {
  const code = /\bCodigo\[(\d{3,4})\]/.exec(message)?.[1];
  return code === undefined ? null : Number(code);
};

/** True for a refusal that may be about one record: its number is not known to be about the call as a whole. */
export const isOfRecord = (code: number | null): code is number => code !== null && !ofCall.has(code);

/** The agency has an issue record, or a cancellation, of this number already. */
const duplicateCodes: readonly number[] = [3000, 3001];

/** True for the error that the agency has this number already. */
export const isDuplicate = (code: number | null): boolean => duplicateCodes.includes(code ?? 0);

/** True for a record that a correction can mend. A duplicate has none: its number belongs to another document. */
export const isCorrectable = ({ state, code }: { state: SendingState | null; code: number | null }): boolean =>
  (state === 'accepted_with_errors' && code !== clockCode) || (state === 'rejected' && !isDuplicate(code));

export interface RecordAnswer extends StoredReply {
  number: string;
  documentOpId: string;
}

/**
 * Returns the new state of each record that the reply names. The others stay unsent.
 *
 * @param repeated the records whose number an earlier record has
 */
export function answersOf(
  records: readonly UnsentRecord[],
  replies: readonly RecordReply[],
  repeated: ReadonlySet<number> = new Set(),
): RecordAnswer[] {
  const lines = new Map<string, RecordReply[]>();
  for (const reply of replies) {
    const key = `${reply.type} ${reply.issuedOn} ${reply.number}`;
    lines.set(key, [...(lines.get(key) ?? []), reply]);
  }
  return records.flatMap((one) => {
    const { type, fields, document_op_id: documentOpId } = one.record;
    // Two records of one number, of a broken chain, are answered in the order in which they were sent.
    const reply = lines.get(`${type} ${fields.issued_on} ${fields.number}`)?.shift();
    return reply ? [{ ...answerTo(one, reply, repeated.has(one.recordId)), number: fields.number, documentOpId }] : [];
  });
}

function answerTo(one: UnsentRecord, reply: RecordReply, isRepeated: boolean): StoredReply {
  const { recordId } = one;
  const { code, message } = reply;
  if (reply.state === 'rejected' && isDuplicate(code) && isOurs(one, message, isRepeated)) {
    const state = reply.duplicateOf === 'accepted_with_errors' ? 'accepted_with_errors' : 'accepted';
    return { recordId, state, said: reply.state, code, message };
  }
  return { recordId, state: reply.state, said: reply.state, code, message: message === '' ? null : message };
}

/**
 * True when the record that the agency has under this number is this one. A hash in the reply decides; the schema has no field for
 * it. Without a hash, a record that was in an earlier call has arrived with that call, unless an earlier record has its number. A
 * record that was in no call cannot be there.
 */
function isOurs({ record, attempts }: UnsentRecord, message: string, isRepeated: boolean): boolean {
  const hash = /\b[0-9A-F]{64}\b/i.exec(message)?.[0];
  return hash === undefined ? attempts > 0 && !isRepeated : hash.toUpperCase() === record.hash;
}
