/** Unlocks the app, either for the person whose session is locked, or for another person known to this device. */
import type { ClinicDatabase, VerifierRow } from '../db/database.ts';
import { beginOffline, beginOnline, unlock, useSession } from '../session/session.ts';
import { isCurrent, readToken } from '../session/token.ts';
import { isRecent } from './verifier.ts';
import type { Vouched } from './verifier.ts';

/** Returns the people who can unlock this device, sorted by name. */
export async function peopleHere(db: ClinicDatabase, nowMs: number): Promise<VerifierRow[]> {
  const rows = await db.verifiers.toArray();
  return rows.filter((row) => isRecent(row, nowMs)).sort((a, b) => a.user.name.localeCompare(b.user.name));
}

/**
 * Unlocks for the verified person. Another person gets an online session if the device has a valid token of theirs,
 * otherwise an offline one.
 */
export function enter({ user, untilMs, token = '' }: Vouched, nowMs: number): void {
  if (useSession.getState().user?.id === user.id) return unlock();
  const claims = readToken(token);
  if (claims && isCurrent(claims, nowMs)) beginOnline(token, claims.user);
  else beginOffline(user, untilMs);
}
