/**
 * What a failed transaction says about the storage (SYNC-15). Dexie wraps the browser's error in its own, as `inner` or
 * as the first of the `failures` of a bulk write; the name is what counts, never the text.
 */
import type { ClinicDatabase } from './database.ts';

export type StorageFault = 'full' | 'lost';

const faultsByName: Record<string, StorageFault> = {
  QuotaExceededError: 'full',
  DatabaseClosedError: 'lost',
  InvalidStateError: 'lost',
  // Safari's name for a storage process that went away under an open connection.
  UnknownError: 'lost',
};

interface WrappedError {
  name?: string;
  inner?: unknown;
  failures?: unknown[];
}

export function storageFault(error: unknown): StorageFault | null {
  if (typeof error !== 'object' || error === null) return null;
  const { name, inner, failures } = error as WrappedError;
  return faultsByName[name ?? ''] ?? storageFault(inner) ?? storageFault(failures?.[0]);
}

/** Opens a lost connection again. A database that another version of the app has upgraded meanwhile stays closed. */
export async function reopen(db: ClinicDatabase): Promise<void> {
  db.close({ disableAutoOpen: false });
  await db.open();
}
