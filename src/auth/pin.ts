/**
 * PINs unlock this device for one person in place of the password, for seven days after their last online sign-in. A
 * PIN is never sent, and never stored: it wraps the person's data key (`vault.ts`). Its attempts are counted separately
 * from the password's, here and, if it answers, at the server (`server-tries.ts`). The tenth wrong PIN in a row removes it, so that nobody can try all PINs on a stolen tablet.
 */
import { emailKey } from '../db/database.ts';
import type { ClinicDatabase, VerifierRow, WrappedByPin } from '../db/database.ts';
import type { Ports } from '../db/ports.ts';
import { pinAttempts } from '#domain/staff/pin.ts';
import { canSeal, unwrapKey } from '../session/sealed.ts';
import { serverWait } from './server-tries.ts';
import { measurePinRounds, noFailures, wrap, wrappingKey } from './vault.ts';
import { lockMs, obstacle, spent, verifyOffline, vouched } from './verifier.ts';
import type { OfflineAnswer } from './verifier.ts';

export type PinAnswer = OfflineAnswer | { ok: false; code: 'PIN_REMOVED' };

/** Sets a PIN, after verifying the password. */
export async function setPin(
  db: ClinicDatabase,
  ports: Ports,
  { email, password, pin }: { email: string; password: string; pin: string },
  rounds?: number,
): Promise<OfflineAnswer> {
  const answer = await verifyOffline(db, ports, { email, password });
  if (!answer.ok) return answer;
  const wrapped: WrappedByPin = {
    ...(await wrap(answer.key, pin, rounds ?? (await measurePinRounds()))),
    digits: pin.length,
  };
  await db.verifiers.update(emailKey(email), { pin: wrapped });
  return answer;
}

export async function removePin(db: ClinicDatabase, email: string): Promise<void> {
  await db.verifiers.update(emailKey(email), { pin: undefined });
}

/** Uses up one attempt, and removes the PIN with the last one; or returns why no attempt is allowed. */
async function spendAttempt(
  db: ClinicDatabase,
  email: string,
  nowMs: number,
): Promise<Exclude<PinAnswer, { ok: true }> | { row: VerifierRow; pin: WrappedByPin; left: number }> {
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

/** Resets the attempts, unless a sign-in has made another vault meanwhile. The last attempt has removed the PIN. */
function restorePin(db: ClinicDatabase, { email, last_online_at }: VerifierRow, pin: WrappedByPin): Promise<number> {
  return db.verifiers
    .where({ email })
    .filter((row) => row.last_online_at === last_online_at)
    .modify({ pin: { ...pin, ...noFailures } });
}

/** Verifies a PIN. Returns `LOCKED` for a wrong PIN that starts a lock-out. */
export async function verifyPin(
  db: ClinicDatabase,
  ports: Ports,
  { email, pin: typed }: { email: string; pin: string },
): Promise<PinAnswer> {
  if (!canSeal()) return { ok: false, code: 'UNKNOWN' };
  const known = await db.verifiers.get(emailKey(email));
  const wrapping = known?.pin && wrappingKey(typed, known.pin);
  const attempt = await spendAttempt(db, emailKey(email), ports.now());
  if ('ok' in attempt) return attempt;
  const { row, pin, left } = attempt;
  const userId = row.user.id;
  const [key, serverWaitMs] = await Promise.all([
    wrapping && unwrapKey(pin.key, await wrapping),
    serverWait(db, ports.now(), { userId, failed: false }),
  ]);
  // Also for the right PIN: the tablet's own count has been reset.
  if (serverWaitMs > 0) return { ok: false, code: 'LOCKED', waitMs: serverWaitMs };
  if (key) {
    // The next attempt waits for it, as every later transaction does.
    void restorePin(db, row, pin).catch(() => undefined);
    return vouched(row, key);
  }
  void serverWait(db, ports.now(), { userId, failed: true });
  if (left === 0) return { ok: false, code: 'PIN_REMOVED' };
  const waitMs = lockMs(pinAttempts - left);
  return waitMs > 0 ? { ok: false, code: 'LOCKED', waitMs } : { ok: false, code: 'CREDENTIALS_INVALID' };
}
