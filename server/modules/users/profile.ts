/** What everyone may change about themselves. */
import { isValid, problemMessages } from '../../../domain/problems.ts';
import { accept, refuse } from '../../../domain/result.ts';
import type { Result } from '../../../domain/result.ts';
import { passwordProblem, staffProblems } from '../../../domain/staff/decisions.ts';
import type { UserClaims } from '../../../domain/staff/roles.ts';
import { queriesOver } from '../../db/database.ts';
import { isoOf, rowsOf } from '../../db/sql.ts';
import type { Ports } from '../../ports.ts';
import type { WriteContext } from '../../context.ts';
import { recordAudit } from '../audit/service.ts';
import { endSessionsOf } from './staff.ts';
import type { Session } from '../../context.ts';

export async function changeOwnProfile(
  { sql, session, clinicId, atMs: at }: WriteContext,
  { name, phone }: { name: string; phone: string },
): Promise<Result<UserClaims>> {
  const { userId, user } = session;
  const { email, role, status } = user;
  const problems = staffProblems({ name, email, phone, role, status, password: '' }, { isNew: false });
  if (!isValid(problems)) return refuse('VALIDATION', problemMessages(problems));
  const changed = { name: name.trim(), phone: phone.trim() || null };
  await sql.query(`update users set name = $3, phone = $4, updated_at = $5 where clinic_id = $1 and id = $2`, [
    clinicId,
    userId,
    changed.name,
    changed.phone,
    isoOf(at),
  ]);
  await recordAudit(queriesOver(sql), session, { action: 'profile.changed', subject: `user:${userId}`, at });
  return accept({ ...user, ...changed, updated_at: isoOf(at) });
}

/** The hash of somebody's next password; null when the present one is not what they say it is. */
export async function hashOfNext(
  { database, passwords }: Ports,
  { clinicId, userId }: Session,
  { current, next }: { current: string; next: string },
): Promise<string | null> {
  const [row] = await rowsOf<{ hash: string }>(
    database.$client,
    'own password',
    `select password_hash as hash from users where clinic_id = $1 and id = $2`,
    [clinicId, userId],
  );
  return (await passwords.matches(row?.hash ?? null, current)) ? passwords.hash(next) : null;
}

/** Ends every other session of the person. @param hash see `hashOfNext` */
export async function changeOwnPassword(
  { sql, session, clinicId, atMs: at }: WriteContext,
  next: string,
  hash: string | null,
): Promise<Result<null>> {
  const { userId } = session;
  const problem = passwordProblem(next);
  if (problem) return refuse('VALIDATION', problemMessages({ password: problem }));
  if (hash === null) return refuse('VALIDATION', problemMessages({ current_password: 'PASSWORD_WRONG' }));
  await sql.query(`update users set password_hash = $3, updated_at = $4 where clinic_id = $1 and id = $2`, [
    clinicId,
    userId,
    hash,
    isoOf(at),
  ]);
  await endSessionsOf(sql, session, userId, at);
  await recordAudit(queriesOver(sql), session, { action: 'password.changed', subject: `user:${userId}`, at });
  return accept(null);
}
