/** What becomes of fiscal records at the tax agency, in SQL. */
import type { FiscalRecord } from '../../../domain/fiscal/record.ts';
import type { SendingState } from '../../../domain/fiscal/resources.ts';
import { taxpayerOf } from '../../../domain/fiscal/taxpayer.ts';
import { isSentOn } from '../../../domain/fiscal/verifactu.ts';
import { codeOfNumber } from '../../../domain/order/numbers.ts';
import type { ClinicSettings } from '../../../domain/settings/settings.ts';
import { isoOf, msOf, rowsOf } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { serverDevice } from './server-device.ts';

/**
 * Notes the records that have just been inserted for the sender, or that they are not sent. A number under a code that was
 * not granted for the issuer could be that of another clinic of the issuer.
 */
export async function insertSendings(
  sql: Sql,
  clinicId: number,
  settings: ClinicSettings,
  records: readonly { deviceId: number; record: FiscalRecord }[],
): Promise<void> {
  if (records.length === 0) return;
  const stateOf = ({ deviceId, record: { chain, fields } }: (typeof records)[number]): SendingState => {
    // The server corrects and cancels what others have numbered.
    const isNumberedIn = deviceId === serverDevice || codeOfNumber(fields.number) === chain;
    const isSent = fields.issuer !== '' && isSentOn(settings, fields.generated_at.slice(0, 10));
    return isNumberedIn && isSent ? 'unsent' : 'not_sent';
  };
  await sql.query({
    name: 'insert sendings',
    // A code that nobody has is one that this server has forgotten with a restore: its documents are out, and name the
    // agency.
    text: `insert into fiscal_sendings (clinic_id, record_id, tax_id, state)
           select r.clinic_id, r.id, n.issuer, case when exists (
               select from device_codes c where c.clinic_id = r.clinic_id and c.code = n.chain and c.tax_id = n.issuer
                 and (c.device_id = n.device_id or (n.device_id = ${serverDevice} and c.code like '%0')))
               or (n.issuer = $3 and not exists (select from device_codes o where o.code = n.chain))
             then n.state else 'not_sent' end
           from json_to_recordset($2::json) as n(chain text, device_id int, sequence int, seal text, issuer text, state text)
           join fiscal_records r on r.clinic_id = $1 and r.chain = n.chain and r.device_id = n.device_id
             and r.sequence = n.sequence and r.seal = n.seal
           on conflict do nothing`,
    values: [
      clinicId,
      JSON.stringify(
        records.map((one) => ({
          chain: one.record.chain,
          device_id: one.deviceId,
          sequence: one.record.sequence,
          seal: one.record.seal,
          issuer: one.record.fields.issuer,
          state: stateOf(one),
        })),
      ),
      taxpayerOf(settings),
    ],
  });
}

/** Returns the taxpayers with records to send to whom a call is due. */
export async function dueTaxpayers(sql: Sql, nowMs: number): Promise<string[]> {
  const rows = await rowsOf<{ taxId: string }>(
    sql,
    'due taxpayers',
    `select u.tax_id as "taxId" from (select distinct tax_id from fiscal_sendings where state = 'unsent') u
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
    `select c.clinic_id as "clinicId", c.sealed as "sealedCertificate" from fiscal_certificates c
     join lateral (select r.received_at from fiscal_sendings s
       join fiscal_records r on r.clinic_id = s.clinic_id and r.id = s.record_id
       where s.tax_id = $1 and s.state = 'unsent' and s.clinic_id = c.clinic_id order by s.record_id limit 1) first on true
     order by greatest(first.received_at, c.called_at), c.clinic_id limit 1`,
    [taxId],
  );
  return row;
}

/**
 * Returns the oldest unsent records. Records of one chain arrive in its order, so this is the order of each chain.
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
    `with oldest as (select s.record_id, r.record, s.attempts, octet_length(r.record::text) as bytes from fiscal_sendings s
       join fiscal_records r on r.clinic_id = s.clinic_id and r.id = s.record_id
       where s.tax_id = $2 and s.state = 'unsent' and s.clinic_id = $1 order by s.record_id limit $3),
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
  state: Exclude<SendingState, 'not_sent'>;
  code: number | null;
  message: string | null;
}

export async function saveReplies(
  sql: Sql,
  { clinicId, atMs }: { clinicId: number; atMs: number },
  replies: readonly StoredReply[],
): Promise<void> {
  await sql.query({
    name: 'save replies',
    text: `update fiscal_sendings s set state = n.state, code = n.code, message = n.message, replied_at = $3
           from json_to_recordset($2::json) as n("recordId" bigint, state text, code int, message text)
           where s.clinic_id = $1 and s.record_id = n."recordId"`,
    values: [clinicId, JSON.stringify(replies), isoOf(atMs)],
  });
}

/** Returns the number of a clinic's unsent records and the time since which the first one waits. */
export async function unsentOf(sql: Sql, clinicId: number): Promise<{ count: number; sinceMs: number | null }> {
  const [row] = await rowsOf<{ count: number; sinceMs: number | null }>(
    sql,
    'unsent of clinic',
    `select count(*)::int as count, ${msOf('min(r.received_at)')}::float8 as "sinceMs" from fiscal_sendings s
     join fiscal_records r on r.clinic_id = s.clinic_id and r.id = s.record_id
     where s.state = 'unsent' and s.clinic_id = $1`,
    [clinicId],
  );
  return row!;
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

/** Returns the clinics with unsent records. */
export async function waitingClinics(
  sql: Sql,
): Promise<{ clinicId: number; count: number; sinceMs: number; hasCertificate: boolean }[]> {
  return rowsOf(
    sql,
    'waiting clinics',
    `select s.clinic_id as "clinicId", count(*)::int as count, ${msOf('min(r.received_at)')}::float8 as "sinceMs",
       exists (select from fiscal_certificates c where c.clinic_id = s.clinic_id) as "hasCertificate"
     from fiscal_sendings s join fiscal_records r on r.clinic_id = s.clinic_id and r.id = s.record_id
     where s.state = 'unsent' group by s.clinic_id`,
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
