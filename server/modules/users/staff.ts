/**
 * The staff as managers and administrators see them. Nobody is ever erased: what they sold stays theirs (SYNC-8). Whoever
 * is deactivated or removed, or gets another password, is signed out everywhere at once. Callers hold the lock of the clinic's
 * whole staff, so that two administrators cannot remove each other at once, nor two people get one email.
 */
import type { AuditAction } from '../../../domain/audit/actions.ts';
import { isValid, problemMessages } from '../../../domain/problems.ts';
import { accept, refuse } from '../../../domain/result.ts';
import type { Result } from '../../../domain/result.ts';
import { searchKey } from '../../../domain/search-key.ts';
import { decideStaffChange, staffProblems } from '../../../domain/staff/decisions.ts';
import type { StaffDraft, StaffMember } from '../../../domain/staff/decisions.ts';
import type { UserClaims } from '../../../domain/staff/roles.ts';
import { queriesOver } from '../../db/database.ts';
import { isoOf, rowsOf } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { isoText, keyOf, likeText } from '../../db/wire.ts';
import type { WriteContext } from '../../context.ts';
import { recordAudit } from '../audit/service.ts';
import type { Session } from '../../context.ts';

const staffJson = `json_build_object('id', u.id, 'name', u.name, 'email', u.email, 'phone', u.phone, 'role', u.role, 'status', u.status,
  'created_at', ${isoText('u.created_at')}, 'updated_at', ${isoText('u.updated_at')})`;

/** A few thousand rows at most: PostgreSQL strips their accents as it reads. */
const searched = keyOf(`u.name || ' ' || u.email`);

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

/** One page of the people who are not removed; a search finds the beginning of any word of a name or of the email. */
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
  return { data: rows.map(({ row }) => row), pagination: { total, page, size, totalPages: Math.ceil(total / size) } };
}

/** What a request says about somebody: a change leaves out what it does not mean to change. */
export type StaffInput = { [Field in keyof StaffDraft]?: StaffDraft[Field] | undefined };

/**
 * Adds somebody, or changes them where `id` is given.
 *
 * @param passwordHash of the password that the input names; null where it names none
 */
export async function saveStaff(
  { sql, session, clinicId, atMs }: WriteContext,
  input: StaffInput,
  passwordHash: string | null,
  id: number | null,
): Promise<Result<UserClaims>> {
  const before = id === null ? null : await lockMember(sql, clinicId, id);
  if (id !== null && !before) return refuse('NOT_FOUND');
  const draft = draftOf(before ?? newcomer, input);
  const problems = staffProblems(draft, { isNew: id === null });
  if (!problems.email && (await isTaken(sql, clinicId, draft.email, id))) problems.email = 'EMAIL_TAKEN';
  if (!isValid(problems)) return refuse('VALIDATION', problemMessages(problems));
  const agreed = await agree(sql, session, before, draft);
  if (!agreed.ok) return agreed;
  const savedId = before?.id ?? (await insertMember(sql, clinicId, draft, passwordHash!, atMs));
  if (before) await updateMember(sql, clinicId, before.id, draft, passwordHash, atMs);
  if (before && (draft.status === 'inactive' || passwordHash)) await endSessionsOf(sql, session, before.id, atMs);
  await audit(sql, session, atMs, before ? 'staff.changed' : 'staff.created', savedId, {
    role: draft.role,
    status: draft.status,
    ...(before && passwordHash && { password: 'changed' }),
  });
  return accept(await memberResource(sql, clinicId, savedId));
}

export async function removeStaff({ sql, session, clinicId, atMs }: WriteContext, id: number): Promise<Result<null>> {
  const before = await lockMember(sql, clinicId, id);
  if (!before) return refuse('NOT_FOUND');
  const agreed = await agree(sql, session, before, null);
  if (!agreed.ok) return agreed;
  await sql.query(
    `update users set deleted_at = $3, deactivated_at = coalesce(deactivated_at, $3), status = 'inactive', updated_at = $3
     where clinic_id = $1 and id = $2`,
    [clinicId, id, isoOf(atMs)],
  );
  await endSessionsOf(sql, session, id, atMs);
  await audit(sql, session, atMs, 'staff.removed', id, { role: before.role });
  return accept(null);
}

