import type { PatientResource } from './resources.ts';

/** What a screen shows of a patient, on which an erasure rests. */
export const patientSeen = ['name', 'phone', 'erased_at'] as const satisfies readonly (keyof PatientResource)[];
