/** The progress and the reports of devices in SQL. */
import { maxNumberStep, maxSequenceStep } from '#domain/limits.ts';
import { largestInteger } from '#domain/wire/schemas.ts';
import { series } from '#domain/order/numbers.ts';
import type { Series } from '#domain/order/numbers.ts';
import { isoOf } from '#domain/instant.ts';
import { latestAt } from '#server/clocks.ts';
import { msOf, rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';

/** The place of an applied operation in its device's sequence. */
export interface ReachedSequence {
  opId: string;
  device: number;
  seq: number;
}

/** A number on the document of an applied operation. It counts if the code was granted to the device. */
export interface UsedNumber {
  opId: string;
  device: number;
  of: Series;
  /** Null for a text that is no number of its series. */
  code: string | null;
  count: number | null;
  number: string;
}

/** What contradicts a device's history: a number that is not its own, or a step that was too large to count. */
interface OddProgress {
  opId: string;
  kind: 'number_foreign' | 'number_jump' | 'sequence_jump';
  number: string | null;
}

/** Locks devices in the order of their ids. */
export async function lockDevices(sql: Sql, clinicId: number, ids: readonly number[]): Promise<void> {
  await sql.query({
    name: 'lock devices',
    text: 'select 1 from devices where clinic_id = $1 and id = any($2::int[]) order by id for no key update',
    values: [clinicId, ids],
  });
}

/** Chooses by the series of the number `u`. */
const countOf = (by: (of: Series) => string): string =>
  `case u.of ${series.map((of) => `when '${of}' then ${by(of)}`).join(' ')} end`;

/** The highest number that may move a counter. */
const within = (of: Series): string => `least(c.${of}::bigint + $5, ${largestInteger})`;

/** The server alone advances its own series. */
const isOwn = `c.device_id = u.device and c.code not like '%0'`;
/** Of the server's series, a request carries what the server has just counted. */
const isServers = `c.code like '%0' and u.count <= ${countOf((of) => `c.${of}`)}`;

const nearest = (of: Series): string =>
  `max(u.count) filter (where u.of = '${of}' and u.count <= ${within(of)})::int as ${of}`;

/**
 * Raises the last sequence numbers and the counters; lower values than the stored ones change nothing.
 *
 * @returns foreign numbers, and steps beyond the limits; they moved nothing
 */
export async function saveProgress(
  sql: Sql,
  clinicId: number,
  atMs: number,
  { sequences, numbers }: { sequences: readonly ReachedSequence[]; numbers: readonly UsedNumber[] },
): Promise<OddProgress[]> {
  return rowsOf<OddProgress>(
    sql,
    'device progress',
    `with reached as (select * from json_to_recordset($2::json) as r("opId" uuid, device int, seq bigint)),
       used as (select * from json_to_recordset($3::json) as r("opId" uuid, device int, of text, code text, count float8, number text)),
       counts as (
         select c.code, ${series.map(nearest).join(', ')} from device_codes c
         join used u on u.code = c.code and ${isOwn} where c.clinic_id = $1 group by c.code),
       counted as (
         update device_codes c set ${series.map((of) => `${of} = greatest(c.${of}, n.${of})`).join(', ')}
         from counts n where c.clinic_id = $1 and c.code = n.code),
       seqs as (
         select d.id, max(r.seq) filter (where r.seq <= d.last_seq + $6) as seq from devices d
         join reached r on r.device = d.id where d.clinic_id = $1 group by d.id),
       advanced as (
         update devices d set last_seq = greatest(d.last_seq, s.seq), last_seen_at = $4 from seqs s where d.clinic_id = $1 and d.id = s.id)
     select u."opId", 'number_jump' as kind, u.number from used u join device_codes c on c.clinic_id = $1 and c.code = u.code and ${isOwn}
     where u.count > ${countOf(within)}
     union all
     select u."opId", 'number_foreign', u.number from used u
     where not exists (select from device_codes c where c.clinic_id = $1 and c.code = u.code and (${isOwn} or ${isServers}))
     union all
     select r."opId", 'sequence_jump', null from reached r join devices d on d.clinic_id = $1 and d.id = r.device where r.seq > d.last_seq + $6`,
    [clinicId, JSON.stringify(sequences), JSON.stringify(numbers), isoOf(atMs), maxNumberStep, maxSequenceStep],
  );
}

export interface DeviceReport {
  clinicId: number;
  deviceId: number;
  /** The number of unsent operations. */
  waiting: number;
  atMs: number;
}

export async function saveReport(sql: Sql, { clinicId, deviceId, waiting, atMs }: DeviceReport): Promise<void> {
  await sql.query({
    name: 'note device report',
    text: `update devices set waiting = $3, last_seen_at = $4, cleared_at = case when $3 = 0 then $4 else cleared_at end
             where clinic_id = $1 and id = $2`,
    values: [clinicId, deviceId, waiting, isoOf(atMs)],
  });
}

export interface LastReport {
  waiting: number;
  lastSeenAtMs: number | null;
  clearedAtMs: number | null;
  /** A drawer was closed after the device last reported that nothing waits. */
  awaited: boolean;
  /** A device of the clinic has reported at a time to come. */
  isAhead: boolean;
}

export async function lastReport(
  sql: Sql,
  { clinicId, deviceId, atMs }: Omit<DeviceReport, 'waiting'>,
): Promise<LastReport | undefined> {
  const [row] = await rowsOf<{ report: LastReport }>(
    sql,
    'last device report',
    `select json_build_object('waiting', d.waiting, 'lastSeenAtMs', ${msOf('d.last_seen_at')}, 'clearedAtMs', ${msOf('d.cleared_at')},
       'awaited', exists (select 1 from drawers w where w.clinic_id = d.clinic_id
         and w.closed_at > case when d.cleared_at <= $3 then d.cleared_at else '-infinity' end),
       'isAhead', exists (select 1 from devices o where o.clinic_id = d.clinic_id and greatest(o.last_seen_at, o.cleared_at) > $3)) as report
     from devices d where d.clinic_id = $1 and d.id = $2`,
    [clinicId, deviceId, latestAt(atMs)],
  );
  return row?.report;
}

/**
 * Forgets the reports of a time to come. With them no drawer would wait for their devices until then. A device reports again at
 * its next contact.
 */
export async function forgetReportsAhead(sql: Sql, clinicId: number, atMs: number): Promise<void> {
  await sql.query({
    name: 'forget reports ahead',
    text: `update devices set cleared_at = case when cleared_at <= $2 then cleared_at end,
             last_seen_at = case when last_seen_at <= $2 then last_seen_at end
           where clinic_id = $1 and greatest(last_seen_at, cleared_at) > $2`,
    values: [clinicId, latestAt(atMs)],
  });
}
