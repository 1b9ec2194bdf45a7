import type { UserClaims } from '#domain/staff/roles.ts';
import { useSession } from '#src/session/session.ts';

/** Returns a predicate for the users that the signed-in user may edit: only an administrator may edit an administrator. */
export function useMayEditUser(): (user: Pick<UserClaims, 'role'>) => boolean {
  const isAdmin = useSession(({ user }) => user?.role === 'admin');
  return ({ role }) => isAdmin || role !== 'admin';
}
