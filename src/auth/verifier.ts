/**
 * Verifies people without the server. A device accepts people who signed in on it online within the last seven days: it
 * stores their vault, which a password opens, or a PIN if there is one (`pin.ts`). Five wrong attempts lock the account
 * on this device, each time for longer. The attempt is counted before the vault is tried, so that closing the page gains
 * no free attempt.
 */
import type { UserClaims } from '#domain/staff/roles.ts';
import { emailKey, offlineMs } from '../db/database.ts';
import type { ClinicDatabase, Sealed, VerifierRow, Wrapped, WrappedByPasskey, WrappedByPin } from '../db/database.ts';
import type { Ports } from '../db/ports.ts';
import { canSeal, newKey, seal } from '../session/sealed.ts';
import type { StoredActorKey } from '../session/unlocked.ts';
import { noFailures, passwordRounds, unwrap, wrap } from './vault.ts';

export const freeAttempts = 5;
const firstLockMs = 30_000;
const longestLockMs = 60 * 60_000;

/** A person that this device has verified, with the key of their vault and the end of their offline access. */
export interface Vouched {
  row: VerifierRow;
  key: CryptoKey;
  untilMs: number;
}

export type OfflineRefusal =
  | { ok: false; code: 'UNKNOWN' | 'TOO_OLD' | 'CREDENTIALS_INVALID' }
  | { ok: false; code: 'LOCKED'; waitMs: number };

export type OfflineAnswer = ({ ok: true } & Vouched) | OfflineRefusal;

/** Returns the lock-out time after a number of failures in a row; 0 while attempts are free. */
export function lockMs(failures: number): number {
  if (failures < freeAttempts) return 0;
  return Math.min(longestLockMs, firstLockMs * 2 ** (failures - freeAttempts));
}

/** Returns why no attempt is allowed now, or null. */
export function obstacle(row: VerifierRow, { locked_until }: Wrapped, nowMs: number): OfflineRefusal | null {
  if (!isRecent(row, nowMs)) return { ok: false, code: 'TOO_OLD' };
  return locked_until > nowMs ? { ok: false, code: 'LOCKED', waitMs: locked_until - nowMs } : null;
}

/** Returns the attempt count after one more attempt. */
export function spent({ failures }: Wrapped, nowMs: number): typeof noFailures {
  return { failures: failures + 1, locked_until: nowMs + lockMs(failures + 1) };
}

/**
 * Returns true within seven days of the last online sign-in, in either direction: setting the clock back gains nothing.
 */
export const isRecent = ({ last_online_at }: VerifierRow, nowMs: number): boolean =>
  Math.abs(nowMs - last_online_at) <= offlineMs;

export const vouched = (row: VerifierRow, key: CryptoKey): { ok: true } & Vouched => ({
  ok: true,
  row,
  key,
  untilMs: row.last_online_at + offlineMs,
});

/** The data key of a person, and what wraps it. */
export interface Vault {
  key: CryptoKey;
  password: Wrapped;
  pin?: WrappedByPin | undefined;
  passkey?: WrappedByPasskey | undefined;
  /** The actor key of the last sign-in, unless the vault is new. */
  actor?: Sealed | undefined;
}

/**
 * Opens a person's vault by a password that the server has accepted, or makes a new one. Resets the attempts. A PIN and a
 * passkey go with the password under which they were set, because only that one opens the old vault.
 */
export async function openVault(
  db: ClinicDatabase,
  { email, password }: { email: string; password: string },
  rounds = passwordRounds,
): Promise<Vault | null> {
  if (!canSeal()) return null;
  const known = await db.verifiers.get(emailKey(email));
  const key = known && (await unwrap(known.password, password));
  if (key) {
    const pin = known.pin && { ...known.pin, ...noFailures };
    const { passkey, actor } = known;
    return { key, password: { ...known.password, ...noFailures }, pin, passkey, actor };
  }
  const fresh = await newKey();
  return { key: fresh, password: await wrap(fresh, password, rounds) };
}

/**
 * Stores what an online sign-in gave: the person's vault and the secrets in it.
 *
 * @param secrets `actor` is null when the server did not answer about the device: the key of the last session stays
 */
export async function rememberPerson(
  db: ClinicDatabase,
  ports: Ports,
  { key, ...wraps }: Vault,
  secrets: { user: UserClaims; actor: StoredActorKey | null; token: string; sync: VerifierRow['sync'] },
): Promise<VerifierRow> {
  const { user, actor, token, sync } = secrets;
  const row: VerifierRow = {
    email: emailKey(user.email),
    user,
    last_online_at: ports.now(),
    ...wraps,
    actor: (actor === null ? wraps.actor : undefined) ?? (await seal(key, actor)),
    token: await seal(key, token),
    sync,
  };
  await db.verifiers.put(row);
  return row;
}

/** Uses up one attempt, or returns why no attempt is allowed. */
async function spendAttempt(db: ClinicDatabase, email: string, nowMs: number): Promise<OfflineRefusal | VerifierRow> {
  return db.transaction('rw', db.verifiers, async () => {
    const row = await db.verifiers.get(email);
    if (!row) return { ok: false, code: 'UNKNOWN' };
    const refusal = obstacle(row, row.password, nowMs);
    if (!refusal) await db.verifiers.update(email, { password: { ...row.password, ...spent(row.password, nowMs) } });
    return refusal ?? row;
  });
}

/** Verifies a password without the server. */
export async function verifyOffline(
  db: ClinicDatabase,
  ports: Ports,
  { email, password }: { email: string; password: string },
): Promise<OfflineAnswer> {
  if (!canSeal()) return { ok: false, code: 'UNKNOWN' };
  const row = await spendAttempt(db, emailKey(email), ports.now());
  if ('ok' in row) return row;
  const key = await unwrap(row.password, password);
  if (!key) return { ok: false, code: 'CREDENTIALS_INVALID' };
  await db.verifiers.update(row.email, { 'password.failures': 0, 'password.locked_until': 0 });
  return vouched(row, key);
}
