/**
 * What the server last said, kept on the device: back-office pages show it with its time while the server is away. Only
 * reads of a signed-in person land here, and signing out removes them.
 */
import type { ClinicDatabase } from '../db/database.ts';

/** An answer and when it came (milliseconds). `fresh` is false for one that was only remembered. */
export interface Seen<Value> {
  value: Value;
  at: number;
  fresh: boolean;
}

/** More views than a manager leaves open in a week; the oldest go first. */
const mostAnswers = 200;

export async function remember(db: ClinicDatabase, key: string, value: unknown, nowMs: number): Promise<void> {
  await db.transaction('rw', db.query_cache, async () => {
    await db.query_cache.put({ key, value, seen_at: nowMs });
    const surplus = (await db.query_cache.count()) - mostAnswers;
    if (surplus > 0) await db.query_cache.orderBy('seen_at').limit(surplus).delete();
  });
}

export async function recall<Value>(db: ClinicDatabase, key: string): Promise<Seen<Value> | null> {
  const row = await db.query_cache.get(key);
  return row ? { value: row.value as Value, at: row.seen_at, fresh: false } : null;
}
