/** Erasures in SQL. */
import { defaultSettings } from '#domain/settings/settings.ts';
import { isoOf } from '#domain/instant.ts';
import { isoText, msOf, rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';

/** The patients and treatments that operations name. */
export interface Named {
  patientIds: readonly string[];
  orderIds: readonly string[];
}

/** Returns the erased patients among those named, and the treatments of erased patients. */
export async function erasedAmong(
  sql: Sql,
  clinicId: number,
  { patientIds, orderIds }: Named,
): Promise<{ patients: Set<string>; orders: Set<string> }> {
  const [found] = await rowsOf<{ patients: string[]; orders: string[] }>(
    sql,
    'erased among',
    `select
       array(select patient_id::text from patient_erasures where clinic_id = $1 and patient_id = any($2::uuid[])) as patients,
       array(select o.id::text from orders o join patient_erasures e on e.clinic_id = o.clinic_id and e.patient_id = o.patient_id
             where o.clinic_id = $1 and o.id = any($3::uuid[])) as orders`,
    [clinicId, patientIds, orderIds],
  );
  return { patients: new Set(found!.patients), orders: new Set(found!.orders) };
}

export interface NewErasure {
  patientIds: readonly string[];
  atMs: number;
  /** Null for the retention period. */
  userId: number | null;
  reason: string;
}

/** Records erasures. One that is recorded already stays as it is. */
export async function insertErasures(
  sql: Sql,
  clinicId: number,
  { patientIds, atMs, userId, reason }: NewErasure,
): Promise<void> {
  await sql.query({
    name: 'insert erasures',
    text: `insert into patient_erasures (clinic_id, patient_id, erased_at, erased_by, reason)
           select $1, unnest($2::uuid[]), $3, $4, $5 on conflict do nothing`,
    values: [clinicId, patientIds, isoOf(atMs), userId, reason],
  });
}

/** Empties the rows of patients whose erasure is recorded, and makes them where a restored backup has none. */
export async function emptyPatients(sql: Sql, clinicId: number, patientIds: readonly string[]): Promise<void> {
  await sql.query({
    name: 'empty patients',
    text: `insert into patients (clinic_id, id, name, name_at, search_key, phone_at, email_at, notes_at, recipient_at, erased_at)
           select clinic_id, patient_id, '', erased_at, '', erased_at, erased_at, erased_at, erased_at, erased_at
           from patient_erasures where clinic_id = $1 and patient_id = any($2::uuid[])
           on conflict (clinic_id, id) do update set name = '', name_at = excluded.name_at, search_key = '', phone = '',
             name_device_id = 0, name_device_seq = 0, phone_at = excluded.phone_at, phone_key = '',
             phone_device_id = 0, phone_device_seq = 0, email = '', email_at = excluded.email_at, email_device_id = 0, email_device_seq = 0,
             notes = '', notes_at = excluded.notes_at, notes_device_id = 0, notes_device_seq = 0,
             recipient = null, recipient_at = excluded.recipient_at, recipient_device_id = 0, recipient_device_seq = 0, details_key = '',
             erased_at = excluded.erased_at`,
    values: [clinicId, patientIds],
  });
}

/** Returns the patients, of any clinic, whose erasure is recorded and who still have a row that was not emptied. */
export function unfinishedErasures(sql: Sql, limit: number): Promise<{ clinicId: number; patientId: string }[]> {
  return rowsOf(
    sql,
    'unfinished erasures',
    `select e.clinic_id as "clinicId", e.patient_id as "patientId" from patient_erasures e
     left join patients p on p.clinic_id = e.clinic_id and p.id = e.patient_id
     where p.erased_at is null order by e.clinic_id limit $1`,
    [limit],
  );
}

/** Returns the erasures' times and reasons, for the patient's file. */
export async function erasureOf(
  sql: Sql,
  clinicId: number,
  patientId: string,
): Promise<{ erased_at: string; reason: string } | null> {
  const [found] = await rowsOf<{ erased_at: string; reason: string }>(
    sql,
    'erasure',
    'select erased_at, reason from patient_erasures where clinic_id = $1 and patient_id = $2',
    [clinicId, patientId],
  );
  return found ?? null;
}

/**
 * Returns the clinics that erase patients after some years and where it is night, with the first instant that is recent
 * enough to keep one.
 */
export function retainingClinics(
  sql: Sql,
  atMs: number,
): Promise<{ clinicId: number; before: string; timeZone: string }[]> {
  return rowsOf(
    sql,
    'clinics with retention',
    `select s.clinic_id as "clinicId", ${isoText(`($1::timestamptz - make_interval(years => (s.data ->> 'patient_retention_years')::int))`)} as before,
       coalesce(s.data ->> 'time_zone', '${defaultSettings.time_zone}') as "timeZone"
     from settings s where (s.data ->> 'patient_retention_years')::int > 0
       and extract(hour from $1::timestamptz at time zone coalesce(s.data ->> 'time_zone', '${defaultSettings.time_zone}')) between 1 and 5`,
    [isoOf(atMs)],
  );
}

/** SQL: patients `p` of the clinic $1 whose data and treatments are all older than $2, and who have nothing to pay. */
const isOutlived = `p.clinic_id = $1 and p.erased_at is null
  and greatest(p.name_at, p.phone_at, p.email_at, p.notes_at, p.recipient_at) < $2::timestamptz
  and not exists (select from orders o where o.clinic_id = p.clinic_id and o.patient_id = p.id
    and (o.created_at >= $2 or o.status = 'confirmed' or o.updated_at >= $2))`;

interface Outlived {
  clinicId: number;
  /** The first instant that is recent enough to keep a patient. */
  before: string;
  nowMs: number;
}

/**
 * Notes the patients whose retention period has ended, and forgets those whom something keeps again. What was noted at a time to
 * come, by a clock that was wrong, is noted anew.
 *
 * @returns how many are noted, whether some are new, and the time at which the first were
 */
export async function noteOutlived(
  sql: Sql,
  { clinicId, before, nowMs }: Outlived,
): Promise<{ count: number; isNews: boolean; firstSaidMs: number | null }> {
  const values = [clinicId, before, isoOf(nowMs)];
  await sql.query({
    name: 'forget notices',
    text: `delete from retention_notices n where n.clinic_id = $1
      and (n.said_at > $3 or not exists (select from patients p where p.id = n.patient_id and ${isOutlived}))`,
    values,
  });
  const added = await rowsOf(
    sql,
    'note outlived',
    `insert into retention_notices (clinic_id, patient_id, said_at)
     select $1::int, p.id, $3::timestamptz from patients p where ${isOutlived} on conflict do nothing returning 1`,
    values,
  );
  const [noted] = await rowsOf<{ count: number; firstSaidMs: number | null }>(
    sql,
    'count notices',
    `select count(*)::int as count, ${msOf('min(said_at)')}::float8 as "firstSaidMs" from retention_notices where clinic_id = $1`,
    [clinicId],
  );
  return { ...noted!, isNews: added.length > 0 };
}

/** Returns patients whose retention period has ended, and of whom a manager has known for long enough. */
export async function outlivedPatients(
  sql: Sql,
  { clinicId, before, saidBeforeMs, limit }: Omit<Outlived, 'nowMs'> & { saidBeforeMs: number; limit: number },
): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(
    sql,
    'outlived patients',
    `select p.id from retention_notices n join patients p on p.clinic_id = n.clinic_id and p.id = n.patient_id
     where n.said_at <= $3 and ${isOutlived} order by p.id limit $4`,
    [clinicId, before, isoOf(saidBeforeMs), limit],
  );
  return rows.map(({ id }) => id);
}
