/** The audit log: who did what, when, on which device. Rows are never changed, and carry no patient text. */
import type { WriteContext } from '#server/context.ts';
import type { Sql } from '#server/db/sql.ts';
import { insertAudit } from './entries-store.ts';
import type { Actor, AuditEntry } from './entries-store.ts';

export type { Actor } from './entries-store.ts';
export { entriesAbout } from './store.ts';
export type { SubjectEntry } from './store.ts';

export async function recordAudit(
  sql: Sql,
  actor: Actor,
  { subject = '', details = {}, ...entry }: AuditEntry,
): Promise<void> {
  await insertAudit(sql, actor, { ...entry, subject, details });
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
