/** Opening the lock: as the person it closed behind, whose session goes on as it was, or as another whom the device knows. */
import type { ClinicDatabase, VerifierRow } from '../db/database.ts';
import { beginOffline, beginOnline, unlock, useSession } from '../session/session.ts';
import { isCurrent, readToken } from '../session/token.ts';
import { isRecent } from './verifier.ts';
import type { Vouched } from './verifier.ts';

/** Whoever may unlock here, by name. */
export async function peopleHere(db: ClinicDatabase, nowMs: number): Promise<VerifierRow[]> {
  const rows = await db.verifiers.toArray();
  return rows.filter((row) => isRecent(row, nowMs)).sort((a, b) => a.user.name.localeCompare(b.user.name));
}

/** Somebody else is online where this device still has a current token of theirs; otherwise at the counter alone. */
export function enter({ user, untilMs, token = '' }: Vouched, nowMs: number): void {
  if (useSession.getState().user?.id === user.id) return unlock();
  const claims = readToken(token);
  if (claims && isCurrent(claims, nowMs)) beginOnline(token, claims.user);
  else beginOffline(user, untilMs);
}
