/**
 * Cache of API responses on the device. Back-office pages show them, with their time, while the server is unreachable.
 * They are sealed for the person who loaded them. Signing out clears the cache.
 */
import type { ClinicDatabase } from '../db/database.ts';
import { openPersonal, sealPersonal } from '../session/keys.ts';

/** A response and its time in milliseconds. `fresh` is false for a response from the cache. */
export interface LoadedResponse<Value> {
  value: Value;
  at: number;
  fresh: boolean;
}

/** More views than a manager opens in a week; the oldest responses are deleted first. */
const maxResponses = 200;

export async function remember(db: ClinicDatabase, key: string, value: unknown, nowMs: number): Promise<void> {
  const sealed = await sealPersonal(value);
  if (!sealed) return;
  await db.transaction('rw', db.query_cache, async () => {
    await db.query_cache.put({ key, value: sealed, seen_at: nowMs });
    const surplus = (await db.query_cache.count()) - maxResponses;
    if (surplus > 0) await db.query_cache.orderBy('seen_at').limit(surplus).delete();
  });
}

export async function recall<Value>(db: ClinicDatabase, key: string): Promise<LoadedResponse<Value> | null> {
  const row = await db.query_cache.get(key);
  const value = row && (await openPersonal<Value>(row.value));
  return row && value !== undefined && value !== null ? { value, at: row.seen_at, fresh: false } : null;
}
