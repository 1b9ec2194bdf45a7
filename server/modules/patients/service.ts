/** Patients and their treatments. Neither the log nor the audit log contains a patient's name. */
import { pastTreatment } from '#domain/order/past-treatments.ts';
import { shownTo } from '#domain/column-permissions.ts';
import type { FullPatientResource } from '#domain/patient/resources.ts';
import type { PatientHistoryResource } from '#domain/order/past-treatments.ts';
import { patientProblems } from '#domain/patient/draft.ts';
import { mergeFields, mergePatient } from '#domain/patient/patient.ts';
import type { FieldsUpdate, Patient, PatientUpdate, StatedFields } from '#domain/patient/patient.ts';
import { may } from '#domain/permissions.ts';
import { isValid, problemMessages } from '#domain/problems.ts';
import { accept, refuse } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';
import { tidyRecipient } from '#domain/tax/recipient.ts';
import type { WriteContext } from '#server/context.ts';
import type { Part } from '#server/db/page.ts';
import type { Sql } from '#server/db/sql.ts';
import { audit } from '../audit/service.ts';
import { patientTreatments } from '../orders/service.ts';
import { insertPatients, lockPatients, patientById, savePatients } from './store.ts';

export { feedPatientDetails, feedPatients, hasHadDetails, patientsAfter } from './store.ts';

/**
 * Applies updates of patients, and creates those that are new. New patients are inserted first, then all are locked,
 * both in ascending order of ids, so two batches that name the same patients never deadlock. Whoever is erased stays so.
 */
export async function recordPatients(
  sql: Sql,
  clinicId: number,
  updates: readonly PatientUpdate[],
  fieldUpdates: readonly FieldsUpdate[],
  nowMs: number,
): Promise<void> {
  if (updates.length === 0 && fieldUpdates.length === 0) return;
  const merged = new Map<string, Patient>();
  for (const update of updates) merged.set(update.id, mergePatient(merged.get(update.id) ?? null, update));
  const ids = [...merged.keys()].sort();
  const named = [...new Set([...ids, ...fieldUpdates.map(({ id }) => id)])].sort();
  await insertPatients(
    sql,
    clinicId,
    ids.map((id) => merged.get(id)!),
  );
  const stored = await lockPatients(sql, clinicId, { ids: named, nowMs });
  const changed = new Map<string, Patient>();
  const change = (id: string, apply: (known: Patient) => Patient) => {
    const known = stored.get(id);
    if (!known || known.isErased) return;
    const before = changed.get(id) ?? known;
    const after = apply(before);
    if (after !== before) changed.set(id, after);
  };
  for (const update of updates) change(update.id, (known) => mergePatient(known, update));
  for (const update of fieldUpdates) change(update.id, (known) => mergeFields(known, update));
  await savePatients(sql, clinicId, [...changed.values()]);
}

/** Returns a patient with a page of treatments, and the number of all treatments. */
export async function patientHistory(
  sql: Sql,
  clinicId: number,
  { id, ...part }: Part & { id: string },
): Promise<{ patient: PatientHistoryResource; total: number } | undefined> {
  const patient = await patientById(sql, clinicId, id);
  if (!patient) return undefined;
  const { orders, total } = await patientTreatments(sql, clinicId, { patientId: id, ...part });
  return { patient: { ...patient, treatments: orders.map(pastTreatment) }, total };
}

/** What a form states of a patient. */
export interface StatedPatient extends StatedFields {
  name: string;
  phone: string;
}

/** What is absent stays as it is. */
type PatientChanges = { [Field in keyof StatedPatient]?: StatedPatient[Field] | undefined };

/** Creates a patient from a form. The audit log names a patient by id alone. */
export async function createPatient(
  context: WriteContext,
  { id, ...draft }: StatedPatient & { id: string },
): Promise<Result<FullPatientResource>> {
  const problems = objectionTo(context, draft, draft);
  if (problems) return problems;
  if (await patientById(context.sql, context.clinicId, id)) return refuse('PATIENT_EXISTS');
  return written(context, 'patient.created', { id, ...draft });
}

export async function changePatient(
  context: WriteContext,
  id: string,
  changes: PatientChanges,
): Promise<Result<FullPatientResource>> {
  const known = await patientById(context.sql, context.clinicId, id);
  if (!known) return refuse('PATIENT_NOT_FOUND');
  if (known.erased_at !== undefined) return refuse('PATIENT_ERASED');
  const stated = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
  return (
    objectionTo(context, changes, { ...known, ...stated }) ?? written(context, 'patient.changed', { id, ...changes })
  );
}

/**
 * Returns what is wrong with the fields that a form states. Whoever does not read the details does not write them.
 *
 * @param draft the patient as the form leaves it
 */
function objectionTo({ session }: WriteContext, stated: PatientChanges, draft: StatedPatient): Result<never> | null {
  const { name: _name, phone: _phone, ...details } = stated;
  const statesDetails = Object.values(details).some((value) => value !== undefined);
  if (statesDetails && !may(session.role, 'patient.update')) return refuse('FORBIDDEN');
  const found = Object.entries(patientProblems(draft));
  const problems = Object.fromEntries(found.filter(([field]) => stated[field as keyof StatedPatient] !== undefined));
  return isValid(problems) ? null : refuse('VALIDATION', problemMessages(problems));
}

async function written(
  context: WriteContext,
  action: 'patient.created' | 'patient.changed',
  { id, name, phone, email, notes, recipient }: PatientChanges & { id: string },
): Promise<Result<FullPatientResource>> {
  const { sql, session, clinicId, atMs, deviceId } = context;
  const at = { atMs, deviceId: deviceId ?? 0, deviceSeq: 0 };
  const details = { email: email?.trim(), notes: notes?.trim(), recipient: recipient && tidyRecipient(recipient) };
  const named = name === undefined ? [] : [{ id, name: name.trim(), phone: undefined, at }];
  await recordPatients(sql, clinicId, named, [{ id, phone: phone?.trim(), ...details, at }], atMs);
  await audit(context, { action, subject: `patient:${id}` });
  return accept(shownTo(session.role, 'patient', (await patientById(sql, clinicId, id))!));
}
