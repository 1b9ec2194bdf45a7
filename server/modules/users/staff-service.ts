/**
 * The staff of a clinic, and what users change about themselves. Users are never erased: their sales stay theirs (SYNC-8).
 * Deactivating or removing a user, or changing the password, ends all of the user's sessions and passkeys. Callers hold the lock of the
 * clinic's staff, so that two administrators cannot remove each other at once, nor two users get one email.
 */
import { emailOf } from '#domain/email.ts';
import { isValid, problemMessages } from '#domain/problems.ts';
import type { Problem } from '#domain/problems.ts';
import { accept, refuse } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';
import { blankStaff, decideStaffChange, passwordProblem, staffProblems } from '#domain/staff/decisions.ts';
import type { StaffDraft, StaffMember } from '#domain/staff/decisions.ts';
import type { UserClaims } from '#domain/staff/roles.ts';
import { withinClinic } from '#server/db/database.ts';
import type { Sql } from '#server/db/sql.ts';
import type { Session, WriteContext } from '#server/context.ts';
import type { Ports } from '#server/ports.ts';
import { audit, changedFields } from '../audit/service.ts';
import { loadClinic } from '#server/operations/store.ts';
import { guessableProblem } from './guessable-passwords.ts';
import { deletePasskeysOf } from './passkeys-store.ts';
import {
  countActiveAdmins,
  deleteMember,
  insertMember,
  isEmailTaken,
  loadPasswordHash,
  lockMember,
  memberResource,
  updateMember,
  updatePasswordHash,
  updateProfile,
} from './staff-store.ts';
import type { Member } from './staff-store.ts';
import { endSessionsOf } from './store.ts';

/** The fields of a request; missing fields stay unchanged. */
export type StaffInput = { [Field in keyof StaffDraft]?: StaffDraft[Field] | undefined };

/**
 * Creates a staff member, or changes the one with `id`.
 *
 * @param passwordHash the hash of the input's password; null without one
 */
export async function saveStaff(
  context: WriteContext,
  input: StaffInput,
  passwordHash: string | null,
  id: number | null,
): Promise<Result<UserClaims>> {
  const { sql, session, clinicId, atMs } = context;
  const before = id === null ? null : await lockMember(sql, clinicId, id);
  if (id !== null && !before) return refuse('NOT_FOUND');
  const draft = draftOf(before ?? blankStaff, input);
  const problems = staffProblems(draft, { isNew: id === null, isOwn: id === session.userId });
  const guessable = problems.password ? undefined : await guessableProblemOf(sql, clinicId, draft.password, draft);
  if (guessable) problems.password = guessable;
  if (!problems.email && (await isEmailTaken(sql, clinicId, draft.email, id))) problems.email = 'EMAIL_TAKEN';
  if (!isValid(problems)) return refuse('VALIDATION', problemMessages(problems));
  const agreed = await decide(sql, session, before, draft);
  if (!agreed.ok) return agreed;
  const savedId = before?.id ?? (await insertMember(sql, clinicId, { ...draft, passwordHash: passwordHash!, atMs }));
  if (before) await updateMember(sql, clinicId, { ...draft, id: before.id, passwordHash, atMs });
  if (before && (draft.status === 'inactive' || passwordHash))
    await endAccess(sql, session, { userId: before.id, atMs, isRevoked: passwordHash !== null });
  const details = {
    role: draft.role,
    status: draft.status,
    ...(before && changedFields(said(before), said(draft))),
    ...(before && passwordHash && { password: 'changed' }),
  };
  await audit(context, { action: before ? 'staff.changed' : 'staff.created', subject: subjectOf(savedId), details });
  return accept(await memberResource(sql, clinicId, savedId));
}

export async function removeStaff(context: WriteContext, id: number): Promise<Result<null>> {
  const { sql, session, clinicId, atMs } = context;
  const before = await lockMember(sql, clinicId, id);
  if (!before) return refuse('NOT_FOUND');
  const agreed = await decide(sql, session, before, null);
  if (!agreed.ok) return agreed;
  await deleteMember(sql, clinicId, id, atMs);
  await endAccess(sql, session, { userId: id, atMs, isRevoked: false });
  await audit(context, { action: 'staff.removed', subject: subjectOf(id), details: { role: before.role } });
  return accept(null);
}

