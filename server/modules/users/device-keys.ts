/** The keys by which enrolled devices prove themselves at a sign-in. A key has 256 random bits, so a plain hash is enough. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { acrossClinics } from '#server/db/database.ts';
import type { Database } from '#server/db/database.ts';
import { keysOfDevice } from './store.ts';

export const hashOfKey = (key: string): string => createHash('sha256').update(key).digest('hex');

export function holdsKey({ keyHash }: { keyHash: string | null }, key: string | undefined): boolean {
  if (keyHash === null || key === undefined) return false;
  return timingSafeEqual(Buffer.from(keyHash), Buffer.from(hashOfKey(key)));
}

/** Returns the device that proves itself with its key; null for an unknown or a revoked one. */
export async function recogniseDevice(
  database: Database,
  { id, key }: { id: number; key: string },
): Promise<{ clinicId: number; deviceId: number } | null> {
  const found = (await keysOfDevice(acrossClinics(database), id)).find((row) => holdsKey(row, key));
  return found ? { clinicId: found.clinicId, deviceId: id } : null;
}
