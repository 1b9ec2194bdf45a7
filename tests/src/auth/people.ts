import { Buffer } from 'node:buffer';
import type { UserClaims } from '#domain/staff/roles.ts';
import { openVault, rememberPerson } from '#src/auth/verifier.ts';
import type { ClinicDatabase, VerifierRow } from '#src/db/database.ts';
import type { Ports } from '#src/db/ports.ts';

/** The real number of rounds takes a second; the rules around it do not depend on it. */
export const fewRounds = 10;

export const person = (id: number, name: string, role: UserClaims['role'] = 'counter'): UserClaims => ({
  id,
  name,
  email: `${name.toLowerCase()}@clinic.test`,
  phone: null,
  role,
  status: 'active',
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
});

export const tokenOf = (user: UserClaims, expMs: number): string =>
  `head.${Buffer.from(JSON.stringify({ ...user, exp: expMs / 1000 })).toString('base64url')}.signature`;

interface SignedIn {
  user: UserClaims;
  password: string;
  expMs?: number;
  actorKey?: string;
}

export const syncTokenOf = (user: UserClaims): string => `syncs-only-${user.id}`;

/** Stores what an online sign-in stores about a person. */
export async function signedInOnline(
  db: ClinicDatabase,
  ports: Ports,
  {
    user,
    password,
    expMs = ports.now() + 8 * 3_600_000,
    actorKey = Buffer.alloc(32, user.id).toString('base64url'),
  }: SignedIn,
): Promise<{ row: VerifierRow; key: CryptoKey }> {
  const vault = await openVault(db, { email: user.email, password }, fewRounds);
  const row = await rememberPerson(db, ports, vault!, {
    user,
    actor: { deviceId: 3, sessionId: user.id, key: actorKey },
    token: tokenOf(user, expMs),
    sync: { token: syncTokenOf(user), exp: expMs / 1000 },
  });
  return { row, key: vault!.key };
}
