/**
 * Sessions. A session is a row identified by its token's `jti`; ending the row ends the session. Role and status of the
 * user are read from the database with every request and never taken from the token.
 */
import { randomUUID } from 'node:crypto';
import type { UserClaims } from '#domain/staff/roles.ts';
import { acrossClinics, withinClinic } from '#server/db/database.ts';
import { accept, refuse } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';
import { isoOf } from '#domain/instant.ts';
import { isAhead } from '#server/clocks.ts';
import type { Session, WriteContext } from '#server/context.ts';
import type { Sql } from '#server/db/sql.ts';
import type { Ports } from '#server/ports.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { recordAudit } from '../audit/service.ts';
import { demoAccounts } from '#server/seed/demo-accounts.ts';
import type { DemoAccount } from '#server/seed/demo-accounts.ts';
import type { Urgency } from './passwords.ts';
import { activeEmails, insertMember } from './staff-store.ts';
import { endUnlock, extendUnlock, lockOpenSession, noteSeen } from './sessions-store.ts';
import { endSession, insertSession, sessionByToken, usersByEmail } from './store.ts';
import type { UserRow } from './store.ts';
import type { KnownDevice } from './throttle.ts';
import { signToken, verifyToken } from './tokens.ts';

export { hasActiveAdmin, setAccountsActive } from './staff-store.ts';
export { codesGrantedTo, countCodeGrant, endSessionsOnDevice, endUnlocksOnDevice } from './sessions-store.ts';
export { hashOfKey, holdsKey } from './device-keys.ts';
export { setSessionDevice } from './store.ts';

function userClaims(user: UserRow): UserClaims {
  const { id, name, email, phone, role, status, createdAtMs, updatedAtMs } = user;
  return { id, name, email, phone, role, status, created_at: isoOf(createdAtMs), updated_at: isoOf(updatedAtMs) };
}

export const mayEnter = (user: UserRow): boolean => user.status === 'active' && !user.isDeleted;

/** What a sign-in gives. The token says the same of its person. */
export interface SignedIn {
  accessToken: string;
  user: UserClaims;
}

/** The accounts that a sign-in may mean: those of the clinic of an enrolled device, and those of all clinics elsewhere. */
export const accountsFor = (
  { database }: Ports,
  { email, device }: { email: string; device?: KnownDevice | undefined },
): Promise<UserRow[]> =>
  device
    ? usersByEmail(withinClinic(database, device.clinicId), email, device.clinicId)
    : usersByEmail(acrossClinics(database), email);

interface Attempt {
  password: string;
  /** The enrolled device that asks. */
  device?: KnownDevice | undefined;
}

/** Begins a session of one account; returns null when the password is wrong, or the account may not enter. */
export async function signIn(ports: Ports, account: UserRow, { password, device }: Attempt): Promise<SignedIn | null> {
  const isTheirs = await ports.passwords.matches(account.passwordHash, password, urgencyOf(device));
  if (isTheirs && mayEnter(account)) return beginSession(ports, account);
  await recordFailedSignIn(ports, account, device);
  return null;
}

/** Takes as long as the attempt on an account that exists, and always fails. */
export async function signInNobody({ passwords }: Ports, { password, device }: Attempt): Promise<null> {
  await passwords.matches(null, password, urgencyOf(device));
  return null;
}

const urgencyOf = (device: KnownDevice | undefined): Urgency => (device ? 'first' : 'last');

/** Records that somebody tried to sign in as a person, at a device of the person's clinic or elsewhere. */
export async function recordFailedSignIn(ports: Ports, { clinicId, id }: UserRow, device?: KnownDevice): Promise<void> {
  await recordAudit(
    withinClinic(ports.database, clinicId),
    { clinicId, userId: id, deviceId: device?.clinicId === clinicId ? device.deviceId : null },
    { action: 'sign_in.failed', at: ports.clock() },
  );
}

/** Begins a session of a person who has shown who they are. */
export async function beginSession(ports: Ports, user: UserRow): Promise<SignedIn> {
  const at = ports.clock();
  const subject = { clinicId: user.clinicId, jti: randomUUID(), scope: 'full' as const };
  const expiresAtMs = at + ports.config.sessionMs;
  await inTransaction(withinClinic(ports.database, user.clinicId), async (sql) => {
    await insertSession(sql, { ...subject, userId: user.id, createdAtMs: at, expiresAtMs });
    await recordAudit(sql, { clinicId: user.clinicId, userId: user.id, deviceId: null }, { action: 'sign_in', at });
  });
  const claims = userClaims(user);
  const accessToken = await signToken(ports.secret, { user: claims, subject, issuedAtMs: at, expiresAtMs });
  return { accessToken, user: claims };
}

/** A session's last use is stored at most this often, because tablets call every 20 seconds. */
const seenAgainMs = 5 * 60_000;

