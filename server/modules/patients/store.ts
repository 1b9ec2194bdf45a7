import type { PatientResource } from '../../../domain/patient/resources.ts';
import type { Patient, RecipientUpdate } from '../../../domain/patient/patient.ts';
import { patientTerms, phoneDigits } from '../../../domain/patient/search.ts';
import { nameWords } from '../../../domain/search-key.ts';
import { insertRows, isoOf, isoText, msOf, rowsOf } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';

const documentJson = `case
  when p.erased_at is not null then json_build_object('id', p.id, 'name', '', 'phone', '', 'erased_at', ${isoText('p.erased_at')})
  when p.recipient is not null then json_build_object('id', p.id, 'name', p.name, 'phone', p.phone, 'recipient', p.recipient)
  else json_build_object('id', p.id, 'name', p.name, 'phone', p.phone) end`;

/** Selects rows for the change feed, which adds the conditions (`feed/store.ts`). */
export const feedPatients = `select p.xid::text as xid, p.id::text as id, ${documentJson} as row from patients p`;

/** Returns patients in the order of their ids. */
export async function patientsAfter(
  sql: Sql,
  clinicId: number,
  { after = lowestId, limit }: { after?: string | undefined; limit: number },
): Promise<PatientResource[]> {
  const found = await rowsOf<{ row: PatientResource }>(
    sql,
    'patients after',
    `select ${documentJson} as row from patients p where p.clinic_id = $1 and p.id > $2 order by p.id limit $3`,
    [clinicId, after, limit],
  );
  return found.map(({ row }) => row);
}

const lowestId = '00000000-0000-0000-0000-000000000000';

export async function patientById(sql: Sql, clinicId: number, id: string): Promise<PatientResource | undefined> {
  const [found] = await rowsOf<{ row: PatientResource }>(
    sql,
    'patient',
    `select ${documentJson} as row from patients p where p.clinic_id = $1 and p.id = $2`,
    [clinicId, id],
  );
  return found?.row;
}

/** The stored data of a patient, with the times of their last changes. */
export interface PatientRecord extends PatientResource {
  name_changed_at: string;
  phone_changed_at: string;
}

export async function patientRecord(sql: Sql, clinicId: number, id: string): Promise<PatientRecord | undefined> {
  const [found] = await rowsOf<PatientRecord>(
    sql,
    'patient record',
    `select id, name, phone, ${isoText('name_at')} as name_changed_at, ${isoText('phone_at')} as phone_changed_at,
       recipient, ${isoText('erased_at')} as erased_at from patients where clinic_id = $1 and id = $2`,
    [clinicId, id],
  );
  return found;
}

/** Locks the existing patients among these, in ascending order. */
export async function lockPatients(sql: Sql, clinicId: number, ids: readonly string[]): Promise<Map<string, Patient>> {
  const rows = await rowsOf<Patient>(
    sql,
    'lock patients',
    `select id, name, ${msOf('name_at')}::float8 as "nameAtMs", phone, ${msOf('phone_at')}::float8 as "phoneAtMs"
     from patients where clinic_id = $1 and id = any($2::uuid[]) order by id for update`,
    [clinicId, ids],
  );
  return new Map(rows.map((patient) => [patient.id, patient]));
}

const columns = ['clinic_id', 'id', 'name', 'name_at', 'search_key', 'phone', 'phone_at', 'phone_key'] as const;

const rowOf = (clinicId: number, { id, name, nameAtMs, phone, phoneAtMs }: Patient) => ({
  clinic_id: clinicId,
  id,
  name,
  name_at: isoOf(nameAtMs),
  search_key: nameWords(name).join(' '),
  phone,
  phone_at: isoOf(phoneAtMs),
  phone_key: phoneDigits(phone),
});

/** Inserts patients, except those that exist or that another transaction is inserting. */
export const insertPatients = (sql: Sql, clinicId: number, patients: readonly Patient[]): Promise<void> =>
  insertRows(
    sql,
    'patients',
    columns,
    patients.map((patient) => rowOf(clinicId, patient)),
    'on conflict do nothing',
  );

export const savePatients = (sql: Sql, clinicId: number, patients: readonly Patient[]): Promise<void> =>
  insertRows(
    sql,
    'patients',
    columns,
    patients.map((patient) => rowOf(clinicId, patient)),
    `on conflict (clinic_id, id) do update set ${columns
      .slice(2)
      .map((column) => `${column} = excluded.${column}`)
      .join(', ')}`,
  );

/**
 * Keeps the recipients of full invoices, of each patient the latest. Requires the locks of the patients. The text breaks
 * ties, so that the order of arrival does not matter.
 */
export async function saveRecipients(sql: Sql, clinicId: number, updates: readonly RecipientUpdate[]): Promise<void> {
  await sql.query({
    name: 'save recipients',
    text: `update patients p set recipient = latest.recipient, recipient_at = latest.at
           from (select distinct on (id) * from (
               select id, recipient, to_timestamp("atMs" / 1000.0) as at
               from json_to_recordset($2::json) as u(id uuid, recipient jsonb, "atMs" float8)) given
             order by id, at desc, recipient::text desc) latest
           where p.clinic_id = $1 and p.id = latest.id and p.erased_at is null
             and (p.recipient_at is null or (p.recipient_at, p.recipient::text) < (latest.at, latest.recipient::text))`,
    values: [clinicId, JSON.stringify(updates)],
  });
}

export interface PatientQuery {
  page: number;
  per_page: number;
  /** Beginnings of words of the name, or digits of the phone number. */
  search?: string | undefined;
}

/**
 * Returns a page of patients by name, and the total. A search reads every patient of the clinic, because any word may
 * match.
 */
export async function listPatients(
  sql: Sql,
  clinicId: number,
  { page, per_page, search }: PatientQuery,
): Promise<{ data: PatientResource[]; total: number }> {
  const terms = patientTerms(search ?? '');
  // A search without letters and digits matches nobody.
  if (search?.trim() && terms.length === 0) return { data: [], total: 0 };
  const where = [
    'clinic_id = $1',
    'erased_at is null',
    ...terms.map((_, index) => `(' ' || search_key like '% ' || $${index + 2} or phone_key like '%' || $${index + 2})`),
  ];
  const { rows } = await sql.query(
    `with matching as not materialized (select id, name, phone, search_key, recipient, erased_at from patients where ${where.join(' and ')})
     select (select count(*)::int from matching) as total,
       (select coalesce(json_agg(${documentJson} order by p.search_key, p.id), '[]'::json)
        from (select * from matching order by search_key, id limit ${per_page} offset ${(page - 1) * per_page}) p) as data`,
    [clinicId, ...terms.map((term) => `${term}%`)],
  );
  return rows[0] as { data: PatientResource[]; total: number };
}
