/** Every user has exactly one role. */
export const roles = ['admin', 'manager', 'counter', 'server', 'kitchen'] as const;
export type Role = (typeof roles)[number];

export const userStatuses = ['active', 'inactive'] as const;
export type UserStatus = (typeof userStatuses)[number];

/** The signed-in user, in the session token's claims and in `GET /auth/me`. Instants are ISO 8601. */
export interface UserClaims {
  id: number;
  name: string;
  email: string;
  phone: string | null;
  role: Role;
  status: UserStatus;
  created_at: string;
  updated_at: string;
}