/** Returns the clinic of a token by its signature alone; null when it is invalid. */
export const clinicOf = async ({ secret, clock }: Ports, token: string): Promise<number | null> =>
  (await verifyToken(secret, token, clock()))?.clinicId ?? null;

/** Returns the session of a token; null when it is invalid or has ended. */
export async function readSession(ports: Ports, token: string): Promise<Session | null> {
  const now = ports.clock();
  const subject = await verifyToken(ports.secret, token, now);
  const row = subject && (await sessionByToken(withinClinic(ports.database, subject.clinicId), subject));
  if (!subject || !row || row.session.isEnded || row.session.expiresAtMs <= now || !mayEnter(row.user)) return null;
  const { clinicId, jti, id, userId, deviceId, createdAtMs, lastSeenAtMs, unlockId, unlockedUntilMs } = row.session;
  // One that has not begun yet would last until long after that.
  if (isAhead(createdAtMs, now)) return null;
  const isUnlocked = (unlockedUntilMs ?? 0) > now && !isAhead(unlockedUntilMs, now + unlockMs);
  if (subject.scope === 'page' && !(isUnlocked && unlockId === subject.unlockId)) return null;
  if ((lastSeenAtMs ?? 0) < now - seenAgainMs || isAhead(lastSeenAtMs, now))
    await noteSeen(withinClinic(ports.database, clinicId), { clinicId, jti, atMs: now });
  return {
    clinicId,
    userId,
    role: row.user.role,
    scope: subject.scope,
    jti,
    sessionId: id,
    isUnlocked,
    deviceId,
    user: userClaims(row.user),
    expiresAtMs: row.session.expiresAtMs,
    epoch: row.epoch,
  };
}

/** Returns a token of the same session that reaches only the routes of the sync engine. */
export function syncTokenOf({ secret, clock }: Ports, session: Session): Promise<string> {
  const { clinicId, jti, expiresAtMs } = session;
  const subject = { clinicId, jti, scope: 'sync' as const };
  // It lies on the tablet in clear, and says of nobody who they are.
  return signToken(secret, { subject, issuedAtMs: clock(), expiresAtMs });
}

/** A tablet renews its unlock more often. One that has lost the server is out of use for as long as this at most. */
const unlockMs = 10 * 60_000;

/**
 * Continues or begins the unlock of a session, for a tablet whose person is there.
 *
 * @returns a token that reaches everything until the app locks, or until the tablet is silent for ten minutes
 */
export async function pageTokenOf({ secret, clock, database }: Ports, session: Session): Promise<string | null> {
  const { user, clinicId, jti, expiresAtMs } = session;
  const nowMs = clock();
  const times = { newId: randomUUID(), nowMs, untilMs: nowMs + unlockMs };
  const unlockId = await extendUnlock(withinClinic(database, clinicId), { clinicId, jti, ...times });
  if (!unlockId) return null;
  const subject = { clinicId, jti, scope: 'page' as const, unlockId };
  return signToken(secret, { user, subject, issuedAtMs: nowMs, expiresAtMs });
}

/** Ends the page token of a session, whose app is locked. */
export const lockSession = ({ database }: Ports, session: Session): Promise<void> =>
  endUnlock(withinClinic(database, session.clinicId), session);

export async function signOut({ database, clock }: Ports, session: Session): Promise<void> {
  const at = clock();
  const pool = withinClinic(database, session.clinicId);
  await endSession(pool, { ...session, atMs: at, isRevoked: false });
  await recordAudit(pool, session, { action: 'sign_out', at });
}

/** Ends a session for a manager. Only administrators end the sessions of administrators. */
export async function endSessionById(
  { sql, session, clinicId, atMs }: WriteContext,
  id: number,
): Promise<Result<null>> {
  const found = await lockOpenSession(sql, { clinicId, id, nowMs: atMs });
  if (!found) return refuse('NOT_FOUND');
  if (found.role === 'admin' && session.role !== 'admin') return refuse('FORBIDDEN');
  await endSession(sql, { clinicId, jti: found.jti, atMs, isRevoked: true });
  await recordAudit(sql, session, { action: 'session.ended', subject: `user:${found.userId}`, at: atMs });
  return accept(null);
}

/** Returns the demo accounts that can sign in: none outside demo mode, and none on data that did not begin as a demo. */
export async function openDemoAccounts(sql: Sql): Promise<DemoAccount[]> {
  const emails = await activeEmails(
    sql,
    demoAccounts.map(({ email }) => email),
  );
  return demoAccounts.filter(({ email }) => emails.includes(email));
}

/** Inserts the first administrator of a clinic. */
export async function createAdmin(
  sql: Sql,
  { clinicId, email, passwordHash, atMs }: { clinicId: number; email: string; passwordHash: string; atMs: number },
): Promise<void> {
  const admin = { name: 'Administrator', email, phone: '', role: 'admin', status: 'active' } as const;
  await insertMember(sql, clinicId, { ...admin, passwordHash, atMs });
}
