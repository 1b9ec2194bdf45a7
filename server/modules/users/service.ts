/**
 * Signing in and out. A session is a row named by its token's `jti`; ending the row ends the session, and the person's
 * role and status are read from their own row each time, so neither is ever believed from a token.
 */
import { randomUUID } from 'node:crypto';
import type { UserClaims } from '../../../domain/staff/roles.ts';
import { isoOf } from '../../db/sql.ts';
import type { Session } from '../../context.ts';
import type { Ports } from '../../ports.ts';
import { recordAudit } from '../audit/service.ts';
import { endSession, insertSession, sessionByToken, usersByEmail } from './store.ts';
import type { UserRow } from './store.ts';
import { signToken, verifyToken } from './tokens.ts';

export { setSessionDevice } from './store.ts';

function userClaims(user: UserRow): UserClaims {
  const { id, name, email, phone, role, status, createdAt, updatedAt } = user;
  return { id, name, email, phone, role, status, created_at: isoOf(createdAt), updated_at: isoOf(updatedAt) };
}

const mayEnter = (user: UserRow): boolean => user.status === 'active' && user.deletedAt === null;

/** The token of a new session; null when the credentials are wrong, for whatever reason. */
export async function signIn(
  ports: Ports,
  { email, password }: { email: string; password: string },
): Promise<string | null> {
  const candidates = await usersByEmail(ports.database, email);
  const user = await ownerOf(ports, candidates, password);
  const at = ports.clock();
  if (!user || !mayEnter(user)) {
    for (const { clinicId, id } of candidates) {
      await recordAudit(ports.database, { clinicId, userId: id, deviceId: null }, { action: 'sign_in.failed', at });
    }
    return null;
  }
  const subject = { clinicId: user.clinicId, jti: randomUUID() };
  const expiresAtMs = at + ports.config.sessionMs;
  await ports.database.transaction(async (tx) => {
    await insertSession(tx, { ...subject, userId: user.id, createdAt: at, expiresAt: expiresAtMs });
    await recordAudit(tx, { clinicId: user.clinicId, userId: user.id, deviceId: null }, { action: 'sign_in', at });
  });
  return signToken(ports.secret, { claims: userClaims(user), subject, issuedAtMs: at, expiresAtMs });
}

/** One email may have an account in several clinics; the password says which is meant. */
async function ownerOf({ passwords }: Ports, candidates: UserRow[], password: string): Promise<UserRow | null> {
  if (candidates.length === 0) await passwords.matches(null, password);
  for (const user of candidates) if (await passwords.matches(user.passwordHash, password)) return user;
  return null;
}

/** The session that a token stands for; null when there is none any more. */
export async function readSession(ports: Ports, token: string): Promise<Session | null> {
  const now = ports.clock();
  const subject = await verifyToken(ports.secret, token, now);
  const row = subject && (await sessionByToken(ports.database, subject));
  if (!row || row.session.endedAt !== null || row.session.expiresAt <= now || !mayEnter(row.user)) return null;
  const { clinicId, jti, userId, deviceId } = row.session;
  return { clinicId, userId, role: row.user.role, jti, deviceId, user: userClaims(row.user), epoch: row.epoch };
}

export async function signOut({ database, clock }: Ports, session: Session): Promise<void> {
  const at = clock();
  await endSession(database, { ...session, at });
  await recordAudit(database, session, { action: 'sign_out', at });
}
