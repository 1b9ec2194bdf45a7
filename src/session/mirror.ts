import type { ClinicDatabase } from '../db/database.ts';
import { readToken } from './token.ts';

/** Gives the worker, which cannot read the cookie, the session in the database. */
export async function mirrorSession(db: ClinicDatabase, token: string): Promise<void> {
  const claims = readToken(token);
  if (!claims || (await db.session.get('this'))?.token === token) return;
  await db.session.put({ id: 'this', token, exp: claims.exp, user: claims.user });
}
