/** The sessions of event streams in SQL. */
import { rowsOf } from '../db/sql.ts';
import type { Sql } from '../db/sql.ts';
import type { SessionKey } from './streams.ts';

/** Returns the sessions that have ended, or that a restore has removed. */
export async function endedAmong(sql: Sql, sessions: readonly SessionKey[]): Promise<SessionKey[]> {
  return rowsOf<SessionKey>(
    sql,
    'ended sessions',
    `select given.clinic_id as "clinicId", given.jti from unnest($1::int[], $2::uuid[]) as given (clinic_id, jti)
     left join sessions s on s.clinic_id = given.clinic_id and s.jti = given.jti
     where s.jti is null or s.ended_at is not null`,
    [sessions.map(({ clinicId }) => clinicId), sessions.map(({ jti }) => jti)],
  );
}
