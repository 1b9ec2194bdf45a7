/** The age of verifiers. After it nobody can use one, and it would only be there for somebody to guess the password. */
import type { ClinicDatabase } from './database.ts';
import { offlineMs } from './database.ts';

export async function pruneVerifiers(db: ClinicDatabase, nowMs: number): Promise<void> {
  await db.verifiers.filter(({ last_online_at }) => nowMs - last_online_at > offlineMs).delete();
}
