import { kindAudits } from '#domain/protocol/kinds.ts';
import { operationKinds } from '#domain/protocol/operations.ts';
import type { BatchWriter } from '#server/operations/operation-module.ts';
import { loadOperations } from './entries-store.ts';
import { recordAudit } from './service.ts';

/**
 * Records each void: actor, time, device, and a description of the voided operation. The description comes from the
 * server's record, or from the void when the server never read the operation. The reason is free text, which may name a
 * patient, so only the void itself has it.
 */
export const auditWriter: BatchWriter = {
  async write(sql, { clinicId, uploadedBy }, { voids, describe }) {
    if (voids.length === 0) return;
    const opIds = voids.map(({ operation }) => operation.payload.op_id);
    const rows = await loadOperations(sql, clinicId, opIds);
    const stored = new Map(rows.map((row) => [row.op_id, row]));
    for (const { operation, atMs } of voids) {
      const { op_id, voided } = operation.payload;
      const { kind, payload } = stored.get(op_id)!;
      const wasRead = operationKinds.some((each) => each === kind);
      const what =
        wasRead || !voided
          ? { kind, ...describe(kind, payload) }
          : { kind: voided.kind, ...describe(operation.kind, operation.payload) };
      await recordAudit(
        sql,
        { clinicId, userId: operation.actor_id, deviceId: operation.device_id, uploadedBy },
        {
          action: kindAudits[operation.kind].writes,
          subject: op_id,
          details: { ...what, void: operation.op_id, aggregate: operation.aggregate },
          at: atMs,
        },
      );
    }
  },
};
