/**
 * Signing in without the server. A device vouches for whoever signed in on it online within the last seven days: it keeps
 * a salted, slow hash of the password, nothing else. Five wrong passwords lock the account here, longer each time; the
 * count is written before the answer is known, so that closing the page buys no free attempt.
 */
import type { UserClaims } from '../../domain/staff/roles.ts';
import type { ClinicDatabase, VerifierRow } from '../db/database.ts';
import type { Environment } from '../db/environment.ts';

export const iterations = 600_000;
export const offlineDays = 7;
export const freeAttempts = 5;
const firstLockMs = 30_000;
const longestLockMs = 60 * 60_000;
const dayMs = 24 * 60 * 60_000;

export type OfflineAnswer =
  | { ok: true; user: UserClaims; untilMs: number }
  | { ok: false; code: 'UNKNOWN' | 'TOO_OLD' | 'CREDENTIALS_INVALID' }
  | { ok: false; code: 'LOCKED'; waitMs: number };

const normalised = (email: string): string => email.trim().toLowerCase();

async function derive(password: string, salt: Uint8Array<ArrayBuffer>, rounds: number): Promise<Uint8Array<ArrayBuffer>> {
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(password), 'PBKDF2', false, ['deriveBits']);
  return new Uint8Array(
    await crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt, iterations: rounds }, key, 256),
  );
}

/** Looks at every byte whatever the first ones say. */
function equal(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.length ^ b.length;
  for (let at = 0; at < a.length; at += 1) difference |= a[at]! ^ (b[at] ?? 0);
  return difference === 0;
}

/** How long an account stays locked after so many failures in a row; 0 while attempts are free. */
export function lockMs(failures: number): number {
  if (failures < freeAttempts) return 0;
  return Math.min(longestLockMs, firstLockMs * 2 ** (failures - freeAttempts));
}

/** Keeps the means to verify a password that the server has just accepted. */
export async function rememberPassword(
  db: ClinicDatabase,
  env: Environment,
  { user, password }: { user: UserClaims; password: string },
  rounds = iterations,
): Promise<void> {
  // Browsers offer no cryptography to a page that came over an insecure connection; such a page cannot work offline anyway.
  if (!globalThis.crypto?.subtle) return;
  const salt = new Uint8Array(env.random(16));
  const row: VerifierRow = {
    email: normalised(user.email),
    user,
    salt,
    hash: await derive(password, salt, rounds),
    iterations: rounds,
    last_online_at: env.now(),
    failures: 0,
    locked_until: 0,
  };
  await db.verifiers.put(row);
}

/** Takes one attempt off the account, or says why there is none. */
async function spendAttempt(db: ClinicDatabase, email: string, nowMs: number): Promise<OfflineAnswer | VerifierRow> {
  return db.transaction('rw', db.verifiers, async () => {
    const row = await db.verifiers.get(email);
    if (!row) return { ok: false, code: 'UNKNOWN' };
    // A clock that was set back counts like one that ran on.
    if (Math.abs(nowMs - row.last_online_at) > offlineDays * dayMs) return { ok: false, code: 'TOO_OLD' };
    if (row.locked_until > nowMs) return { ok: false, code: 'LOCKED', waitMs: row.locked_until - nowMs };
    const failures = row.failures + 1;
    await db.verifiers.update(email, { failures, locked_until: nowMs + lockMs(failures) });
    return row;
  });
}

/** Judges a password without the server. */
export async function verifyOffline(
  db: ClinicDatabase,
  env: Environment,
  { email, password }: { email: string; password: string },
): Promise<OfflineAnswer> {
  if (!globalThis.crypto?.subtle) return { ok: false, code: 'UNKNOWN' };
  const row = await spendAttempt(db, normalised(email), env.now());
  if ('ok' in row) return row;
  if (!equal(await derive(password, row.salt, row.iterations), row.hash)) return { ok: false, code: 'CREDENTIALS_INVALID' };
  await db.verifiers.update(row.email, { failures: 0, locked_until: 0 });
  return { ok: true, user: row.user, untilMs: row.last_online_at + offlineDays * dayMs };
}
