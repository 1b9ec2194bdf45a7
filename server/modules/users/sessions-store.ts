/** The list of open sessions in SQL, and what a session may use up. */
import { dayMs } from '#domain/durations.ts';
import type { SessionResource } from '#domain/protocol/sync.ts';
import type { Role } from '#domain/staff/roles.ts';
import { isoOf } from '#domain/instant.ts';
import { latestAt } from '#server/clocks.ts';
import { isoText, rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';

const mostListed = 500;

/** SQL: the sessions that have not ended at `$2`, seen by the caller with the token `$3`. */
const openSessionRows = `select json_build_object('id', s.id,
       'user', json_build_object('id', u.id, 'name', u.name, 'role', u.role),
       'device', case when d.id is not null then json_build_object('id', d.id, 'code', d.code, 'name', d.name) end,
       'created_at', ${isoText('s.created_at')}, 'last_seen_at', ${isoText('coalesce(s.last_seen_at, s.created_at)')},
       'current', s.jti = $3) as row
     from sessions s join users u on u.clinic_id = s.clinic_id and u.id = s.user_id
     left join devices d on d.clinic_id = s.clinic_id and d.id = s.device_id
     where s.clinic_id = $1 and s.expires_at > $2 and s.ended_at is null and s.created_at <= $4`;

interface Reading {
  clinicId: number;
  /** The caller's own token. */
  jti: string;
  nowMs: number;
}

/** Returns the sessions that have not ended, the latest seen first. */
export async function openSessions(sql: Sql, { clinicId, jti, nowMs }: Reading): Promise<SessionResource[]> {
  const rows = await rowsOf<{ row: SessionResource }>(
    sql,
    'open sessions',
    `${openSessionRows} order by coalesce(s.last_seen_at, s.created_at) desc, s.id desc limit ${mostListed}`,
    [clinicId, isoOf(nowMs), jti, latestAt(nowMs)],
  );
  return rows.map(({ row }) => row);
}

/** Returns one session that has not ended. */
export async function openSession(
  sql: Sql,
  { clinicId, jti, nowMs, id }: Reading & { id: number },
): Promise<SessionResource | undefined> {
  const [found] = await rowsOf<{ row: SessionResource }>(sql, 'open session', `${openSessionRows} and s.id = $5`, [
    clinicId,
    isoOf(nowMs),
    jti,
    latestAt(nowMs),
    id,
  ]);
  return found?.row;
}

/** Locks a session that has not ended. */
export async function lockOpenSession(
  sql: Sql,
  { clinicId, id, nowMs }: { clinicId: number; id: number; nowMs: number },
): Promise<{ jti: string; userId: number; role: Role } | undefined> {
  const [row] = await rowsOf<{ jti: string; userId: number; role: Role }>(
    sql,
    'lock open session',
    `select s.jti, s.user_id as "userId", u.role from sessions s join users u on u.clinic_id = s.clinic_id and u.id = s.user_id
     where s.clinic_id = $1 and s.id = $2 and s.expires_at > $3 and s.ended_at is null for update of s`,
    [clinicId, id, isoOf(nowMs)],
  );
  return row;
}

/** Ends the sessions on a device. @returns how many there were */
export async function endSessionsOnDevice(
  sql: Sql,
  { clinicId, deviceId, atMs }: { clinicId: number; deviceId: number; atMs: number },
): Promise<number> {
  const rows = await rowsOf(
    sql,
    'end sessions on device',
    `update sessions set ended_at = $3 where clinic_id = $1 and device_id = $2 and ended_at is null and expires_at > $3 returning 1`,
    [clinicId, deviceId, isoOf(atMs)],
  );
  return rows.length;
}

/** Ends the unlocks of the sessions on a device. */
export async function endUnlocksOnDevice(
  sql: Sql,
  { clinicId, deviceId }: { clinicId: number; deviceId: number },
): Promise<void> {
  await sql.query({
    name: 'end unlocks on device',
    text: 'update sessions set unlocked_until = null where clinic_id = $1 and device_id = $2 and ended_at is null',
    values: [clinicId, deviceId],
  });
}

/** A device on which somebody has not signed in for this long is no longer theirs. */
const atHomeMs = 90 * dayMs;

/** Returns whether an account has signed in on a device. */
export async function hasSignedInOn(
  sql: Sql,
  { clinicId, deviceId, userId, nowMs }: { clinicId: number; deviceId: number; userId: number; nowMs: number },
): Promise<boolean> {
  const rows = await rowsOf(
    sql,
    'signed in on',
    `select 1 from sessions where clinic_id = $1 and user_id = $2 and device_id = $3 and created_at > $4 limit 1`,
    [clinicId, userId, deviceId, isoOf(nowMs - atHomeMs)],
  );
  return rows.length > 0;
}

export async function noteSeen(
  sql: Sql,
  { clinicId, jti, atMs }: { clinicId: number; jti: string; atMs: number },
): Promise<void> {
  await sql.query({
    name: 'note session seen',
    text: 'update sessions set last_seen_at = $3 where clinic_id = $1 and jti = $2',
    values: [clinicId, jti, isoOf(atMs)],
  });
}

/**
 * Returns how many codes a person's sessions since an instant were granted. Locks the person, so that sessions that ask at
 * the same moment are counted one after the other.
 */
export async function codesGrantedTo(
  sql: Sql,
  { clinicId, userId, sinceMs, nowMs }: { clinicId: number; userId: number; sinceMs: number; nowMs: number },
): Promise<number> {
  await rowsOf(sql, 'lock who takes codes', 'select 1 from users where clinic_id = $1 and id = $2 for no key update', [
    clinicId,
    userId,
  ]);
  const [row] = await rowsOf<{ granted: number }>(
    sql,
    'codes granted to',
    `select coalesce(sum(codes_granted), 0)::int as granted from sessions
     where clinic_id = $1 and user_id = $2 and created_at > $3 and created_at <= $4`,
    [clinicId, userId, isoOf(sinceMs), latestAt(nowMs)],
  );
  return row!.granted;
}

/** Counts one more device code for a session. @returns false if it has used up `most` */
export async function countCodeGrant(
  sql: Sql,
  { clinicId, jti, most }: { clinicId: number; jti: string; most: number },
): Promise<boolean> {
  const rows = await rowsOf(
    sql,
    'count code grant',
    `update sessions set codes_granted = codes_granted + 1 where clinic_id = $1 and jti = $2 and codes_granted < $3 returning 1`,
    [clinicId, jti, most],
  );
  return rows.length > 0;
}

/** Continues the unlock of a session, or begins one if there is none. @returns its id */
export async function extendUnlock(
  sql: Sql,
  {
    clinicId,
    jti,
    newId,
    nowMs,
    untilMs,
  }: { clinicId: number; jti: string; newId: string; nowMs: number; untilMs: number },
): Promise<string | undefined> {
  const [row] = await rowsOf<{ id: string }>(
    sql,
    'extend unlock',
    `update sessions set unlocked_until = $5, unlock_id = case when unlocked_until > $4 and unlocked_until <= $6 then unlock_id else $3::uuid end
     where clinic_id = $1 and jti = $2 and ended_at is null returning unlock_id as id`,
    [clinicId, jti, newId, isoOf(nowMs), isoOf(untilMs), latestAt(untilMs)],
  );
  return row?.id;
}

/** Ends the unlock of a session. */
export async function endUnlock(sql: Sql, { clinicId, jti }: { clinicId: number; jti: string }): Promise<void> {
  await sql.query({
    name: 'end unlock',
    text: 'update sessions set unlocked_until = null where clinic_id = $1 and jti = $2',
    values: [clinicId, jti],
  });
}
