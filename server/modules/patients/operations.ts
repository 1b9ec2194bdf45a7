/** The operations on a patient, and the updates of patients that the operations of other nouns carry. */
import { placeOf } from '#domain/fact-order.ts';
import { patientAggregate, patientOperations } from '#domain/patient/operations.ts';
import type { PatientOperation } from '#domain/patient/operations.ts';
import { beforeAnyUpdate } from '#domain/patient/patient.ts';
import type { Sql } from '#server/db/sql.ts';
import type {
  BatchContext,
  BatchPart,
  BatchWriter,
  DecideContext,
  Decision,
  OperationModule,
} from '#server/operations/operation-module.ts';
export { erasureScreen } from './erasure-service.ts';
import { kindAudits } from '#domain/protocol/kinds.ts';
import { recordAudit } from '../audit/service.ts';
import { patientEffects, patientFieldEffects } from '../orders/service.ts';
import { recordPatients } from './service.ts';

/** Writes the updates of patients that operations carry. */
export const patientWriter: BatchWriter = {
  write: (sql, { clinicId, receivedAtMs }, { effects }) =>
    recordPatients(sql, clinicId, effects.of(patientEffects), effects.of(patientFieldEffects), receivedAtMs),
};

export const patientModule: OperationModule<PatientOperation> = {
  kinds: Object.keys(patientOperations) as PatientOperation['kind'][],
  aggregateOf: ({ payload }) => patientAggregate(payload.patient.patient_id),
  describe: () => ({}),
  load: (_sql, context) => Promise.resolve(new PatientBatch(context)),
};

/** An update is a fact: it meets no state that could refuse it, and `patientWriter` merges it. */
class PatientBatch implements BatchPart<PatientOperation> {
  private readonly applied: { operation: PatientOperation; atMs: number }[] = [];

  constructor(private readonly context: BatchContext) {}

  decide(operation: PatientOperation, { atMs, effects }: DecideContext): Decision {
    const { patient, ...stated } = operation.payload;
    const { patient_id: id, name, phone, known } = patient;
    const at = placeOf(operation, atMs);
    effects.add(patientEffects, { id, name, phone, at: known ? beforeAnyUpdate : at });
    effects.add(patientFieldEffects, { id, ...stated, at });
    this.applied.push({ operation, atMs });
    return { status: 'applied', data: () => ({ id }) };
  }

  async write(sql: Sql): Promise<void> {
    const { clinicId, uploadedBy } = this.context;
    for (const { operation, atMs } of this.applied) {
      const actor = { clinicId, userId: operation.actor_id, deviceId: operation.device_id, uploadedBy };
      await recordAudit(sql, actor, {
        action: kindAudits[operation.kind].writes,
        subject: operation.aggregate,
        at: atMs,
      });
    }
  }
}