type Member = StaffMember & Omit<StaffDraft, 'password'>;

const newcomer: Omit<Member, 'id'> = { name: '', email: '', phone: '', role: 'counter', status: 'active' };

const draftOf = (base: Omit<Member, 'id'>, input: StaffInput): StaffDraft => ({
  name: (input.name ?? base.name).trim(),
  email: (input.email ?? base.email).trim().toLowerCase(),
  phone: (input.phone ?? base.phone).trim(),
  role: input.role ?? base.role,
  status: input.status ?? base.status,
  password: input.password ?? '',
});

async function lockMember(sql: Sql, clinicId: number, id: number): Promise<Member | null> {
  const rows = await rowsOf<Member>(
    sql,
    'lock staff',
    `select id, name, email, coalesce(phone, '') as phone, role, status from users
     where clinic_id = $1 and id = $2 and deleted_at is null for update`,
    [clinicId, id],
  );
  return rows[0] ?? null;
}

/** Whether somebody else of the clinic has this email. */
async function isTaken(sql: Sql, clinicId: number, email: string, id: number | null): Promise<boolean> {
  const others = await rowsOf(
    sql,
    'email taken',
    `select 1 from users where clinic_id = $1 and email = $2 and deleted_at is null and id is distinct from $3`,
    [clinicId, email, id],
  );
  return others.length > 0;
}

async function agree(
  sql: Sql,
  { clinicId, userId, role }: Session,
  before: Member | null,
  after: Pick<StaffMember, 'role' | 'status'> | null,
): Promise<Result<null>> {
  const [row] = await rowsOf<{ count: number }>(
    sql,
    'other admins',
    `select count(*)::int as count from users
     where clinic_id = $1 and role = 'admin' and status = 'active' and deleted_at is null and id is distinct from $2`,
    [clinicId, before?.id ?? null],
  );
  return decideStaffChange({ actor: { id: userId, role }, before, after, otherActiveAdmins: row!.count });
}

async function memberResource(sql: Sql, clinicId: number, id: number): Promise<UserClaims> {
  const rows = await rowsOf<{ row: UserClaims }>(
    sql,
    'staff by id',
    `select ${staffJson} as row from users u where u.clinic_id = $1 and u.id = $2`,
    [clinicId, id],
  );
  return rows[0]!.row;
}

async function insertMember(
  sql: Sql,
  clinicId: number,
  { name, email, phone, role, status }: StaffDraft,
  passwordHash: string,
  atMs: number,
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

async function updateMember(
  sql: Sql,
  clinicId: number,
  id: number,
  { name, email, phone, role, status }: StaffDraft,
  passwordHash: string | null,
  atMs: number,
): Promise<void> {
  await sql.query({
    name: 'update staff',
    text: `update users set name = $3, email = $4, phone = nullif($5, ''), role = $6, status = $7::text, password_hash = coalesce($8, password_hash),
             deactivated_at = case when $7::text = 'inactive' then coalesce(deactivated_at, $9::timestamptz) end, updated_at = $9
           where clinic_id = $1 and id = $2`,
    values: [clinicId, id, name, email, phone, role, status, passwordHash, isoOf(atMs)],
  });
}

/** Everywhere but in the session that asks, where somebody changes their own password. */
export async function endSessionsOf(sql: Sql, { clinicId, jti }: Session, userId: number, atMs: number): Promise<void> {
  await sql.query({
    name: 'end sessions',
    text: `update sessions set ended_at = $3 where clinic_id = $1 and user_id = $2 and ended_at is null and jti <> $4`,
    values: [clinicId, userId, isoOf(atMs), jti],
  });
}

function audit(
  sql: Sql,
  session: Session,
  at: number,
  action: AuditAction,
  id: number,
  details: Record<string, string>,
): Promise<void> {
  return recordAudit(queriesOver(sql), session, { action, subject: `user:${id}`, details, at });
}
