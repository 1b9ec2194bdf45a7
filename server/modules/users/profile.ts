/** What everyone may change about themselves. */
import { isSound, problemSentences } from '../../../domain/problems.ts';
import { accept, refuse } from '../../../domain/result.ts';
import type { Result } from '../../../domain/result.ts';
import { passwordProblem, staffProblems } from '../../../domain/staff/decisions.ts';
import type { UserClaims } from '../../../domain/staff/roles.ts';
import { queriesOver } from '../../db/database.ts';
import { isoOf, rowsOf } from '../../db/sql.ts';
import { inTransaction } from '../../db/transaction.ts';
import type { Deps } from '../../deps.ts';
import { recordAudit } from '../audit/service.ts';
import { endSessionsOf } from './staff.ts';
import type { Session } from './service.ts';

export async function changeOwnProfile(deps: Deps, session: Session, { name, phone }: { name: string; phone: string }): Promise<Result<UserClaims>> {
  const { clinicId, userId, user } = session;
  const { email, role, status } = user;
  const problems = staffProblems({ name, email, phone, role, status, password: '' }, { isNew: false });
  if (!isSound(problems)) return refuse('VALIDATION', problemSentences(problems));
  const at = deps.clock();
  const changed = { name: name.trim(), phone: phone.trim() || null };
  await inTransaction(deps.database.$client, async (sql) => {
    await sql.query(`update users set name = $3, phone = $4, updated_at = $5 where clinic_id = $1 and id = $2`, [
      clinicId,
      userId,
      changed.name,
      changed.phone,
      isoOf(at),
    ]);
    await recordAudit(queriesOver(sql), session, { action: 'profile.changed', subject: `user:${userId}`, at });
  });
  return accept({ ...user, ...changed, updated_at: isoOf(at) });
}

/** Needs the present password, and ends every other session of the person. */
export async function changeOwnPassword(deps: Deps, session: Session, { current, next }: { current: string; next: string }): Promise<Result<null>> {
  const { clinicId, userId } = session;
  const problem = passwordProblem(next);
  if (problem) return refuse('VALIDATION', problemSentences({ password: problem }));
  const [row] = await rowsOf<{ hash: string }>(
    deps.database.$client,
    'own password',
    `select password_hash as hash from users where clinic_id = $1 and id = $2`,
    [clinicId, userId],
  );
  if (!(await deps.passwords.matches(row?.hash ?? null, current))) {
    return refuse('VALIDATION', problemSentences({ current_password: 'PASSWORD_WRONG' }));
  }
  const hash = await deps.passwords.hash(next);
  const at = deps.clock();
  await inTransaction(deps.database.$client, async (sql) => {
    await sql.query(`update users set password_hash = $3, updated_at = $4 where clinic_id = $1 and id = $2`, [clinicId, userId, hash, isoOf(at)]);
    await endSessionsOf(sql, session, userId, at);
    await recordAudit(queriesOver(sql), session, { action: 'password.changed', subject: `user:${userId}`, at });
  });
  return accept(null);
}
