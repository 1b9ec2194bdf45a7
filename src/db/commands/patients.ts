/** The patient of a plan. The treatment's operation carries the patient to the server. */
import type { PatientResource } from '#domain/patient/resources.ts';
import { patientLimits } from '#domain/patient/patient.ts';
import type { PatientPayload } from '#domain/patient/patient.ts';
import { patientRow } from '../rows.ts';
import type { Write } from '../write.ts';
import { storableText } from './storable-text.ts';

export interface PlannedPatient extends PatientResource {
  /** True when the patient was found by a search and left unchanged. */
  isKnown: boolean;
}

/** Returns the patient as the operation carries it; undefined when the name is empty. */
export function patientPayload(patient: PlannedPatient | undefined): PatientPayload | undefined {
  const name = storableText(patient?.name, patientLimits.name);
  if (!patient || name === undefined) return undefined;
  const phone = storableText(patient.phone, patientLimits.phone) ?? '';
  return { patient_id: patient.id, name, phone, ...(patient.isKnown && { known: true }) };
}

/** Stores a new or changed patient, so that searches on this device find it. Requires a transaction over `patients`. */
export function savePatient(write: Write, { patient_id: id, name, phone = '', known }: PatientPayload): void {
  if (!known) write.put(write.db.patients, { ...patientRow({ id, name, phone }), unsent: 1 });
}
