/** The operation on a patient: an update from the patient's page. */
import { reducerOf } from '../wire/envelope.ts';
import type { Envelope, KindDefinitions, OperationsOf } from '../wire/envelope.ts';
import type { PayloadsOf } from '../wire/schemas.ts';
import { blankDetails } from './patient.ts';
import type { FullPatientResource } from './resources.ts';
import type { patientPayloadSchemas } from './schemas.ts';

export type PatientPayloads = PayloadsOf<typeof patientPayloadSchemas>;
export type UpdatePatientPayload = PatientPayloads['patient.update'];

export type PatientOperation = OperationsOf<PatientPayloads>;

export const isPatientOperation = (operation: Envelope<string, unknown>): operation is PatientOperation =>
  operation.kind.startsWith('patient.');

export const patientAggregate = (patientId: string): string => `patient:${patientId}`;

/** The state is the patient as a tablet shows it. The server keeps the place of each field instead (`patient.ts`). */
export const patientOperations: KindDefinitions<PatientPayloads, FullPatientResource> = {
  'patient.update': {
    apply: (known, { payload: { patient, ...stated } }) => {
      if (known?.erased_at !== undefined) return known;
      const { patient_id: id, name, phone = '', known: isRepeated } = patient;
      const before = known ?? { id, name, phone, ...blankDetails };
      return {
        ...before,
        ...(!isRepeated && { name, ...(patient.phone !== undefined && { phone }) }),
        ...Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined)),
      };
    },
    summarize: () => ({ amountMinor: null }),
  },
};

export const reducePatient = reducerOf(patientOperations);
