/** Patients as forms make and correct them. The audit log says whom it was about by id alone. */
import type { PatientResource } from '../../../domain/patient/resources.ts';
import { patientProblems } from '../../../domain/patient/patient.ts';
import type { PatientDraft } from '../../../domain/patient/patient.ts';
import { isValid } from '../../../domain/problems.ts';
import { accept, refuse } from '../../../domain/result.ts';
import type { Result } from '../../../domain/result.ts';
import { audit, problemRefusal } from '../../http/writes.ts';
import type { Writing } from '../../http/writes.ts';
import { recordPatients } from './service.ts';
import { patientById } from './store.ts';

export async function createPatient(
  writing: Writing,
  { id, ...draft }: PatientDraft & { id: string },
): Promise<Result<PatientResource>> {
  const problems = patientProblems(draft);
  if (!isValid(problems)) return { ok: false, refusal: problemRefusal(problems) };
  if (await patientById(writing.sql, writing.clinicId, id)) return refuse('PATIENT_EXISTS');
  return written(writing, 'patient.created', { id, ...draft });
}

export async function changePatient(
  writing: Writing,
  id: string,
  draft: PatientDraft,
): Promise<Result<PatientResource>> {
  if (!(await patientById(writing.sql, writing.clinicId, id))) return refuse('PATIENT_NOT_FOUND');
  const problems = patientProblems(draft);
  if (!isValid(problems)) return { ok: false, refusal: problemRefusal(problems) };
  return written(writing, 'patient.changed', { id, ...draft });
}

async function written(
  writing: Writing,
  action: 'patient.created' | 'patient.changed',
  { id, name, phone }: PatientDraft & { id: string },
): Promise<Result<PatientResource>> {
  const { sql, clinicId, atMs } = writing;
  await recordPatients(sql, clinicId, [{ id, name: name.trim(), phone: phone.trim(), atMs }]);
  await audit(writing, { action, subject: `patient:${id}` });
  return accept((await patientById(sql, clinicId, id))!);
}
