import type { PatientDocument } from '../../domain/patient/documents.ts';
import { patientKeys } from '../../domain/patient/search.ts';
import type { PatientRow } from './database.ts';

/** A patient as the look-up finds them. */
export const patientRow = (patient: PatientDocument): PatientRow => ({ ...patient, keys: patientKeys(patient) });
