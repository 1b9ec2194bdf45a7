/** What the tax agency's reply means for the records of a call. */
import type { SendingState } from '../../../domain/fiscal/resources.ts';
import type { RecordReply } from './reply.ts';
import type { StoredReply, UnsentRecord } from './sending-store.ts';

/** Records that waited this long were held up by an outage, of the tablet's or of ours. */
const lateMs = 3_600_000;

/** True for a record that was sent before, or could not be sent when it was made. */
export const isLate = ({ record, attempts }: UnsentRecord, nowMs: number): boolean =>
  attempts > 0 || nowMs - Date.parse(record.fields.generated_at) > lateMs;

/** The agency has an issue record, or a cancellation, of this number already. */
const duplicateCodes: readonly number[] = [3000, 3001];

/** True for the state of a record that another can correct. A duplicate's number is that of another document. */
export const isCorrectable = ({ state, code }: { state: SendingState | null; code: number | null }): boolean =>
  state === 'accepted_with_errors' || (state === 'rejected' && !duplicateCodes.includes(code ?? 0));

export interface RecordAnswer extends StoredReply {
  number: string;
  paperOpId: string;
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
    const { type, fields, paper_op_id: paperOpId } = one.record;
    // Two records of one number, of a broken chain, are answered in the order in which they were sent.
    const reply = lines.get(`${type} ${fields.issued_on} ${fields.number}`)?.shift();
    return reply ? [{ ...answerTo(one, reply, repeated.has(one.recordId)), number: fields.number, paperOpId }] : [];
  });
}

function answerTo(one: UnsentRecord, reply: RecordReply, isRepeated: boolean): StoredReply {
  const { recordId } = one;
  const { code, message } = reply;
  const isDuplicate = reply.state === 'rejected' && code !== null && duplicateCodes.includes(code);
  if (isDuplicate && isOurs(one, message, isRepeated)) {
    const state = reply.duplicateOf === 'accepted_with_errors' ? 'accepted_with_errors' : 'accepted';
    return { recordId, state, code, message };
  }
  return { recordId, state: reply.state, code, message: message === '' ? null : message };
}

/**
 * True when what the agency has is this very record. If the reply names the hash, that decides. The schema has no field for
 * it: otherwise a record that was in a call before is the one that arrived then, unless an earlier one has its number, and one
 * that was in none is another's.
 */
function isOurs({ record, attempts }: UnsentRecord, message: string, isRepeated: boolean): boolean {
  const hash = /\b[0-9A-F]{64}\b/i.exec(message)?.[0];
  return hash === undefined ? attempts > 0 && !isRepeated : hash.toUpperCase() === record.hash;
}
