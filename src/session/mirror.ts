import { emailKey } from '../db/database.ts';
import type { ClinicDatabase } from '../db/database.ts';
import { isCurrent, readToken } from './token.ts';

/**
 * Copies the session to the database: for the worker, which can't read the cookie, and for the person's next unlock.
 */
export async function mirrorSession(db: ClinicDatabase, token: string): Promise<void> {
  const claims = readToken(token);
  if (!claims || (await db.session.get('this'))?.token === token) return;
  await db.transaction('rw', db.session, db.verifiers, async () => {
    await db.session.put({ id: 'this', token, exp: claims.exp, user: claims.user });
    await db.verifiers.update(emailKey(claims.user.email), { token });
  });
}

/**
 * Replaces a token that the server refused with another person's valid token: any valid session of this device may
 * upload (SYNC-8). @returns false if there is none
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
