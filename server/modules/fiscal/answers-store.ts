/** What the tax agency answered for fiscal records, in SQL. */
import type { AnswerOrigin, SendingState } from '#domain/fiscal/resources.ts';
import { isoOf } from '#domain/instant.ts';
import { insertInto } from '#server/db/insert.ts';
import { fiscalAnswers } from '#server/db/schema/fiscal.ts';
import { msOf, rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';

/** Removes the tax agency's messages about the records of these operations, because they quote the recipient. The codes stay. */
export async function eraseAgencyMessages(sql: Sql, clinicId: number, opIds: readonly string[]): Promise<void> {
  await sql.query({
    name: 'erase messages of the agency',
    text: `update fiscal_sendings s set message = null from fiscal_records r
           where r.clinic_id = $1 and r.document_op_id = any($2::uuid[]) and s.clinic_id = $1 and s.record_id = r.id
             and s.message is not null`,
    values: [clinicId, opIds],
  });
}

/**
 * Returns which of the records have the number of an earlier record of their chain: copies of one storage issued it twice.
 * A record that the agency has rejected has no number there.
 */
export async function repeatedNumbers(sql: Sql, clinicId: number, recordIds: readonly number[]): Promise<Set<number>> {
  const rows = await rowsOf<{ recordId: number }>(
    sql,
    'repeated numbers',
    `select r.id::float8 as "recordId" from fiscal_records r
     join fiscal_records o on o.clinic_id = r.clinic_id and o.chain = r.chain and o.number = r.number and o.type = r.type
       and o.id < r.id
     join fiscal_sendings s on s.clinic_id = o.clinic_id and s.record_id = o.id and s.state not in ('rejected', 'not_sent')
     where r.clinic_id = $1 and r.id = any($2::bigint[])`,
    [clinicId, recordIds],
  );
  return new Set(rows.map(({ recordId }) => recordId));
}

export interface StoredReply {
  recordId: number;
  state: Exclude<SendingState, 'unsent' | 'not_sent'>;
  /** In the agency's words: a record that it has already is rejected. */
  said: Exclude<SendingState, 'unsent' | 'not_sent'>;
  code: number | null;
  message: string | null;
}

/** How answers came, and the agency's receipt for them. */
export interface AnswerReceipt {
  origin: AnswerOrigin;
  csv: string | null;
  presentedAtMs: number | null;
}

const insertAnswers = insertInto(fiscalAnswers);

/** Stores the agency's answers, and then the states that follow: a trigger compares the two. */
export async function saveReplies(
  sql: Sql,
  { clinicId, atMs, receipt }: { clinicId: number; atMs: number; receipt: AnswerReceipt },
  replies: readonly StoredReply[],
): Promise<void> {
  await insertAnswers(
    sql,
    replies.map(({ recordId, said, code }) => ({
      clinicId,
      recordId,
      origin: receipt.origin,
      state: said,
      code,
      // A receipt covers what was accepted.
      csv: said === 'rejected' ? null : receipt.csv,
      presentedAt: receipt.presentedAtMs,
      receivedAt: atMs,
    })),
  );
  await sql.query({
    name: 'save replies',
    text: `update fiscal_sendings s set state = n.state, held_for = null, code = n.code, message = n.message, replied_at = $3
           from json_to_recordset($2::json) as n("recordId" bigint, state text, code int, message text)
           where s.clinic_id = $1 and s.record_id = n."recordId"`,
    values: [clinicId, JSON.stringify(replies), isoOf(atMs)],
  });
}

/** Returns how many of a clinic's records are in each state. */
export async function countsByState(sql: Sql, clinicId: number): Promise<Record<SendingState, number>> {
  const rows = await rowsOf<{ state: SendingState; count: number }>(
    sql,
    'sendings by state',
    'select state, count(*)::int as count from fiscal_sendings where clinic_id = $1 group by state',
    [clinicId],
  );
  const none = { unsent: 0, accepted: 0, accepted_with_errors: 0, rejected: 0, not_sent: 0 };
  return { ...none, ...Object.fromEntries(rows.map(({ state, count }) => [state, count])) };
}

/** Returns when the agency last answered for a record of the clinic. */
export async function lastReplyMs(sql: Sql, clinicId: number): Promise<number | null> {
  const [row] = await rowsOf<{ atMs: number | null }>(
    sql,
    'last reply',
    `select ${msOf('max(replied_at)')}::float8 as "atMs" from fiscal_sendings where clinic_id = $1`,
    [clinicId],
  );
  return row!.atMs;
}
