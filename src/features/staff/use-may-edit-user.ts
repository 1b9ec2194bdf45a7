import type { UserClaims } from '../../../domain/staff/roles.ts';
import { useSession } from '../../session/session.ts';

/** Only administrators change administrators: the others see no way to it. */
export function useMayTouch(): (person: Pick<UserClaims, 'role'>) => boolean {
  const isAdmin = useSession(({ user }) => user?.role === 'admin');
  return ({ role }) => isAdmin || role !== 'admin';
}
