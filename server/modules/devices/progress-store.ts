/** The progress and the reports of devices in SQL. */
import type { NumberCounters } from '../../../domain/order/numbers.ts';
import { isoOf, msOf, rowsOf } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';

/** The highest numbers that a device has used under one of its codes. */
export interface CodeCounters extends NumberCounters {
  code: string;
  device: number;
}

/** Locks devices in the order of their ids. */
export async function lockDevices(sql: Sql, clinicId: number, ids: readonly number[]): Promise<void> {
  await sql.query({
    name: 'lock devices',
    text: 'select 1 from devices where clinic_id = $1 and id = any($2::int[]) order by id for no key update',
    values: [clinicId, ids],
  });
}

/** Raises the last sequence numbers and the counters; lower values than the stored ones change nothing. */
export async function saveProgress(
  sql: Sql,
  clinicId: number,
  atMs: number,
  { seqs, counters }: { seqs: readonly { id: number; seq: number }[]; counters: readonly CodeCounters[] },
): Promise<void> {
  await sql.query({
    name: 'device progress',
    text: `with counted as (
             update device_codes c set treatment = greatest(c.treatment, r.treatment), invoice = greatest(c.invoice, r.invoice),
               credit_note = greatest(c.credit_note, r.credit_note)
             from json_to_recordset($3::json) as r(code text, device int, treatment int, invoice int, credit_note int)
             where c.clinic_id = $1 and c.code = r.code and c.device_id = r.device
           )
           update devices d set last_seq = greatest(d.last_seq, r.seq), last_seen_at = $4
           from json_to_recordset($2::json) as r(id int, seq bigint) where d.clinic_id = $1 and d.id = r.id`,
    values: [clinicId, JSON.stringify(seqs), JSON.stringify(counters), isoOf(atMs)],
  });
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

interface LastReport {
  waiting: number;
  lastSeenAtMs: number | null;
  clearedAtMs: number | null;
  /** A drawer was closed after the device last reported that nothing waits. */
  awaited: boolean;
}

export async function lastReport(sql: Sql, clinicId: number, deviceId: number): Promise<LastReport | undefined> {
  const [row] = await rowsOf<{ report: LastReport }>(
    sql,
    'last device report',
    `select json_build_object('waiting', d.waiting, 'lastSeenAtMs', ${msOf('d.last_seen_at')}, 'clearedAtMs', ${msOf('d.cleared_at')},
       'awaited', exists (select 1 from drawers w where w.clinic_id = d.clinic_id and w.closed_at > coalesce(d.cleared_at, '-infinity'))) as report
     from devices d where d.clinic_id = $1 and d.id = $2`,
    [clinicId, deviceId],
  );
  return row?.report;
}
