/** Patients: what is said of them, and what they had done. Neither the log nor the audit log ever names one. */
import { pastTreatment } from '../../../domain/patient/resources.ts';
import type { PatientHistoryResource } from '../../../domain/patient/resources.ts';
import { mergePatient } from '../../../domain/patient/patient.ts';
import type { Patient, PatientUpdate } from '../../../domain/patient/patient.ts';
import type { Sql } from '../../db/sql.ts';
import { effectKey } from '../../operations/operation-module.ts';
import { patientTreatments } from '../orders/service.ts';
import { insertPatients, lockPatients, patientById, savePatients } from './store.ts';

export { feedPatients } from './store.ts';

/** What operations say of patients. */
export const patientEffects = effectKey<PatientUpdate>('patients');

/**
 * Takes down what was said of patients, who come to be by it. Those who are new are written first, in ascending order, and then
 * the others are locked in that order, so that two batches which name the same patients wait for each other and never in a circle.
 */
export async function recordPatients(sql: Sql, clinicId: number, words: readonly PatientUpdate[]): Promise<void> {
  if (words.length === 0) return;
  const told = new Map<string, Patient>();
  for (const word of words) told.set(word.id, mergePatient(told.get(word.id) ?? null, word));
  const ids = [...told.keys()].sort();
  await insertPatients(
    sql,
    clinicId,
    ids.map((id) => told.get(id)!),
  );
  const kept = await lockPatients(sql, clinicId, ids);
  const changed = new Map<string, Patient>();
  for (const word of words) {
    const before = changed.get(word.id) ?? kept.get(word.id)!;
    const after = mergePatient(before, word);
    if (after !== before) changed.set(word.id, after);
  }
  await savePatients(sql, clinicId, [...changed.values()]);
}

/** A patient with a page of their treatments, and how many there are in all. */
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
