/**
 * PINs unlock this device for one person in place of the password, for seven days after their last online sign-in. A
 * PIN is stored only here, as a salted, slow hash, and never sent. Its attempts are counted separately from the
 * password's. The tenth wrong PIN in a row removes it, so that nobody can try all PINs on a stolen tablet.
 */
import { emailKey } from '../db/database.ts';
import type { ClinicDatabase, PinCheck, VerifierRow } from '../db/database.ts';
import type { Ports } from '../db/ports.ts';
import { canVerify, checkOf, iterations, lockMs, noFailures, obstacle, passes, spent, vouched } from './verifier.ts';
import type { OfflineAnswer } from './verifier.ts';

export const pinAttempts = 10;

export type PinAnswer = OfflineAnswer | { ok: false; code: 'PIN_REMOVED' };

/** @returns false if this device does not know the person */
export async function setPin(
  db: ClinicDatabase,
  ports: Ports,
  { email, pin }: { email: string; pin: string },
  rounds = iterations,
): Promise<boolean> {
  if (!canVerify()) return false;
  const check: PinCheck = { ...(await checkOf(ports, pin, rounds)), digits: pin.length };
  return (await db.verifiers.update(emailKey(email), { pin: check })) > 0;
}

export async function removePin(db: ClinicDatabase, email: string): Promise<void> {
  await db.verifiers.update(emailKey(email), { pin: undefined });
}

/** Uses up one attempt, and removes the PIN with the last one; or returns why no attempt is allowed. */
async function spendAttempt(
  db: ClinicDatabase,
  email: string,
  nowMs: number,
): Promise<Exclude<PinAnswer, { ok: true }> | { row: VerifierRow; pin: PinCheck; left: number }> {
  return db.transaction('rw', db.verifiers, async () => {
    const row = await db.verifiers.get(email);
    if (!row) return { ok: false, code: 'UNKNOWN' };
    const { pin } = row;
    if (!pin) return { ok: false, code: 'PIN_REMOVED' };
    const refusal = obstacle(row, pin, nowMs);
    if (refusal) return refusal;
    const after = spent(pin, nowMs);
    const left = pinAttempts - after.failures;
    await db.verifiers.update(email, { pin: left > 0 ? { ...pin, ...after } : undefined });
    return { row, pin, left };
  });
}

/** Verifies a PIN. Returns `LOCKED` for a wrong PIN that starts a lock-out. */
export async function verifyPin(
  db: ClinicDatabase,
  ports: Ports,
  { email, pin: typed }: { email: string; pin: string },
): Promise<PinAnswer> {
  if (!canVerify()) return { ok: false, code: 'UNKNOWN' };
  const attempt = await spendAttempt(db, emailKey(email), ports.now());
  if ('ok' in attempt) return attempt;
  const { row, pin, left } = attempt;
  if (await passes(pin, typed)) {
    await db.verifiers.update(row.email, { pin: { ...pin, ...noFailures } });
    return vouched(row);
  }
  if (left === 0) return { ok: false, code: 'PIN_REMOVED' };
  const waitMs = lockMs(pinAttempts - left);
  return waitMs > 0 ? { ok: false, code: 'LOCKED', waitMs } : { ok: false, code: 'CREDENTIALS_INVALID' };
}
