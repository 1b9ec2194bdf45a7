/** Writes the audit log, and reads the operations that a void names. */
import type { AuditAction } from '#domain/audit/actions.ts';
import { isoOf } from '#domain/instant.ts';
import { rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';

export interface Actor {
  clinicId: number;
  userId: number | null;
  deviceId: number | null;
  /** Whose session sent the operation of a device. */
  uploadedBy?: number | undefined;
}

export interface AuditEntry {
  action: AuditAction;
  subject?: string;
  details?: Record<string, string | number>;
  /** Milliseconds since 1970. */
  at: number;
}

/** People are renamed; an entry keeps the name under which they acted. */
const nameOf = (id: string): string => `(select name from users where clinic_id = $1 and id = ${id})`;

export async function insertAudit(
  sql: Sql,
  { clinicId, userId, deviceId, uploadedBy }: Actor,
  { action, subject, details, at }: Required<AuditEntry>,
): Promise<void> {
  await sql.query({
    name: 'insert audit',
    text: `insert into audit_log (clinic_id, at, user_id, device_id, action, subject, details, uploaded_by, user_name, uploader_name, subject_name)
           values ($1, $2, $3, $4, $5, $6, $7, nullif($8::int, $3::int), ${nameOf('$3::int')}, ${nameOf('nullif($8::int, $3::int)')},
             ${nameOf(`substring($6::text from '^user:(\\d{1,9})$')::int`)})`,
    values: [clinicId, isoOf(at), userId, deviceId, action, subject, JSON.stringify(details), uploadedBy ?? null],
  });
}

interface StoredOperation {
  op_id: string;
  kind: string;
  payload: Record<string, unknown>;
}

export function loadOperations(sql: Sql, clinicId: number, opIds: readonly string[]): Promise<StoredOperation[]> {
  return rowsOf<StoredOperation>(
    sql,
    'voided operations',
    'select op_id, kind, payload from sync_ops where clinic_id = $1 and op_id = any($2::uuid[])',
    [clinicId, opIds],
  );
}
