/** Reads of the staff, and what a write of a member reloads. */
import type { UserClaims } from '#domain/staff/roles.ts';
import { listParams } from './list-query.ts';
import type { ListQuery, Page } from './list-query.ts';
import { useServerData } from './use-server-data.ts';

export function useStaff(list: ListQuery) {
  const { per_page: size, ...params } = listParams(list);
  return useServerData<Page<UserClaims>>('users', { ...params, size });
}

/** Reads the first members of the staff. */
export const useFirstStaff = (count: number) => useServerData<Page<UserClaims>>('users', { size: count });

export const staffPaths = ['users'];
