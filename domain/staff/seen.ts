import type { UserClaims } from './roles.ts';

/** What a screen shows of a staff member, on which a change or a decision rests. */
export const staffSeen = ['name', 'email', 'phone', 'role', 'status'] as const satisfies readonly (keyof UserClaims)[];
