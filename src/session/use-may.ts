import { may } from '../../domain/permissions.ts';
import type { Action } from '../../domain/permissions.ts';
import { useSession } from './session.ts';

/** Whether the signed-in person may do something: what they may not is not offered. */
export const useMay = (action: Action): boolean => useSession(({ user }) => user !== null && may(user.role, action));
