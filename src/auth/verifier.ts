/**
 * Verifies passwords without the server. A device accepts people who signed in on it online within the last seven days:
 * it stores a salted, slow hash of the password, and of a PIN if there is one (`pin.ts`). Five wrong attempts lock the
 * account on this device, each time for longer. The attempt is counted before the hash is compared, so that closing the
 * page gains no free attempt.
 */
import type { UserClaims } from '../../domain/staff/roles.ts';
import { emailKey } from '../db/database.ts';
import type { ClinicDatabase, SecretCheck, VerifierRow } from '../db/database.ts';
import type { Ports } from '../db/ports.ts';

export const iterations = 600_000;
const offlineDays = 7;
export const freeAttempts = 5;
const firstLockMs = 30_000;
const longestLockMs = 60 * 60_000;
const dayMs = 24 * 60 * 60_000;

/** A person that this device has verified, with the end of their offline access. */
export interface Vouched {
  user: UserClaims;
  untilMs: number;
  token?: string | undefined;
}

export type OfflineRefusal =
  { ok: false; code: 'UNKNOWN' | 'TOO_OLD' | 'CREDENTIALS_INVALID' } | { ok: false; code: 'LOCKED'; waitMs: number };

export type OfflineAnswer = ({ ok: true } & Vouched) | OfflineRefusal;

// Browsers offer no cryptography on insecure origins, where pages can't work offline anyway.
export const canVerify = (): boolean => Boolean(globalThis.crypto?.subtle);

async function derive(secret: string, salt: Uint8Array<ArrayBuffer>, rounds: number): Promise<Uint8Array<ArrayBuffer>> {
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), 'PBKDF2', false, ['deriveBits']);
  return new Uint8Array(
    await crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt, iterations: rounds }, key, 256),
  );
}

/** Compares in constant time. */
function equal(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.length ^ b.length;
  for (let at = 0; at < a.length; at += 1) difference |= a[at]! ^ (b[at] ?? 0);
  return difference === 0;
}

export const noFailures = { failures: 0, locked_until: 0 };

export async function checkOf(ports: Ports, secret: string, rounds: number): Promise<SecretCheck> {
  const salt = new Uint8Array(ports.random(16));
  return { salt, hash: await derive(secret, salt, rounds), iterations: rounds, ...noFailures };
}

export const passes = async ({ salt, hash, iterations: rounds }: SecretCheck, secret: string): Promise<boolean> =>
  equal(await derive(secret, salt, rounds), hash);

/** Returns the lock-out time after a number of failures in a row; 0 while attempts are free. */
export function lockMs(failures: number): number {
  if (failures < freeAttempts) return 0;
  return Math.min(longestLockMs, firstLockMs * 2 ** (failures - freeAttempts));
}

/** Returns why no attempt is allowed now, or null. */
export function obstacle(row: VerifierRow, { locked_until }: SecretCheck, nowMs: number): OfflineRefusal | null {
  if (!isRecent(row, nowMs)) return { ok: false, code: 'TOO_OLD' };
  return locked_until > nowMs ? { ok: false, code: 'LOCKED', waitMs: locked_until - nowMs } : null;
}

/** Returns the attempt count after one more attempt. */
export function spent({ failures }: SecretCheck, nowMs: number): typeof noFailures {
  return { failures: failures + 1, locked_until: nowMs + lockMs(failures + 1) };
}

/**
 * Returns true within seven days of the last online sign-in, in either direction: setting the clock back gains nothing.
 */
export const isRecent = ({ last_online_at }: VerifierRow, nowMs: number): boolean =>
  Math.abs(nowMs - last_online_at) <= offlineDays * dayMs;

export const vouched = ({ user, last_online_at, token }: VerifierRow): OfflineAnswer => ({
  ok: true,
  user,
  untilMs: last_online_at + offlineDays * dayMs,
  token,
});

/** Stores the hash of a password that the server has accepted. Keeps the PIN, and resets its attempts. */
export async function rememberPassword(
  db: ClinicDatabase,
  ports: Ports,
  { user, password }: { user: UserClaims; password: string },
  rounds = iterations,
): Promise<void> {
  if (!canVerify()) return;
  const check = await checkOf(ports, password, rounds);
  const email = emailKey(user.email);
  await db.transaction('rw', db.verifiers, async () => {
    const pin = (await db.verifiers.get(email))?.pin;
    await db.verifiers.put({
      email,
      user,
      ...check,
      last_online_at: ports.now(),
      ...(pin && { pin: { ...pin, ...noFailures } }),
    });
  });
}

/** Uses up one attempt, or returns why no attempt is allowed. */
async function spendAttempt(db: ClinicDatabase, email: string, nowMs: number): Promise<OfflineRefusal | VerifierRow> {
  return db.transaction('rw', db.verifiers, async () => {
    const row = await db.verifiers.get(email);
    if (!row) return { ok: false, code: 'UNKNOWN' };
    const refusal = obstacle(row, row, nowMs);
    if (!refusal) await db.verifiers.update(email, spent(row, nowMs));
    return refusal ?? row;
  });
}

/** Verifies a password without the server. */
export async function verifyOffline(
  db: ClinicDatabase,
  ports: Ports,
  { email, password }: { email: string; password: string },
): Promise<OfflineAnswer> {
  if (!canVerify()) return { ok: false, code: 'UNKNOWN' };
  const row = await spendAttempt(db, emailKey(email), ports.now());
  if ('ok' in row) return row;
  if (!(await passes(row, password))) return { ok: false, code: 'CREDENTIALS_INVALID' };
  await db.verifiers.update(row.email, noFailures);
  return vouched(row);
}
