import type { BatchWriter } from '#server/operations/operation-module.ts';
export { erasureScreen } from './erasure-service.ts';
import { patientEffects, recipientEffects } from '../orders/service.ts';
import { recordPatients } from './service.ts';

/** Writes the updates of patients that the operations of other nouns carry. */
export const patientWriter: BatchWriter = {
  write: (sql, { clinicId }, { effects }) =>
    recordPatients(sql, clinicId, effects.of(patientEffects), effects.of(recipientEffects)),
};
