/** Unsent forms on this device, sealed for the person who writes them. */
import type { ClinicDatabase } from '../db/database.ts';
import { openPersonal, sealPersonal } from './keys.ts';

export async function readDraft<Value>(db: ClinicDatabase, key: string): Promise<Value | null> {
  const row = await db.drafts.get(key);
  return row ? openPersonal<Value>(db, row.value) : null;
}

/** @returns false while the app is locked, when nothing can be sealed */
export async function keepDraft(db: ClinicDatabase, key: string, value: unknown): Promise<boolean> {
  const sealed = await sealPersonal(db, value);
  if (sealed) await db.drafts.put({ key, value: sealed });
  return sealed !== null;
}
