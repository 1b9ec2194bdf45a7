/** Patients and their treatments. Neither the log nor the audit log contains a patient's name. */
import { pastTreatment } from '#domain/order/past-treatments.ts';
import type { PatientResource } from '#domain/patient/resources.ts';
import type { PatientHistoryResource } from '#domain/order/past-treatments.ts';
import { mergePatient, patientProblems, placeOfWinner } from '#domain/patient/patient.ts';
import type { Patient, PatientDraft, PatientUpdate, RecipientUpdate } from '#domain/patient/patient.ts';
import { isValid, problemMessages } from '#domain/problems.ts';
import { accept, refuse } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';
import type { WriteContext } from '#server/context.ts';
import type { Sql } from '#server/db/sql.ts';
import { audit } from '../audit/service.ts';
import { patientTreatments } from '../orders/service.ts';
import { insertPatients, lockPatients, patientById, savePatients, saveRecipients } from './store.ts';
import type { LockedPatient } from './store.ts';

export { feedPatients, patientsAfter } from './store.ts';

/**
 * Applies updates of patients, and creates those that are new. New patients are inserted first, then all are locked,
 * both in ascending order of ids, so two batches that name the same patients never deadlock.
 */
export async function recordPatients(
  sql: Sql,
  clinicId: number,
  updates: readonly PatientUpdate[],
  recipients: readonly RecipientUpdate[] = [],
): Promise<void> {
  if (updates.length === 0 && recipients.length === 0) return;
  const merged = new Map<string, Patient>();
  for (const update of updates) merged.set(update.id, mergePatient(merged.get(update.id) ?? null, update));
  const ids = [...merged.keys()].sort();
  const named = [...new Set([...ids, ...recipients.map(({ id }) => id)])].sort();
  await insertPatients(
    sql,
    clinicId,
    ids.map((id) => merged.get(id)!),
  );
  const stored = await lockPatients(sql, clinicId, named);
  const changed = new Map<string, Patient>();
  for (const update of updates) {
    const before = changed.get(update.id) ?? stored.get(update.id)!;
    const after = mergePatient(before, update);
    if (after !== before) changed.set(update.id, after);
  }
  await savePatients(sql, clinicId, [...changed.values()]);
  await saveRecipients(sql, clinicId, latestRecipients(stored, recipients));
}

/** Returns the recipients that take the place of the known ones. An erased patient has none. */
function latestRecipients(
  patients: ReadonlyMap<string, LockedPatient>,
  updates: readonly RecipientUpdate[],
): RecipientUpdate[] {
  const latest = new Map<string, RecipientUpdate>();
  for (const { id, recipient, at } of updates) {
    const patient = patients.get(id);
    if (!patient || patient.isErased) continue;
    const known = latest.get(id) ?? patient.known;
    const place = known
      ? placeOfWinner([JSON.stringify(recipient), at], [JSON.stringify(known.recipient), known.at])
      : at;
    if (place) latest.set(id, { id, recipient, at: place });
  }
  return [...latest.values()];
}

/** Returns a patient with a page of treatments, and the number of all treatments. */
export async function patientHistory(
  sql: Sql,
  clinicId: number,
  { id, limit, offset }: { id: string; limit: number; offset: number },
): Promise<{ patient: PatientHistoryResource; total: number } | undefined> {
  const patient = await patientById(sql, clinicId, id);
  if (!patient) return undefined;
  const { orders, total } = await patientTreatments(sql, clinicId, { patientId: id, limit, offset });
  return { patient: { ...patient, treatments: orders.map(pastTreatment) }, total };
}

/** Creates a patient from a form. The audit log names a patient by id alone. */
export async function createPatient(
  context: WriteContext,
  { id, ...draft }: PatientDraft & { id: string },
): Promise<Result<PatientResource>> {
  const problems = patientProblems(draft);
  if (!isValid(problems)) return refuse('VALIDATION', problemMessages(problems));
  if (await patientById(context.sql, context.clinicId, id)) return refuse('PATIENT_EXISTS');
  return written(context, 'patient.created', { id, ...draft });
}

export async function changePatient(
  context: WriteContext,
  id: string,
  draft: PatientDraft,
): Promise<Result<PatientResource>> {
  const known = await patientById(context.sql, context.clinicId, id);
  if (!known) return refuse('PATIENT_NOT_FOUND');
  if (known.erased_at !== undefined) return refuse('PATIENT_ERASED');
  const problems = patientProblems(draft);
  if (!isValid(problems)) return refuse('VALIDATION', problemMessages(problems));
  return written(context, 'patient.changed', { id, ...draft });
}

async function written(
  context: WriteContext,
  action: 'patient.created' | 'patient.changed',
  { id, name, phone }: PatientDraft & { id: string },
): Promise<Result<PatientResource>> {
  const { sql, clinicId, atMs, deviceId } = context;
  const at = { atMs, deviceId: deviceId ?? 0, deviceSeq: 0 };
  await recordPatients(sql, clinicId, [{ id, name: name.trim(), phone: phone.trim(), at }]);
  await audit(context, { action, subject: `patient:${id}` });
  return accept((await patientById(sql, clinicId, id))!);
}
