/**
 * Signing in and out. A session is a row named by its token's `jti`; ending the row ends the session, and the person's
 * role and status are read from their own row each time, so neither is ever believed from a token.
 */
import { randomUUID } from 'node:crypto';
import type { Role, UserClaims } from '../../../domain/staff/roles.ts';
import { isoOf } from '../../db/sql.ts';
import type { Deps } from '../../deps.ts';
import { recordAudit } from '../audit/service.ts';
import { endSession, insertSession, sessionByToken, usersByEmail } from './store.ts';
import type { UserRow } from './store.ts';
import { signToken, verifyToken } from './tokens.ts';

export { setSessionDevice } from './store.ts';

export interface Session {
  clinicId: number;
  userId: number;
  role: Role;
  jti: string;
  /** Null until the device has introduced itself. */
  deviceId: number | null;
  user: UserClaims;
  /** The clinic's epoch (SYNC-16). */
  epoch: string;
}

function userClaims(user: UserRow): UserClaims {
  const { id, name, email, phone, role, status, createdAt, updatedAt } = user;
  return { id, name, email, phone, role, status, created_at: isoOf(createdAt), updated_at: isoOf(updatedAt) };
}

const mayEnter = (user: UserRow): boolean => user.status === 'active' && user.deletedAt === null;

/** The token of a new session; null when the credentials are wrong, for whatever reason. */
export async function signIn(
  deps: Deps,
  { email, password }: { email: string; password: string },
): Promise<string | null> {
  const candidates = await usersByEmail(deps.database, email);
  const user = await ownerOf(deps, candidates, password);
  const at = deps.clock();
  if (!user || !mayEnter(user)) {
    for (const { clinicId, id } of candidates) {
      await recordAudit(deps.database, { clinicId, userId: id, deviceId: null }, { action: 'sign_in.failed', at });
    }
    return null;
  }
  const subject = { clinicId: user.clinicId, jti: randomUUID() };
  const expiresAtMs = at + deps.config.sessionMs;
  await deps.database.transaction(async (tx) => {
    await insertSession(tx, { ...subject, userId: user.id, createdAt: at, expiresAt: expiresAtMs });
    await recordAudit(tx, { clinicId: user.clinicId, userId: user.id, deviceId: null }, { action: 'sign_in', at });
  });
  return signToken(deps.secret, { claims: userClaims(user), subject, issuedAtMs: at, expiresAtMs });
}

/** One email may have an account in several clinics; the password says which is meant. */
async function ownerOf({ passwords }: Deps, candidates: UserRow[], password: string): Promise<UserRow | null> {
  if (candidates.length === 0) await passwords.matches(null, password);
  for (const user of candidates) if (await passwords.matches(user.passwordHash, password)) return user;
  return null;
}

/** The session that a token stands for; null when there is none any more. */
export async function readSession(deps: Deps, token: string): Promise<Session | null> {
  const now = deps.clock();
  const subject = await verifyToken(deps.secret, token, now);
  const row = subject && (await sessionByToken(deps.database, subject));
  if (!row || row.session.endedAt !== null || row.session.expiresAt <= now || !mayEnter(row.user)) return null;
  const { clinicId, jti, userId, deviceId } = row.session;
  return { clinicId, userId, role: row.user.role, jti, deviceId, user: userClaims(row.user), epoch: row.epoch };
}

export async function signOut({ database, clock }: Deps, session: Session): Promise<void> {
  const at = clock();
  await endSession(database, { ...session, at });
  await recordAudit(database, session, { action: 'sign_out', at });
}
