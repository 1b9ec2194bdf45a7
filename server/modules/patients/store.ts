import type { PatientResource } from '../../../domain/patient/resources.ts';
import type { Patient } from '../../../domain/patient/patient.ts';
import { patientTerms, phoneDigits } from '../../../domain/patient/search.ts';
import { nameWords } from '../../../domain/search-key.ts';
import { insertRows, isoOf, isoText, msOf, rowsOf } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';

const documentJson = `case when p.erased_at is null then json_build_object('id', p.id, 'name', p.name, 'phone', p.phone)
  else json_build_object('id', p.id, 'name', '', 'phone', '', 'erased_at', ${isoText('p.erased_at')}) end`;

/** Selects rows for the change feed, which adds the conditions (`feed/store.ts`). */
export const feedPatients = `select p.xid::text as xid, p.id::text as id, ${documentJson} as row from patients p`;

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
       ${isoText('erased_at')} as erased_at from patients where clinic_id = $1 and id = $2`,
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
    `with matching as not materialized (select id, name, phone, search_key, erased_at from patients where ${where.join(' and ')})
     select (select count(*)::int from matching) as total,
       (select coalesce(json_agg(${documentJson} order by p.search_key, p.id), '[]'::json)
        from (select * from matching order by search_key, id limit ${per_page} offset ${(page - 1) * per_page}) p) as data`,
    [clinicId, ...terms.map((term) => `${term}%`)],
  );
  return rows[0] as { data: PatientResource[]; total: number };
}
