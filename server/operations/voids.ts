/**
 * Voids (SYNC-7): a manager gives up an operation that was refused, or that waits behind one. Its receipt is closed exactly
 * as by a replacement, so that it can never take effect; the void itself does nothing else, and is audited.
 */
import { operationKinds } from '../../domain/protocol/operations.ts';
import type { AnyOperation, Operation } from '../../domain/protocol/operations.ts';
import type { Sql } from '../db/sql.ts';
import { rowsOf } from '../db/sql.ts';
import { recordAudit } from '../modules/audit/service.ts';
import { factsOf } from './describe.ts';

export type VoidOperation = Operation<'operation.void'> & { kind: 'operation.void' };

export const isVoid = (operation: AnyOperation): operation is VoidOperation => operation.kind === 'operation.void';

/** The operations that this one takes the place of. A void that replaces a refused void closes both it and its target. */
export function closedBy(operation: AnyOperation): string[] {
  const { supersedes } = operation;
  if (!supersedes) return [];
  return isVoid(operation) ? [...new Set([operation.payload.op_id, supersedes])] : [supersedes];
}

export interface AppliedVoid {
  operation: VoidOperation;
  /** Milliseconds since 1970. */
  atMs: number;
}

/**
 * One row of the audit log for each void: who, when, on which device, and what was given up, by the server's own record where
 * that can say it, otherwise by the void's word. The reason is free text, which may name a patient; it stands in the operation
 * that the row names.
 */
export async function auditVoids(sql: Sql, clinicId: number, voids: readonly AppliedVoid[]): Promise<void> {
  if (voids.length === 0) return;
  const rows = await rowsOf<{ op_id: string; kind: string; payload: Record<string, unknown> }>(
    sql,
    'voided operations',
    'select op_id, kind, payload from sync_ops where clinic_id = $1 and op_id = any($2::uuid[])',
    [clinicId, voids.map(({ operation }) => operation.payload.op_id)],
  );
  const recorded = new Map(rows.map((row) => [row.op_id, row]));
  for (const { operation, atMs } of voids) {
    const { op_id, voided } = operation.payload;
    const { kind, payload } = recorded.get(op_id)!;
    const wasRead = operationKinds.some((each) => each === kind);
    const what = wasRead || !voided ? { kind, ...factsOf(payload) } : { kind: voided.kind, ...factsOf(voided) };
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
}
