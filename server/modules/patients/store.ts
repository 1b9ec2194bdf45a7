import type { FactPlace } from '#domain/fact-order.ts';
import type { FullPatientResource, PatientDetailsResource, PatientResource } from '#domain/patient/resources.ts';
import type { Patient } from '#domain/patient/patient.ts';
import { detailsKeys, patientTerms, phoneDigits } from '#domain/patient/search.ts';
import { nameWords } from '#domain/search-key.ts';
import { insertInto } from '#server/db/insert.ts';
import { patients } from '#server/db/schema/patients.ts';
import { latestAt } from '#server/clocks.ts';
import { isoText, msOf, rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';

const erasedJson = `'name', '', 'phone', '', 'erased_at', ${isoText('p.erased_at')}`;
const namedJson = `'name', p.name, 'phone', p.phone`;
const detailFields = `'email', p.email, 'notes', p.notes, 'recipient', p.recipient`;

const namedPatientJson = `case when p.erased_at is not null then json_build_object('id', p.id, ${erasedJson})
  else json_build_object('id', p.id, ${namedJson}) end`;
const detailsJson = `json_build_object('id', p.id, ${detailFields})`;
const fullPatientJson = `case when p.erased_at is not null then json_build_object('id', p.id, ${erasedJson}, ${detailFields})
  else json_build_object('id', p.id, ${namedJson}, ${detailFields}) end`;

/** Select rows for the change feed, which adds the conditions (`feed/selection-store.ts`). */
export const feedPatients = `select p.xid::text as xid, p.id::text as id, ${namedPatientJson} as row from patients p`;
export const feedPatientDetails = `select p.xid::text as xid, p.id::text as id, ${detailsJson} as row from patients p`;

/** The condition for patients of whom a detail was ever stated, among them those who have none any more. */
export const hasHadDetails = `greatest(p.email_at, p.notes_at, p.recipient_at) > to_timestamp(0)`;

/** Returns patients in the order of their ids. */
export async function patientsAfter(
  sql: Sql,
  clinicId: number,
  { after = lowestId, limit }: { after?: string | undefined; limit: number },
): Promise<{ patients: PatientResource[]; details: PatientDetailsResource[] }> {
  const found = await rowsOf<{ row: PatientResource; details: PatientDetailsResource | null }>(
    sql,
    'patients after',
    `select ${namedPatientJson} as row, case when ${hasHadDetails} then ${detailsJson} end as details
     from patients p where p.clinic_id = $1 and p.id > $2 order by p.id limit $3`,
    [clinicId, after, limit],
  );
  return { patients: found.map(({ row }) => row), details: found.flatMap(({ details }) => details ?? []) };
}

const lowestId = '00000000-0000-0000-0000-000000000000';

export async function patientById(sql: Sql, clinicId: number, id: string): Promise<FullPatientResource | undefined> {
  const [found] = await rowsOf<{ row: FullPatientResource }>(
    sql,
    'patient',
    `select ${fullPatientJson} as row from patients p where p.clinic_id = $1 and p.id = $2`,
    [clinicId, id],
  );
  return found?.row;
}

/** The stored data of a patient, with the times of their last changes; null where nothing was stated. */
export interface PatientRecord extends FullPatientResource, Record<`${Register}_changed_at`, string | null> {}

const registers = ['name', 'phone', 'email', 'notes', 'recipient'] as const;
type Register = (typeof registers)[number];

export async function patientRecord(sql: Sql, clinicId: number, id: string): Promise<PatientRecord | undefined> {
  const [found] = await rowsOf<PatientRecord>(
    sql,
    'patient record',
    `select id, ${registers.join(', ')}, ${registers.map((of) => `${isoText(`nullif(${of}_at, to_timestamp(0))`)} as ${of}_changed_at`).join(', ')},
       ${isoText('erased_at')} as erased_at from patients where clinic_id = $1 and id = $2`,
    [clinicId, id],
  );
  return found;
}

export interface LockedPatient extends Patient {
  isErased: boolean;
}

/** Not the beginning of 1970, which says that nothing was ever stated. */
const longAgoMs = 1;

/** The place of the last update of a register (`fact-order.ts`). One of a time to come would win against all until then, so any wins. */
const placeJson = (register: Register) =>
  `json_build_object('atMs', case when ${register}_at <= $3 then ${msOf(`${register}_at`)}::float8 else ${longAgoMs} end, 'deviceId', ${register}_device_id, 'deviceSeq', ${register}_device_seq)`;

/** Locks the existing patients among these, in ascending order. */
export async function lockPatients(
  sql: Sql,
  clinicId: number,
  { ids, nowMs }: { ids: readonly string[]; nowMs: number },
): Promise<Map<string, LockedPatient>> {
  const rows = await rowsOf<LockedPatient>(
    sql,
    'lock patients',
    `select id, ${registers.map((of) => `${of}, ${placeJson(of)} as "${of}At"`).join(', ')}, erased_at is not null as "isErased"
     from patients where clinic_id = $1 and id = any($2::uuid[]) order by id for update`,
    [clinicId, ids, latestAt(nowMs)],
  );
  return new Map(rows.map((patient) => [patient.id, patient]));
}

const rowOf = (clinicId: number, patient: Patient) => ({
  clinicId,
  id: patient.id,
  name: patient.name,
  ...columnsOf('name', patient.nameAt),
  searchKey: nameWords(patient.name).join(' '),
  phone: patient.phone,
  ...columnsOf('phone', patient.phoneAt),
  phoneKey: phoneDigits(patient.phone),
  email: patient.email,
  ...columnsOf('email', patient.emailAt),
  notes: patient.notes,
  ...columnsOf('notes', patient.notesAt),
  recipient: patient.recipient,
  ...columnsOf('recipient', patient.recipientAt),
  detailsKey: detailsKeys(patient)
    .map((key) => ` ${key}`)
    .join(''),
});

/** Returns the columns of a register's place. */
const columnsOf = <Of extends Register>(register: Of, { atMs, deviceId, deviceSeq }: FactPlace) =>
  ({ [`${register}At`]: atMs, [`${register}DeviceId`]: deviceId, [`${register}DeviceSeq`]: deviceSeq }) as Record<
    `${Of}${'At' | 'DeviceId' | 'DeviceSeq'}`,
    number
  >;

const leaves = ['erasedAt'] as const;
const insertAbsent = insertInto(patients, { leaves, existing: 'stays' });
const insertOrUpdate = insertInto(patients, {
  leaves,
  existing: {
    update: [
      ...registers.flatMap((of) => [of, `${of}At`, `${of}DeviceId`, `${of}DeviceSeq`] as const),
      'searchKey',
      'phoneKey',
      'detailsKey',
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

export interface PatientQuery {
  page: number;
  per_page: number;
  /** Beginnings of words of the name, digits of the phone number, an e-mail address, or the number of a recipient. */
  search?: string | undefined;
  /** True if addresses and numbers are searched too. */
  inDetails: boolean;
}

/**
 * Returns a page of patients by name, and the total. A search reads every patient of the clinic, because any word may
 * match.
 */
export async function listPatients(
  sql: Sql,
  clinicId: number,
  { page, per_page, search, inDetails }: PatientQuery,
): Promise<{ data: FullPatientResource[]; total: number }> {
  const terms = patientTerms(search ?? '');
  // A search without letters and digits matches nobody.
  if (search?.trim() && terms.length === 0) return { data: [], total: 0 };
  const where = [
    'clinic_id = $1',
    'erased_at is null',
    ...terms.map((_, index) => {
      const begins = `'% ' || $${index + 2}`;
      const inKey = inDetails ? `or details_key like ${begins}` : '';
      return `(' ' || search_key like ${begins} or phone_key like '%' || $${index + 2} ${inKey})`;
    }),
  ];
  const { rows } = await sql.query(
    `with matching as not materialized (select id, name, phone, email, notes, search_key, recipient, erased_at from patients where ${where.join(' and ')})
     select (select count(*)::int from matching) as total,
       (select coalesce(json_agg(${fullPatientJson} order by p.search_key, p.id), '[]'::json)
        from (select * from matching order by search_key, id limit ${per_page} offset ${(page - 1) * per_page}) p) as data`,
    [clinicId, ...terms.map((term) => `${literally(term)}%`)],
  );
  return rows[0] as { data: FullPatientResource[]; total: number };
}

/** An address may have the signs that match others. */
const literally = (term: string): string => term.replace(/[\\%_]/g, '\\$&');
