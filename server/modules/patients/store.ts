import type { PatientResource } from '#domain/patient/resources.ts';
import type { Patient, RecipientUpdate } from '#domain/patient/patient.ts';
import { patientTerms, phoneDigits } from '#domain/patient/search.ts';
import { nameWords } from '#domain/search-key.ts';
import { insertInto } from '#server/db/insert.ts';
import { patients } from '#server/db/schema/patients.ts';
import { isoOf, isoText, msOf, rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';

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

export interface LockedPatient extends Patient {
  /** The recipient of the latest full invoice; null before the first. */
  known: Pick<RecipientUpdate, 'recipient' | 'at'> | null;
  isErased: boolean;
}

/** The place of the last update of a register (`fact-order.ts`). */
const placeJson = (register: 'name' | 'phone' | 'recipient') =>
  `json_build_object('atMs', ${msOf(`${register}_at`)}::float8, 'deviceId', ${register}_device_id, 'deviceSeq', ${register}_device_seq)`;

/** Locks the existing patients among these, in ascending order. */
export async function lockPatients(
  sql: Sql,
  clinicId: number,
  ids: readonly string[],
): Promise<Map<string, LockedPatient>> {
  const rows = await rowsOf<LockedPatient>(
    sql,
    'lock patients',
    `select id, name, ${placeJson('name')} as "nameAt", phone, ${placeJson('phone')} as "phoneAt", erased_at is not null as "isErased",
       case when recipient is not null then json_build_object('recipient', recipient, 'at', ${placeJson('recipient')}) end as known
     from patients where clinic_id = $1 and id = any($2::uuid[]) order by id for update`,
    [clinicId, ids],
  );
  return new Map(rows.map((patient) => [patient.id, patient]));
}

const rowOf = (clinicId: number, { id, name, nameAt, phone, phoneAt }: Patient) => ({
  clinicId,
  id,
  name,
  nameAt: nameAt.atMs,
  nameDeviceId: nameAt.deviceId,
  nameDeviceSeq: nameAt.deviceSeq,
  searchKey: nameWords(name).join(' '),
  phone,
  phoneAt: phoneAt.atMs,
  phoneDeviceId: phoneAt.deviceId,
  phoneDeviceSeq: phoneAt.deviceSeq,
  phoneKey: phoneDigits(phone),
});

const leaves = ['recipient', 'recipientAt', 'recipientDeviceId', 'recipientDeviceSeq', 'erasedAt'] as const;
const insertAbsent = insertInto(patients, { leaves, existing: 'stays' });
const insertOrUpdate = insertInto(patients, {
  leaves,
  existing: {
    update: [
      'name',
      'nameAt',
      'nameDeviceId',
      'nameDeviceSeq',
      'searchKey',
      'phone',
      'phoneAt',
      'phoneDeviceId',
      'phoneDeviceSeq',
      'phoneKey',
    ],
  },
});

/** Inserts patients, except those that exist or that another transaction is inserting. */
export const insertPatients = (sql: Sql, clinicId: number, added: readonly Patient[]): Promise<void> =>
  insertAbsent(
    sql,
    added.map((patient) => rowOf(clinicId, patient)),
  );

export const savePatients = (sql: Sql, clinicId: number, saved: readonly Patient[]): Promise<void> =>
  insertOrUpdate(
    sql,
    saved.map((patient) => rowOf(clinicId, patient)),
  );

/** Requires the locks of the patients. */
export async function saveRecipients(sql: Sql, clinicId: number, updates: readonly RecipientUpdate[]): Promise<void> {
  if (updates.length === 0) return;
  const given = updates.map(({ id, recipient, at }) => ({
    id,
    recipient,
    at: isoOf(at.atMs),
    device: at.deviceId,
    seq: at.deviceSeq,
  }));
  await sql.query({
    name: 'save recipients',
    text: `update patients p set recipient = u.recipient, recipient_at = u.at, recipient_device_id = u.device, recipient_device_seq = u.seq
           from json_to_recordset($2::json) as u(id uuid, recipient jsonb, at timestamptz, device int, seq bigint)
           where p.clinic_id = $1 and p.id = u.id`,
    values: [clinicId, JSON.stringify(given)],
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
