/**
 * Cache of API responses on the device. Back-office pages show them, with their time, while the server is unreachable.
 * Signing out clears the cache.
 */
import type { ClinicDatabase } from '../db/database.ts';

/** A response and its time in milliseconds. `fresh` is false for a response from the cache. */
export interface LoadedResponse<Value> {
  value: Value;
  at: number;
  fresh: boolean;
}

/** More views than a manager opens in a week; the oldest responses are deleted first. */
const maxResponses = 200;

export async function remember(db: ClinicDatabase, key: string, value: unknown, nowMs: number): Promise<void> {
  await db.transaction('rw', db.query_cache, async () => {
    await db.query_cache.put({ key, value, seen_at: nowMs });
    const surplus = (await db.query_cache.count()) - maxResponses;
    if (surplus > 0) await db.query_cache.orderBy('seen_at').limit(surplus).delete();
  });
}

export async function recall<Value>(db: ClinicDatabase, key: string): Promise<LoadedResponse<Value> | null> {
  const row = await db.query_cache.get(key);
  return row ? { value: row.value as Value, at: row.seen_at, fresh: false } : null;
}
