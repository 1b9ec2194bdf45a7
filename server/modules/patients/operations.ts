import type { BatchWriter } from '../../operations/operation-module.ts';
import { patientEffects, recordPatients } from './service.ts';

/** Records what the operations of other nouns said of patients. */
export const patientWriter: BatchWriter = {
  write: (sql, { clinicId }, { effects }) => recordPatients(sql, clinicId, effects.of(patientEffects)),
};
