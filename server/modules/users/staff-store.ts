/** Staff in SQL. The staff of a clinic are at most a few thousand rows. */
import { lookOf } from '#domain/email.ts';
import { totalPages } from '#domain/pagination.ts';
import { searchKey } from '#domain/search-key.ts';
import type { StaffDraft, StaffMember } from '#domain/staff/decisions.ts';
import type { UserClaims } from '#domain/staff/roles.ts';
import { isoOf } from '#domain/instant.ts';
import { isoText, keyOf, likeText, rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';

const staffJson = `json_build_object('id', u.id, 'name', u.name, 'email', u.email, 'phone', u.phone, 'role', u.role, 'status', u.status,
  'created_at', ${isoText('u.created_at')}, 'updated_at', ${isoText('u.updated_at')})`;

/** PostgreSQL removes the accents while reading. The domain of an email is a word too. */
const searched = keyOf(`u.name || ' ' || u.email || ' ' || split_part(u.email, '@', 2)`);

export const staffSorts = {
  name: keyOf('u.name'),
  email: 'u.email',
  role: 'u.role',
  created_at: 'u.created_at',
} as const;

export interface StaffQuery {
  page: number;
  size: number;
  search?: string | undefined;
  sort: keyof typeof staffSorts;
  order: 'asc' | 'desc';
}

/** Returns one page of the staff who are not removed. A search matches the beginning of any word of name or email. */
export async function listStaff(
  sql: Sql,
  clinicId: number,
  { page, size, search, sort, order }: StaffQuery,
): Promise<{ data: UserClaims[]; pagination: { total: number; page: number; size: number; totalPages: number } }> {
  const wanted = likeText(searchKey(search ?? ''));
  const from = `from users u where u.clinic_id = $1 and u.deleted_at is null and ($2 = '' or ' ' || ${searched} like '% ' || $2 || '%')`;
  const [[counted], rows] = await Promise.all([
    rowsOf<{ total: number }>(sql, 'count staff', `select count(*)::int as total ${from}`, [clinicId, wanted]),
    rowsOf<{ row: UserClaims }>(
      sql,
      `staff by ${sort} ${order}`,
      `select ${staffJson} as row ${from} order by ${staffSorts[sort]} ${order}, u.id ${order} limit $3 offset $4`,
      [clinicId, wanted, size, (page - 1) * size],
    ),
  ]);
  const { total } = counted!;
  return { data: rows.map(({ row }) => row), pagination: { total, page, size, totalPages: totalPages(total, size) } };
}

export type Member = StaffMember & Omit<StaffDraft, 'password'>;

/** Returns a staff member and locks the row; null when the clinic has none of that id. */
export async function lockMember(sql: Sql, clinicId: number, id: number): Promise<Member | null> {
  const rows = await rowsOf<Member>(
    sql,
    'lock staff',
    `select id, name, email, coalesce(phone, '') as phone, role, status from users
     where clinic_id = $1 and id = $2 and deleted_at is null for update`,
    [clinicId, id],
  );
  return rows[0] ?? null;
}

/** Returns whether the clinic has or had such a user. */
export async function isStaff(sql: Sql, clinicId: number, id: number): Promise<boolean> {
  const rows = await rowsOf(sql, 'is staff', 'select 1 from users where clinic_id = $1 and id = $2', [clinicId, id]);
  return rows.length > 0;
}

/** Returns whether another user of the clinic has this e-mail, or one that nobody can tell from it. */
export async function isEmailTaken(sql: Sql, clinicId: number, email: string, id: number | null): Promise<boolean> {
  const others = await rowsOf<{ email: string }>(
    sql,
    'emails of others',
    `select email from users where clinic_id = $1 and deleted_at is null and id is distinct from $2`,
    [clinicId, id],
  );
  const look = lookOf(email);
  return others.some((other) => lookOf(other.email) === look);
}

/** Returns the number of administrators who can sign in, without the user `exceptId`. */
export async function countActiveAdmins(sql: Sql, clinicId: number, exceptId: number | null): Promise<number> {
  const [row] = await rowsOf<{ count: number }>(
    sql,
    'other admins',
    `select count(*)::int as count from users
     where clinic_id = $1 and role = 'admin' and status = 'active' and deleted_at is null and id is distinct from $2`,
    [clinicId, exceptId],
  );
  return row!.count;
}

export async function memberResource(sql: Sql, clinicId: number, id: number): Promise<UserClaims> {
  const rows = await rowsOf<{ row: UserClaims }>(
    sql,
    'staff by id',
    `select ${staffJson} as row from users u where u.clinic_id = $1 and u.id = $2`,
    [clinicId, id],
  );
  return rows[0]!.row;
}

type SavedMember = Omit<StaffDraft, 'password'> & { atMs: number };

export async function insertMember(
  sql: Sql,
  clinicId: number,
  { name, email, phone, role, status, passwordHash, atMs }: SavedMember & { passwordHash: string },
): Promise<number> {
  const [row] = await rowsOf<{ id: number }>(
    sql,
    'insert staff',
    `insert into users (clinic_id, name, email, phone, role, status, password_hash, deactivated_at, created_at, updated_at)
     values ($1, $2, $3, nullif($4, ''), $5, $6::text, $7, case when $6::text = 'inactive' then $8::timestamptz end, $8, $8) returning id`,
    [clinicId, name, email, phone, role, status, passwordHash, isoOf(atMs)],
  );
  return row!.id;
}

export async function updateMember(
  sql: Sql,
  clinicId: number,
  {
    id,
    name,
    email,
    phone,
    role,
    status,
    passwordHash,
    atMs,
  }: SavedMember & { id: number; passwordHash: string | null },
): Promise<void> {
  await sql.query({
    name: 'update staff',
    text: `update users set name = $3, email = $4, phone = nullif($5, ''), role = $6, status = $7::text, password_hash = coalesce($8, password_hash),
             deactivated_at = case when $7::text = 'inactive' then coalesce(deactivated_at, $9::timestamptz) end, updated_at = $9
           where clinic_id = $1 and id = $2`,
    values: [clinicId, id, name, email, phone, role, status, passwordHash, isoOf(atMs)],
  });
}

export async function deleteMember(sql: Sql, clinicId: number, id: number, atMs: number): Promise<void> {
  await sql.query({
    name: 'delete staff',
    text: `update users set deleted_at = $3, deactivated_at = coalesce(deactivated_at, $3), status = 'inactive', updated_at = $3
           where clinic_id = $1 and id = $2`,
    values: [clinicId, id, isoOf(atMs)],
  });
}

export async function updateProfile(
  sql: Sql,
  clinicId: number,
  { id, name, phone, atMs }: { id: number; name: string; phone: string | null; atMs: number },
): Promise<void> {
  await sql.query({
    name: 'update profile',
    text: 'update users set name = $3, phone = $4, updated_at = $5 where clinic_id = $1 and id = $2',
    values: [clinicId, id, name, phone, isoOf(atMs)],
  });
}

export async function loadPasswordHash(sql: Sql, clinicId: number, id: number): Promise<string | null> {
  const [row] = await rowsOf<{ hash: string }>(
    sql,
    'own password',
    'select password_hash as hash from users where clinic_id = $1 and id = $2',
    [clinicId, id],
  );
  return row?.hash ?? null;
}

export async function updatePasswordHash(
  sql: Sql,
  clinicId: number,
  { id, passwordHash, atMs }: { id: number; passwordHash: string; atMs: number },
): Promise<void> {
  await sql.query({
    name: 'update password',
    text: 'update users set password_hash = $3, updated_at = $4 where clinic_id = $1 and id = $2',
    values: [clinicId, id, passwordHash, isoOf(atMs)],
  });
}

/** Activates or deactivates the accounts with these emails in every clinic. */
export async function setAccountsActive(
  sql: Sql,
  emails: readonly string[],
  isActive: boolean,
  atMs: number,
): Promise<void> {
  await sql.query({
    name: 'activate accounts',
    text: `update users set status = case when $2 then 'active' else 'inactive' end, deactivated_at = case when not $2 then $3::timestamptz end
           where email = any($1::text[]) and status = case when $2 then 'inactive' else 'active' end`,
    values: [emails, isActive, isoOf(atMs)],
  });
}

export async function activeEmails(sql: Sql, emails: readonly string[]): Promise<string[]> {
  const rows = await rowsOf<{ email: string }>(
    sql,
    'active accounts',
    `select email from users where email = any($1::text[]) and status = 'active'`,
    [emails],
  );
  return rows.map(({ email }) => email);
}

/** Returns whether any clinic has an administrator who can sign in. */
export async function hasActiveAdmin(sql: Sql): Promise<boolean> {
  const rows = await rowsOf(
    sql,
    'any admin',
    `select 1 from users where role = 'admin' and status = 'active' and deleted_at is null limit 1`,
    [],
  );
  return rows.length > 0;
}
