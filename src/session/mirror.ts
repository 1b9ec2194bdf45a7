/** The session for the worker, which can't read the cookie and works while the app is locked. */
import type { ClinicDatabase, SessionRow } from '../db/database.ts';

export async function mirrorSession(db: ClinicDatabase, session: Omit<SessionRow, 'id'>): Promise<void> {
  await db.session.put({ id: 'this', ...session });
}

/** Returns the token for what the worker and the event stream ask; null when there is none that is current. */
export async function workerToken(db: ClinicDatabase, nowMs: number): Promise<string | null> {
  const row = await db.session.get('this');
  return row && row.exp * 1000 > nowMs ? (row.token ?? null) : null;
}

/**
 * Replaces a token that the server refused with another person's valid token: any valid session of this device may
 * upload (SYNC-8). It only syncs. @returns false if there is none
 */
export async function lendSession(db: ClinicDatabase, nowMs: number): Promise<boolean> {
  const refused = await db.session.get('this');
  const others = (await db.verifiers.toArray()).flatMap(({ user, sync }) =>
    sync && sync.exp * 1000 > nowMs && user.id !== refused?.user.id ? [{ user, ...sync }] : [],
  );
  if (others[0]) await mirrorSession(db, others[0]);
  return others.length > 0;
}
