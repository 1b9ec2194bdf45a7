import { emailKey } from '../db/database.ts';
import type { ClinicDatabase } from '../db/database.ts';
import { isCurrent, readToken } from './token.ts';

/** Gives the worker, which cannot read the cookie, the session in the database, and keeps it for the person's return. */
export async function mirrorSession(db: ClinicDatabase, token: string): Promise<void> {
  const claims = readToken(token);
  if (!claims || (await db.session.get('this'))?.token === token) return;
  await db.transaction('rw', db.session, db.verifiers, async () => {
    await db.session.put({ id: 'this', token, exp: claims.exp, user: claims.user });
    await db.verifiers.update(emailKey(claims.user.email), { token });
  });
}

/**
 * Gives the worker another person's token in place of one that the server turned away: whoever is at the screen, any
 * current session of this device may upload (SYNC-8). @returns whether there was one
 */
export async function lendSession(db: ClinicDatabase, nowMs: number): Promise<boolean> {
  const refused = await db.session.get('this');
  const held = (await db.verifiers.toArray()).flatMap(({ token = '' }) => {
    const claims = readToken(token);
    return claims && isCurrent(claims, nowMs) && claims.user.id !== refused?.user.id
      ? [{ id: 'this' as const, token, ...claims }]
      : [];
  });
  if (held[0]) await db.session.put(held[0]);
  return held.length > 0;
}
