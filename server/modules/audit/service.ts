/** The audit log: who did what, when, on which device. Rows are never changed, and carry no patient text. */
import type { AuditAction } from '../../../domain/audit/actions.ts';
import type { WriteContext } from '../../context.ts';
import { isoOf } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';

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
  sql: Sql,
  { clinicId, userId, deviceId }: Actor,
  { action, subject = '', details = {}, at }: AuditEntry,
): Promise<void> {
  await sql.query({
    name: 'insert audit',
    text: `insert into audit_log (clinic_id, at, user_id, device_id, action, subject, details) values ($1, $2, $3, $4, $5, $6, $7)`,
    values: [clinicId, isoOf(at), userId, deviceId, action, subject, JSON.stringify(details)],
  });
}

/** Records what a write did, within its transaction. */
export async function audit(context: WriteContext, entry: Omit<AuditEntry, 'at'>): Promise<void> {
  await recordAudit(context.sql, context, { ...entry, at: context.atMs });
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
