/** Users and their sessions in SQL. */
import { isoOf } from '#domain/instant.ts';
import { jsonFields } from '#server/db/read.ts';
import type { RowOf } from '#server/db/read.ts';
import { sessions, users } from '#server/db/schema/access.ts';
import { epochOf, rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';

const userFields = jsonFields(users, 'u', [
  'clinicId',
  'id',
  'name',
  'email',
  'phone',
  'passwordHash',
  'role',
  'status',
  'createdAt',
  'updatedAt',
]);

/** Instants are milliseconds since 1970. */
export type UserRow = RowOf<typeof userFields> & { isDeleted: boolean };

export const userJson = `json_build_object(${userFields}, 'isDeleted', u.deleted_at is not null)`;

const sessionFields = jsonFields(sessions, 's', [
  'clinicId',
  'jti',
  'id',
  'userId',
  'deviceId',
  'createdAt',
  'expiresAt',
  'lastSeenAt',
  'unlockId',
  'unlockedUntil',
]);

export type SessionRow = RowOf<typeof sessionFields> & { isEnded: boolean };

const sessionJson = `json_build_object(${sessionFields}, 'isEnded', s.ended_at is not null)`;

/**
 * Returns the users with this email.
 *
 * @param clinicId null for every clinic, because a sign-in of an unknown device names none
 */
export async function usersByEmail(sql: Sql, email: string, clinicId: number | null = null): Promise<UserRow[]> {
  const rows = await rowsOf<{ user: UserRow }>(
    sql,
    'users by email',
    `select ${userJson} as user from clinics c
     join users u on u.clinic_id = c.id and u.email = $1 and u.deleted_at is null
     where $2::int is null or c.id = $2 order by c.id`,
    [email, clinicId],
  );
  return rows.map(({ user }) => user);
}

export async function insertSession(
  sql: Sql,
  session: { clinicId: number; jti: string; userId: number; createdAtMs: number; expiresAtMs: number },
): Promise<void> {
  const { clinicId, jti, userId, createdAtMs, expiresAtMs } = session;
  await sql.query({
    name: 'insert session',
    text: 'insert into sessions (clinic_id, jti, user_id, created_at, expires_at) values ($1, $2, $3, $4, $5)',
    values: [clinicId, jti, userId, isoOf(createdAtMs), isoOf(expiresAtMs)],
  });
}

/** Returns a session with its user as stored now, and the clinic's epoch. */
export async function sessionByToken(
  sql: Sql,
  { clinicId, jti }: { clinicId: number; jti: string },
): Promise<{ session: SessionRow; user: UserRow; epoch: string } | undefined> {
  const [row] = await rowsOf<{ session: SessionRow; user: UserRow; epoch: string }>(
    sql,
    'session by token',
    `select ${sessionJson} as session, ${userJson} as user, ${epochOf('c.epoch')} as epoch from sessions s
     join users u on u.clinic_id = s.clinic_id and u.id = s.user_id join clinics c on c.id = s.clinic_id
     where s.clinic_id = $1 and s.jti = $2`,
    [clinicId, jti],
  );
  return row;
}

/**
 * Ends a session.
 *
 * @param isRevoked true when its actor key ends as well. After a sign-out it proves what its person does without a network
 */
export async function endSession(
  sql: Sql,
  { clinicId, jti, atMs, isRevoked }: { clinicId: number; jti: string; atMs: number; isRevoked: boolean },
): Promise<void> {
  await sql.query({
    name: 'end session',
    text: `update sessions set ended_at = $3, key_ended_at = case when $4 then $3::timestamptz end
           where clinic_id = $1 and jti = $2 and ended_at is null`,
    values: [clinicId, jti, isoOf(atMs), isRevoked],
  });
}

/**
 * Ends the open sessions of a user except `keptJti`, in which users change their own password.
 *
 * @param isRevoked true when the actor keys of all sessions but that one end as well, also of those that have ended
 */
export async function endSessionsOf(
  sql: Sql,
  {
    clinicId,
    userId,
    keptJti,
    atMs,
    isRevoked,
  }: { clinicId: number; userId: number; keptJti: string; atMs: number; isRevoked: boolean },
): Promise<void> {
  await sql.query({
    name: 'end sessions',
    text: `update sessions set ended_at = coalesce(ended_at, $3), key_ended_at = case when $5 then coalesce(key_ended_at, $3) end
           where clinic_id = $1 and user_id = $2 and jti <> $4 and (ended_at is null or ($5 and key_ended_at is null))`,
    values: [clinicId, userId, isoOf(atMs), keptJti, isRevoked],
  });
}

export async function setSessionDevice(
  sql: Sql,
  { clinicId, jti, deviceId }: { clinicId: number; jti: string; deviceId: number },
): Promise<void> {
  await sql.query({
    name: 'session device',
    text: 'update sessions set device_id = $3 where clinic_id = $1 and jti = $2',
    values: [clinicId, jti, deviceId],
  });
}

/** Returns the devices with this id that are not revoked, of every clinic, because a sign-in names no clinic. */
export async function keysOfDevice(sql: Sql, id: number): Promise<{ clinicId: number; keyHash: string | null }[]> {
  return rowsOf(
    sql,
    'keys of device',
    `select c.id as "clinicId", d.key_hash as "keyHash" from clinics c
     join devices d on d.clinic_id = c.id and d.id = $1 and d.revoked_at is null`,
    [id],
  );
}
