/** The schema of a patient in an operation. */
import { z } from 'zod';
import { textSchema, uuidSchema } from '../wire/schemas.ts';
import { patientLimits } from './patient.ts';

/** Accepts names of fewer than 3 characters, which only forms refuse: a fact is recorded as it stands. */
export const patientSchema = z.strictObject({
  patient_id: uuidSchema,
  name: textSchema(patientLimits.name).min(1),
  phone: textSchema(patientLimits.phone).optional(),
  known: z.boolean().optional(),
});
