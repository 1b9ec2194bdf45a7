import { operationKinds } from '../../../domain/protocol/operations.ts';
import { rowsOf } from '../../db/sql.ts';
import type { BatchWriter } from '../../operations/operation-module.ts';
import { recordAudit } from './service.ts';

/**
 * Records each void: actor, time, device, and a description of the voided operation. The description comes from the
 * server's record, or from the void when the server never read the operation. The reason is free text, which may name a
 * patient, so it stands only in the void itself.
 */
export const auditWriter: BatchWriter = {
  async write(sql, { clinicId }, { voids, describe }) {
    if (voids.length === 0) return;
    const rows = await rowsOf<{ op_id: string; kind: string; payload: Record<string, unknown> }>(
      sql,
      'voided operations',
      'select op_id, kind, payload from sync_ops where clinic_id = $1 and op_id = any($2::uuid[])',
      [clinicId, voids.map(({ operation }) => operation.payload.op_id)],
    );
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
        { clinicId, userId: operation.actor_id, deviceId: operation.device_id },
        {
          action: 'operation.voided',
          subject: op_id,
          details: { ...what, void: operation.op_id, aggregate: operation.aggregate },
          at: atMs,
        },
      );
    }
  },
};
