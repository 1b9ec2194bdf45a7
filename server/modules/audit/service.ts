/** The audit log: who did what, when, on which device. Rows are never changed, and carry no patient text. */
import type { AuditAction } from '../../../domain/audit/actions.ts';
import type { Executor } from '../../db/database.ts';
import { auditLog } from '../../db/schema/access.ts';

export interface Actor {
  clinicId: number;
  userId: number | null;
  deviceId: number | null;
}

export interface AuditEntry {
  action: AuditAction;
  subject?: string;
  details?: Record<string, string | number>;
  /** Milliseconds since 1970. */
  at: number;
}

export async function recordAudit(
  database: Executor,
  { clinicId, userId, deviceId }: Actor,
  entry: AuditEntry,
): Promise<void> {
  await database.insert(auditLog).values({ clinicId, userId, deviceId, ...entry });
}
