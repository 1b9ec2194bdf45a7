/** The audit log: who did what, when, on which device. Rows are never changed, and carry no patient text. */
import type { AuditAction } from '../../../domain/audit/actions.ts';
import type { WriteContext } from '../../context.ts';
import { queriesOver } from '../../db/database.ts';
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

/** Records what a write did, within its transaction. */
export async function audit(context: WriteContext, entry: Omit<AuditEntry, 'at'>): Promise<void> {
  await recordAudit(queriesOver(context.sql), context, { ...entry, at: context.atMs });
}

/** Returns, by field, how `after` differs from `before`. The change of a picture is named without its address. */
export function changedFields<T extends object>(before: T, after: T): Record<string, string> {
  const shown = (value: unknown) => JSON.stringify(value).slice(0, 200);
  const fields = (Object.keys(after) as (keyof T & string)[]).filter(
    (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
  return Object.fromEntries(
    fields.map((field) => [
      field,
      field === 'image_url' ? 'changed' : `${shown(before[field])} → ${shown(after[field])}`,
    ]),
  );
}
