/**
 * Classifies the error of a failed transaction (SYNC-15): full storage, a lost connection, or neither. Dexie wraps the
 * browser's error as `inner`, or as the first of the `failures` of a bulk write. Only the error's name counts, never its text.
 */
import type { ClinicDatabase } from './database.ts';

export type StorageFault = 'full' | 'lost';

const faultsByName: Record<string, StorageFault> = {
  QuotaExceededError: 'full',
  DatabaseClosedError: 'lost',
  InvalidStateError: 'lost',
  // Safari reports a storage process that ended under an open connection by this name.
  UnknownError: 'lost',
  // The engine's name of a call without an answer (`sw/sync/standstill.ts`).
  StandstillError: 'lost',
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

/** Reopens a lost connection. Rejects if another version of the app has upgraded the database meanwhile. */
export async function reopen(db: ClinicDatabase): Promise<void> {
  db.close({ disableAutoOpen: false });
  await db.open();
}
