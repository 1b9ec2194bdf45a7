/** The rules of staff accounts: who may change whom, and the validation of the form. */
import { emailForm } from '../email.ts';
import { textLimits } from '../limits.ts';
import type { Problems } from '../problems.ts';
import { accept, refuse } from '../result.ts';
import type { Result } from '../result.ts';
import type { Role, UserStatus } from './roles.ts';

export interface StaffDraft {
  name: string;
  email: string;
  phone: string;
  /** A blank password on an edit keeps the current one. */
  password: string;
  role: Role;
  status: UserStatus;
}

export const blankStaff: StaffDraft = {
  name: '',
  email: '',
  phone: '',
  password: '',
  role: 'counter',
  status: 'active',
};

const minPasswordLength = 6;
const maxPasswordLength = 200;
const maxEmailLength = 200;

/** Checks a password as typed, including spaces. The server also refuses the passwords that are guessed first. */
export function passwordProblem(password: string): 'PASSWORD_SHORT' | 'TOO_LONG' | undefined {
  if (password.length < minPasswordLength) return 'PASSWORD_SHORT';
  return password.length > maxPasswordLength ? 'TOO_LONG' : undefined;
}

/**
 * @param isNew a new account requires a password; an edit with a blank password keeps the current one
 * @param isOwn of the own account: a finder of the open screen must not change its password, which takes the current one elsewhere
 */
export function staffProblems(
  draft: StaffDraft,
  { isNew, isOwn = false }: { isNew: boolean; isOwn?: boolean },
): Problems<keyof StaffDraft> {
  const problems: Problems<keyof StaffDraft> = {};
  if (draft.name.trim().length < 3) problems.name = 'PERSON_NAME_SHORT';
  else if (draft.name.length > textLimits.name) problems.name = 'TOO_LONG';
  if (draft.email.length > maxEmailLength) problems.email = 'TOO_LONG';
  else if (!emailForm.test(draft.email.trim())) problems.email = 'EMAIL_INVALID';
  if (draft.phone.length > textLimits.phone) problems.phone = 'TOO_LONG';
  const password = isNew || draft.password !== '' ? passwordProblem(draft.password) : undefined;
  if (password) problems.password = password;
  else if (isOwn && draft.password !== '') problems.password = 'PASSWORD_OWN';
  return problems;
}

export interface StaffMember {
  id: number;
  role: Role;
  status: UserStatus;
}

export interface StaffChange {
  actor: Pick<StaffMember, 'id' | 'role'>;
  /** Null for a new account. */
  before: StaffMember | null;
  /** Null for a removal. */
  after: Pick<StaffMember, 'role' | 'status'> | null;
  /** The number of other administrators who can sign in. */
  otherActiveAdmins: number;
}

/**
 * Decides a change of a staff member. Only administrators can create, change or remove administrators. Users can't
 * remove or deactivate themselves, and the last administrator who can sign in can't be removed, demoted or
 * deactivated.
 */
export function decideStaffChange({ actor, before, after, otherActiveAdmins }: StaffChange): Result<null> {
  const touchesAdmin = before?.role === 'admin' || after?.role === 'admin';
  if (touchesAdmin && actor.role !== 'admin') return refuse('FORBIDDEN');
  const leaves = after === null || after.status === 'inactive';
  if (before && leaves && before.id === actor.id) return refuse('STAFF_SELF');
  const wasActiveAdmin = before?.role === 'admin' && before.status === 'active';
  const staysActiveAdmin = after?.role === 'admin' && after.status === 'active';
  if (wasActiveAdmin && !staysActiveAdmin && otherActiveAdmins === 0) return refuse('LAST_ADMIN');
  return accept(null);
}
