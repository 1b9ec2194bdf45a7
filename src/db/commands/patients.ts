/** The patient of a plan, who travels with its treatment. */
import type { PatientResource } from '../../../domain/patient/resources.ts';
import { patientLimits } from '../../../domain/patient/patient.ts';
import type { PatientPayload } from '../../../domain/patient/patient.ts';
import { patientRow } from '../patient-row.ts';
import type { Write } from '../write.ts';
import { storableText } from './storable-text.ts';

/** The patient who was looked up for a plan, or is new to this clinic. */
export interface PlannedPatient extends PatientResource {
  /** True when name and phone stand as they were found. */
  isKnown: boolean;
}

/** The patient in the form that the server stores; undefined where nothing is left of the name. */
export function patientFact(patient: PlannedPatient | undefined): PatientPayload | undefined {
  const name = storableText(patient?.name, patientLimits.name);
  if (!patient || name === undefined) return undefined;
  const phone = storableText(patient.phone, patientLimits.phone) ?? '';
  return { patient_id: patient.id, name, phone, ...(patient.isKnown && { known: true }) };
}

/** What is new of a patient is found on this device from now on. Needs a transaction over `patients`. */
export async function keepPatient(
  { db }: Write,
  { patient_id: id, name, phone = '', known }: PatientPayload,
): Promise<void> {
  if (!known) await db.patients.put({ ...patientRow({ id, name, phone }), unsent: 1 });
}