const subjectOf = (userId: number): string => `user:${userId}`;

/** What the audit log keeps before and after a change. */
const said = ({ name, email, phone }: Pick<UserClaims, 'name' | 'email' | 'phone'>) => ({
  name,
  email,
  phone: phone ?? '',
});

const draftOf = (base: Omit<Member, 'id'>, input: StaffInput): StaffDraft => ({
  name: (input.name ?? base.name).trim(),
  email: emailOf(input.email ?? base.email),
  phone: (input.phone ?? base.phone).trim(),
  role: input.role ?? base.role,
  status: input.status ?? base.status,
  password: input.password ?? '',
});

async function decide(
  sql: Sql,
  { clinicId, userId, role }: Session,
  before: Member | null,
  after: Pick<StaffMember, 'role' | 'status'> | null,
): Promise<Result<null>> {
  const otherActiveAdmins = await countActiveAdmins(sql, clinicId, before?.id ?? null);
  return decideStaffChange({ actor: { id: userId, role }, before, after, otherActiveAdmins });
}

export async function changeOwnProfile(
  context: WriteContext,
  changes: Pick<StaffInput, 'name' | 'phone'>,
): Promise<Result<UserClaims>> {
  const { sql, session, clinicId, atMs } = context;
  const { userId } = session;
  const before = await lockMember(sql, clinicId, userId);
  if (!before) return refuse('NOT_FOUND');
  const { email, role, status } = before;
  const { name = before.name, phone = before.phone } = changes;
  const problems = staffProblems({ name, email, phone, role, status, password: '' }, { isNew: false });
  if (!isValid(problems)) return refuse('VALIDATION', problemMessages(problems));
  const changed = { name: name.trim(), phone: phone.trim() || null };
  await updateProfile(sql, clinicId, { id: userId, ...changed, atMs });
  const details = changedFields(said(before), said({ email, ...changed }));
  await audit(context, { action: 'profile.changed', subject: subjectOf(userId), details });
  return accept(await memberResource(sql, clinicId, userId));
}

/** Returns whether a password belongs to the person of a session. */
export async function isOwnPassword(
  { database, passwords }: Ports,
  { clinicId, userId }: Session,
  password: string,
): Promise<boolean> {
  const hash = await loadPasswordHash(withinClinic(database, clinicId), clinicId, userId);
  return passwords.matches(hash, password);
}

/**
 * Changes the user's password and ends all other sessions of the user.
 *
 * @param hash the hash of the next password; null when the current one is wrong
 */
export async function changeOwnPassword(
  context: WriteContext,
  next: string,
  hash: string | null,
): Promise<Result<null>> {
  const { sql, session, clinicId, atMs } = context;
  const { userId, user } = session;
  const problem = passwordProblem(next) ?? (await guessableProblemOf(sql, clinicId, next, user));
  const problems = {
    ...(hash === null && { current_password: 'PASSWORD_WRONG' as const }),
    ...(problem && { password: problem }),
  };
  if (hash === null || !isValid(problems)) return refuse('VALIDATION', problemMessages(problems));
  await updatePasswordHash(sql, clinicId, { id: userId, passwordHash: hash, atMs });
  await endAccess(sql, session, { userId, atMs, isRevoked: true });
  await audit(context, { action: 'password.changed', subject: subjectOf(userId) });
  return accept(null);
}

/** Returns why a person's new password is guessed first; undefined for a blank one, which keeps the present one. */
async function guessableProblemOf(
  sql: Sql,
  clinicId: number,
  password: string,
  { name, email }: { name: string; email: string },
): Promise<Problem | undefined> {
  if (password === '') return undefined;
  const { practice_name } = (await loadClinic(sql, clinicId)).settings;
  return guessableProblem(password, { name, email, clinic: [practice_name] });
}

/**
 * Ends what lets somebody in: the sessions but the caller's own, and the passkeys. A new password ends the actor keys too.
 * After a deactivation work is still accepted, and told (SYNC-8).
 */
async function endAccess(
  sql: Sql,
  { clinicId, jti }: Session,
  { userId, atMs, isRevoked }: { userId: number; atMs: number; isRevoked: boolean },
): Promise<void> {
  await deletePasskeysOf(sql, { clinicId, userId });
  await endSessionsOf(sql, { clinicId, userId, keptJti: jti, atMs, isRevoked });
}
