/** The schemas of a patient in operations. */
import { z } from 'zod';
import { recipientSchema } from '../tax/schemas.ts';
import { textSchema, uuidSchema } from '../wire/schemas.ts';
import { patientLimits } from './patient.ts';

/** Accepts names of fewer than 3 characters, which only forms refuse: a fact is recorded as it stands. */
export const patientSchema = z.strictObject({
  patient_id: uuidSchema,
  name: textSchema(patientLimits.name).min(1),
  phone: textSchema(patientLimits.phone).optional(),
  known: z.boolean().optional(),
});

export const patientPayloadSchemas = {
  /** The name is `known` unless it is what changes. What is absent stays as it is. */
  'patient.update': z.strictObject({
    patient: patientSchema,
    phone: textSchema(patientLimits.phone).optional(),
    email: textSchema(patientLimits.email).optional(),
    notes: textSchema(patientLimits.notes).optional(),
    recipient: recipientSchema.nullable().optional(),
  }),
};
