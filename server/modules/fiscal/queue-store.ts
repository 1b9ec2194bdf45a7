/** The fiscal records that wait for the tax agency, and the calls that are due, in SQL. */
import { dayMs } from '#domain/durations.ts';
import type { FiscalRecord } from '#domain/fiscal/record.ts';
import { isoOf } from '#domain/instant.ts';
import { msOf, rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';
import { monthsOf, patientFailures } from './months.ts';

/**
 * SQL: records that the agency rejected because it has their numbers, while the question whether it has them is waited for.
 * They are not sent again, and what follows in their chains waits.
 */
const doubted = `select b.clinic_id, h.chain, h.device_id, h.id from fiscal_inquiries q
    join fiscal_sendings b on b.tax_id = q.tax_id and b.state = 'rejected' and b.code in (3000, 3001) and b.replied_at >= q.doubts_since
    join fiscal_records h on h.clinic_id = b.clinic_id and h.id = b.record_id and q.month in (${monthsOf('h')})
    where q.failures < ${patientFailures}`;

/**
 * SQL: `barrier` has the first record of each chain that does not go out yet: it is held back, or cancels a document whose
 * own record waits behind one. What follows in that chain waits too, as behind a duplicate about which the agency is asked.
 */
const barriers = `held as (
    select clinic_id, chain, device_id, min(id) as id from (
      select b.clinic_id, h.chain, h.device_id, h.id from fiscal_sendings b
      join fiscal_records h on h.clinic_id = b.clinic_id and h.id = b.record_id where b.held_for is not null
      union all ${doubted}) each_held group by 1, 2, 3),
  barrier as (
    select * from held
    union all
    select k.clinic_id, k.chain, k.device_id, min(k.id) from held
    join fiscal_records i on i.clinic_id = held.clinic_id and i.chain = held.chain and i.device_id = held.device_id and i.id >= held.id
    join fiscal_sendings w on w.clinic_id = i.clinic_id and w.record_id = i.id and w.state = 'unsent'
    join fiscal_records k on k.clinic_id = i.clinic_id and k.document_op_id = i.document_op_id and k.number = i.number and k.type = 'cancel'
    group by 1, 2, 3)`;

/**
 * SQL: nothing before the record `r` in its chain holds it up. The first condition spares the comparison of every record while none
 * is held back.
 */
const isNext = `(not exists (select from held) or not exists (select from barrier b
  where b.clinic_id = r.clinic_id and b.chain = r.chain and b.device_id = r.device_id and b.id <= r.id))`;

/** The longest that the sender waits for anything, unless a clock was wrong. */
export const longestWaitMs = dayMs;

/** SQL: whether a time has come, by $1. One that is further away than anybody waits was stored by a clock that was wrong. */
export const isDueAt = (column: string, now = '$1'): string =>
  `(${column} <= ${now}::timestamptz or ${column} > ${now}::timestamptz + ${longestWaitMs} * interval '1 ms')`;

/** Returns the taxpayers for whom a call is due: they have unsent records, or an open question to the agency. */
export async function dueTaxpayers(sql: Sql, nowMs: number): Promise<string[]> {
  const rows = await rowsOf<{ taxId: string }>(
    sql,
    'due taxpayers',
    `select u.tax_id as "taxId" from (select tax_id from fiscal_sendings where state = 'unsent'
       union select tax_id from fiscal_inquiries where ${isDueAt('next_at')}) u
     left join fiscal_senders s using (tax_id) where s.next_call_at is null or ${isDueAt('s.next_call_at')} order by 1`,
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

/** Counts a call before it is made. If its reply is lost, the records may have arrived. */
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
