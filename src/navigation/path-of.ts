import type { Role } from '#domain/staff/roles.ts';

/** Returns the address of a section: under `/admin/` for administrators, under `/` for everyone else. */
export const pathOf = (role: Role, path: string): string => (role === 'admin' ? `/admin/${path}` : `/${path}`);
