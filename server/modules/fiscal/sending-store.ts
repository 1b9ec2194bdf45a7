/** What becomes of fiscal records at the tax agency, in SQL. */
import type { FiscalRecord } from '#domain/fiscal/record.ts';
import type { AnswerOrigin, HoldReason, SendingState } from '#domain/fiscal/resources.ts';
import { isRecipientCountry, isRecipientId } from '#domain/tax/recipient-id.ts';
import { taxpayerOf } from '#domain/fiscal/taxpayer.ts';
import { isSentOn } from '#domain/settings/verifactu.ts';
import { codeOfNumber } from '#domain/order/numbers.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import { insertInto } from '#server/db/insert.ts';
import { fiscalAnswers } from '#server/db/schema/fiscal.ts';
import { isoOf, msOf, rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';
import { serverDevice } from './server-device.ts';

export interface NewSending {
  deviceId: number;
  record: FiscalRecord;
  /** Why the record does not go out: it is held back, or never sent. */
  withheld?: HoldReason | 'not_sent' | null;
}

/** The agency's number for a false NIF. One of another length, or an unknown country, makes it refuse the whole call. */
export const falseNif = 1123;

/** True for the record of a tablet that the agency would reject for its recipient. */
const hasFalseRecipient = ({ deviceId, record: { type, fields } }: NewSending): boolean =>
  deviceId !== serverDevice &&
  type === 'issue' &&
  fields.recipient !== undefined &&
  !(isRecipientId(fields.recipient) && isRecipientCountry(fields.recipient));

/** Records of which a manager has to hear. */
export interface NotedSendings {
  /** They are held back for their code. */
  invented: FiscalRecord[];
  /** They are rejected before the agency sees them, and can be corrected. */
  rejected: FiscalRecord[];
}

/**
 * Notes the records that have just been inserted for the sender, or that they are held back, rejected or not sent. A number under a
 * code of another device, or of another clinic, is theirs. A code that nobody has is either one that this server has
 * forgotten with a restore, which its letters tell, or an invention.
 */
export async function insertSendings(
  sql: Sql,
  clinicId: number,
  settings: ClinicSettings,
  records: readonly NewSending[],
): Promise<NotedSendings> {
  if (records.length === 0) return { invented: [], rejected: [] };
  const stateOf = (sending: NewSending): SendingState => {
    const { deviceId, record, withheld } = sending;
    const { chain, fields } = record;
    // The server corrects and cancels what others have numbered.
    const isNumberedIn = deviceId === serverDevice || codeOfNumber(fields.number) === chain;
    const isSent = fields.issuer !== '' && isSentOn(settings, fields.generated_at.slice(0, 10));
    if (!isNumberedIn || !isSent || withheld === 'not_sent') return 'not_sent';
    return hasFalseRecipient(sending) ? 'rejected' : 'unsent';
  };
  const told = await rowsOf<{ seal: string; isRejected: boolean }>(
    sql,
    'insert sendings',
    `with noted as (
       insert into fiscal_sendings (clinic_id, record_id, tax_id, state, code, held_for)
       select r.clinic_id, r.id, n.issuer, s.state, case s.state when 'rejected' then ${falseNif} end,
         case when s.state = 'unsent' then case s.code when 'unknown' then 'code' else n.held_for end end
       from json_to_recordset($2::json)
         as n(chain text, device_id int, sequence int, seal text, issuer text, state text, held_for text)
       join fiscal_records r on r.clinic_id = $1 and r.chain = n.chain and r.device_id = n.device_id
         and r.sequence = n.sequence and r.seal = n.seal
       cross join lateral (select case
         when exists (select from device_codes c where c.clinic_id = r.clinic_id and c.code = n.chain
           and c.tax_id = n.issuer
           and (c.device_id = n.device_id or (n.device_id = ${serverDevice} and c.code like '%0'))) then 'own'
         when n.issuer is distinct from $3 or is_granted(n.chain) then 'foreign'
         when exists (select from forgotten_prefixes f where f.tax_id = n.issuer and n.chain like f.prefix || '%') then 'own'
         else 'unknown' end) c(code)
       cross join lateral (select c.code, case c.code when 'foreign' then 'not_sent' else n.state end) s(code, state)
       on conflict do nothing returning record_id, state, held_for)
     select r.seal, state = 'rejected' as "isRejected" from noted
     join fiscal_records r on r.clinic_id = $1 and r.id = record_id where held_for = 'code' or state = 'rejected'`,
    [
      clinicId,
      JSON.stringify(
        records.map((one) => ({
          chain: one.record.chain,
          device_id: one.deviceId,
          sequence: one.record.sequence,
          seal: one.record.seal,
          issuer: one.record.fields.issuer,
          state: stateOf(one),
          held_for: one.withheld === 'not_sent' ? null : one.withheld,
        })),
      ),
      taxpayerOf(settings),
    ],
  );
  const seals = new Map(told.map(({ seal, isRejected }) => [seal, isRejected]));
  const toldAs = (isRejected: boolean) =>
    records.flatMap(({ record }) => (seals.get(record.seal) === isRejected ? record : []));
  return { invented: toldAs(false), rejected: toldAs(true) };
}

/** Says anew of records that wait for their documents why they are held back; null releases them. */
export async function restateHolds(
  sql: Sql,
  clinicId: number,
  checked: readonly { recordId: number; heldFor: HoldReason | null }[],
): Promise<void> {
  if (checked.length === 0) return;
  await sql.query({
    name: 'restate holds',
    text: `update fiscal_sendings s set held_for = n."heldFor" from json_to_recordset($2::json) as n("recordId" bigint, "heldFor" text)
           where s.clinic_id = $1 and s.record_id = n."recordId" and s.held_for in ('document', 'difference')`,
    values: [clinicId, JSON.stringify(checked)],
  });
}

/** Removes what the tax agency said of the records of these operations: it quotes the recipient. Its codes stay. */
export async function eraseAgencyMessages(sql: Sql, clinicId: number, opIds: readonly string[]): Promise<void> {
  await sql.query({
    name: 'erase messages of the agency',
    text: `update fiscal_sendings s set message = null from fiscal_records r
           where r.clinic_id = $1 and r.document_op_id = any($2::uuid[]) and s.clinic_id = $1 and s.record_id = r.id
             and s.message is not null`,
    values: [clinicId, opIds],
  });
}

/** Releases a record that is held back: the agency is told of it, or never. */
export async function endHold(
  sql: Sql,
  clinicId: number,
  { recordId, state }: { recordId: number; state: 'unsent' | 'not_sent' },
): Promise<void> {
  await sql.query({
    name: 'end hold',
    text: `update fiscal_sendings set held_for = null, state = $3 where clinic_id = $1 and record_id = $2 and held_for is not null`,
    values: [clinicId, recordId, state],
  });
}

/** Returns whether this installation has forgotten what the agency has of a taxpayer: a backup was restored. */
export async function hasForgotten(sql: Sql, taxId: string): Promise<boolean> {
  const rows = await rowsOf<object>(sql, 'has forgotten', 'select from forgotten_prefixes where tax_id = $1 limit 1', [
    taxId,
  ]);
  return rows.length > 0;
}

/** Holds a record back until the agency has said whether it has the document. */
export async function holdForAgency(sql: Sql, clinicId: number, recordId: number): Promise<void> {
  await sql.query({
    name: 'hold for agency',
    text: `update fiscal_sendings set held_for = 'agency' where clinic_id = $1 and record_id = $2 and held_for is not null`,
    values: [clinicId, recordId],
  });
}

/**
 * SQL: `barrier` has the first record of each chain that does not go out yet: it is held back, or cancels a document whose
 * own record waits behind one. What follows in that chain waits too.
 */
const barriers = `held as (
    select b.clinic_id, h.chain, h.device_id, min(h.id) as id from fiscal_sendings b
    join fiscal_records h on h.clinic_id = b.clinic_id and h.id = b.record_id where b.held_for is not null group by 1, 2, 3),
  barrier as (
    select * from held
    union all
    select k.clinic_id, k.chain, k.device_id, min(k.id) from held
    join fiscal_records i on i.clinic_id = held.clinic_id and i.chain = held.chain and i.device_id = held.device_id and i.id >= held.id
    join fiscal_sendings w on w.clinic_id = i.clinic_id and w.record_id = i.id and w.state = 'unsent'
    join fiscal_records k on k.clinic_id = i.clinic_id and k.document_op_id = i.document_op_id and k.number = i.number and k.type = 'cancel'
    group by 1, 2, 3)`;

/**
 * SQL: the record `r` waits for nothing before it in its chain. While nothing is held back, which is asked once, no record is
 * compared.
 */
const isNext = `(not exists (select from held) or not exists (select from barrier b
  where b.clinic_id = r.clinic_id and b.chain = r.chain and b.device_id = r.device_id and b.id <= r.id))`;

/** Returns the taxpayers with records to send, or of whom the agency is to be asked, to whom a call is due. */
export async function dueTaxpayers(sql: Sql, nowMs: number): Promise<string[]> {
  const rows = await rowsOf<{ taxId: string }>(
    sql,
    'due taxpayers',
    `select u.tax_id as "taxId" from (select tax_id from fiscal_sendings where state = 'unsent'
       union select tax_id from fiscal_inquiries where next_at <= $1) u
     left join fiscal_senders s using (tax_id) where s.next_call_at is null or s.next_call_at <= $1 order by 1`,
    [isoOf(nowMs)],
  );
  return rows.map(({ taxId }) => taxId);
}

/** Takes the advisory lock of a taxpayer until the transaction ends, and returns whether it got it. */
export async function holdTaxpayer(sql: Sql, taxId: string): Promise<boolean> {
  const [row] = await rowsOf<{ isHeld: boolean }>(
    sql,
    'hold taxpayer',
    `select pg_try_advisory_xact_lock(hashtext('fiscal sender'), hashtext($1)) as "isHeld"`,
    [taxId],
  );
  return row!.isHeld;
}

export interface Pace {
  nextCallAtMs: number;
  waitSeconds: number;
  failures: number;
  /** The most that a call may have, or how many of the next records hold one for which the agency refuses a call. */
  mostRecords: number;
}

export async function paceOf(sql: Sql, taxId: string): Promise<Pace | undefined> {
  const [pace] = await rowsOf<Pace>(
    sql,
    'pace of taxpayer',
    `select ${msOf('next_call_at')}::float8 as "nextCallAtMs", wait_seconds as "waitSeconds", failures,
       most_records as "mostRecords" from fiscal_senders where tax_id = $1`,
    [taxId],
  );
  return pace;
}

export async function savePace(sql: Sql, taxId: string, pace: Pace): Promise<void> {
  await sql.query({
    name: 'save pace',
    text: `insert into fiscal_senders (tax_id, next_call_at, wait_seconds, failures, most_records) values ($1, $2, $3, $4, $5)
           on conflict (tax_id) do update set next_call_at = excluded.next_call_at, wait_seconds = excluded.wait_seconds,
             failures = excluded.failures, most_records = excluded.most_records`,
    values: [taxId, isoOf(pace.nextCallAtMs), pace.waitSeconds, pace.failures, pace.mostRecords],
  });
}

export interface UnsentRecord {
  recordId: number;
  record: FiscalRecord;
  /** The calls with it so far. */
  attempts: number;
}

export interface CallParts {
  clinicId: number;
  sealedCertificate: Buffer;
}

/**
 * Returns the clinic of the taxpayer, with a certificate, that waits longest for its turn: since its oldest unsent record
 * arrived, or since its last call. So neither a clinic whose calls fail nor one that always has more keeps others waiting.
 */
export async function clinicToServe(sql: Sql, taxId: string): Promise<CallParts | undefined> {
  const [row] = await rowsOf<CallParts>(
    sql,
    'clinic to serve',
    `with ${barriers}
     select c.clinic_id as "clinicId", c.sealed as "sealedCertificate" from fiscal_certificates c
     join lateral (select r.received_at from fiscal_sendings s
       join fiscal_records r on r.clinic_id = s.clinic_id and r.id = s.record_id
       where s.tax_id = $1 and s.state = 'unsent' and s.clinic_id = c.clinic_id and ${isNext} order by s.record_id limit 1) first on true
     order by greatest(first.received_at, c.called_at), c.clinic_id limit 1`,
    [taxId],
  );
  return row;
}

/**
 * Returns the oldest unsent records that do not wait behind one that is held back. Records of one chain arrive in its order,
 * so this is the order of each chain.
 *
 * @param enoughBytes the record that reaches this sum is the last; so there is always one
 */
export function unsentRecords(
  sql: Sql,
  { clinicId, taxId, limit, enoughBytes }: { clinicId: number; taxId: string; limit: number; enoughBytes: number },
): Promise<UnsentRecord[]> {
  return rowsOf(
    sql,
    'unsent records',
    `with ${barriers},
     oldest as (select s.record_id, r.record, s.attempts, octet_length(r.record::text) as bytes from fiscal_sendings s
       join fiscal_records r on r.clinic_id = s.clinic_id and r.id = s.record_id
       where s.tax_id = $2 and s.state = 'unsent' and s.clinic_id = $1 and ${isNext} order by s.record_id limit $3),
     summed as (select *, sum(bytes) over (order by record_id) - bytes as before from oldest)
     select record_id::float8 as "recordId", record, attempts from summed where before < $4 order by record_id`,
    [clinicId, taxId, limit, enoughBytes],
  );
}

/** Counts a call before it is made: a reply that is lost says of nothing that it was not sent. */
export async function countAttempt(
  sql: Sql,
  { clinicId, atMs }: { clinicId: number; atMs: number },
  recordIds: readonly number[],
): Promise<void> {
  await sql.query({
    name: 'count sending attempt',
    text: `with turn as (update fiscal_certificates set called_at = $3 where clinic_id = $1)
           update fiscal_sendings set attempts = attempts + 1 where clinic_id = $1 and record_id = any($2::bigint[])`,
    values: [clinicId, recordIds, isoOf(atMs)],
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

/** Keeps what the agency answered, and what follows for the records. The order matters: a trigger compares the two. */
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
      // What is rejected is in no receipt.
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

/** Returns the time since which the first of a clinic's unsent records waits. */
export async function unsentSince(sql: Sql, clinicId: number): Promise<number | null> {
  const [row] = await rowsOf<{ sinceMs: number | null }>(
    sql,
    'unsent since',
    `select ${msOf('min(r.received_at)')}::float8 as "sinceMs" from fiscal_sendings s
     join fiscal_records r on r.clinic_id = s.clinic_id and r.id = s.record_id
     where s.state = 'unsent' and s.clinic_id = $1`,
    [clinicId],
  );
  return row!.sinceMs;
}

/** Returns the number of a clinic's unsent records that wait for the agency, and not behind one that is held back. */
export async function sendableOf(sql: Sql, clinicId: number): Promise<number> {
  const [row] = await rowsOf<{ count: number }>(
    sql,
    'sendable of clinic',
    `with ${barriers} select count(*)::int as count from fiscal_sendings s
     join fiscal_records r on r.clinic_id = s.clinic_id and r.id = s.record_id
     where s.state = 'unsent' and s.clinic_id = $1 and ${isNext}`,
    [clinicId],
  );
  return row!.count;
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

/** Returns the clinics with records that wait for the agency. */
export async function waitingClinics(
  sql: Sql,
): Promise<{ clinicId: number; count: number; sinceMs: number; hasCertificate: boolean }[]> {
  return rowsOf(
    sql,
    'waiting clinics',
    `with ${barriers}
     select s.clinic_id as "clinicId", count(*)::int as count, ${msOf('min(r.received_at)')}::float8 as "sinceMs",
       exists (select from fiscal_certificates c where c.clinic_id = s.clinic_id) as "hasCertificate"
     from fiscal_sendings s join fiscal_records r on r.clinic_id = s.clinic_id and r.id = s.record_id
     where s.state = 'unsent' and ${isNext} group by s.clinic_id`,
    [],
  );
}

/** True when this installation has the records of several taxpayers. */
export async function hasSeveralTaxpayers(sql: Sql): Promise<boolean> {
  const rows = await rowsOf<{ taxId: string }>(
    sql,
    'some taxpayers',
    `select distinct data ->> 'tax_id' as "taxId" from settings where data ->> 'tax_profile' = 'ES' limit 2`,
    [],
  );
  return rows.length > 1;
}
