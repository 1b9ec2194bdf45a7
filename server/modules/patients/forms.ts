/** Patients as forms make and correct them. The audit log says whom it was about by id alone. */
import type { PatientResource } from '../../../domain/patient/resources.ts';
import { patientProblems } from '../../../domain/patient/patient.ts';
import type { PatientDraft } from '../../../domain/patient/patient.ts';
import { isValid, problemMessages } from '../../../domain/problems.ts';
import { accept, refuse } from '../../../domain/result.ts';
import type { Result } from '../../../domain/result.ts';
import { audit } from '../audit/service.ts';
import type { WriteContext } from '../../context.ts';
import { recordPatients } from './service.ts';
import { patientById } from './store.ts';

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
  if (!(await patientById(context.sql, context.clinicId, id))) return refuse('PATIENT_NOT_FOUND');
  const problems = patientProblems(draft);
  if (!isValid(problems)) return refuse('VALIDATION', problemMessages(problems));
  return written(context, 'patient.changed', { id, ...draft });
}

async function written(
  context: WriteContext,
  action: 'patient.created' | 'patient.changed',
  { id, name, phone }: PatientDraft & { id: string },
): Promise<Result<PatientResource>> {
  const { sql, clinicId, atMs } = context;
  await recordPatients(sql, clinicId, [{ id, name: name.trim(), phone: phone.trim(), atMs }]);
  await audit(context, { action, subject: `patient:${id}` });
  return accept((await patientById(sql, clinicId, id))!);
}
