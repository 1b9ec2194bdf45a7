import type { PatientResource } from '../../domain/patient/resources.ts';
import { patientKeys } from '../../domain/patient/search.ts';
import type { PatientRow } from './database.ts';

/** A patient as the look-up finds them. */
export const patientRow = (patient: PatientResource): PatientRow => ({ ...patient, keys: patientKeys(patient) });
