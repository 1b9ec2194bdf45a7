import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ClinicDatabase } from '#src/db/database.ts';
import type { Ports } from '#src/db/ports.ts';
import { open } from '#src/session/sealed.ts';
import { passwordRounds } from '#src/auth/vault.ts';
import { freeAttempts, lockMs, verifyOffline } from '#src/auth/verifier.ts';
import { signedInOnline } from './people.ts';
import type { UserClaims } from '#domain/staff/roles.ts';
import { unique } from '#tests/support/unique.ts';

const dayMs = 24 * 60 * 60_000;
const start = Date.UTC(2026, 2, 2, 8);
const user: UserClaims = {
  id: 7,
  name: 'Lucía Ferrer',
  email: 'Lucia@clinic.test',
  phone: null,
  role: 'counter',
  status: 'active',
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
};

let db: ClinicDatabase;
let now = start;
const ports: Ports = { now: () => now, random: (bytes) => new Uint8Array(bytes) };
const attempt = (password: string, email = user.email) => verifyOffline(db, ports, { email, password });

beforeEach(async () => {
  now = start;
  db = new ClinicDatabase(unique('verifier'));
  await signedInOnline(db, ports, { user, password: 'right horse' });
});

afterEach(() => db.delete());

test('a user who signed in online can sign in offline with the same password, regardless of case and spaces in the email', async () => {
  expect(await attempt('right horse')).toMatchObject({
    ok: true,
    row: { user: { id: 7 } },
    untilMs: start + 7 * dayMs,
  });
  expect(await attempt('right horse', ' lucia@CLINIC.test ')).toMatchObject({ ok: true });
});

test('an offline sign-in distinguishes a wrong password from an unknown account', async () => {
  expect(await attempt('wrong horse')).toEqual({ ok: false, code: 'CREDENTIALS_INVALID' });
  expect(await attempt('right horse', 'nobody@clinic.test')).toEqual({ ok: false, code: 'UNKNOWN' });
});

test('the device stores no password in plain text, and different wraps for two accounts with one password', async () => {
  await signedInOnline(db, ports, { user: { ...user, email: 'second@clinic.test' }, password: 'right horse' });
  const [first, second] = await db.verifiers.toArray();
  expect(first!.password.salt).not.toEqual(second!.password.salt);
  expect(new Uint8Array(first!.password.key)).not.toEqual(new Uint8Array(second!.password.key));
  expect(JSON.stringify([first, second])).not.toContain('right horse');
});

test('the password opens the actor key', async () => {
  const answer = await attempt('right horse');
  if (!answer.ok) throw new Error(answer.code);
  expect(await open(answer.key, answer.row.actor)).toMatchObject({ deviceId: 3 });
});

test('an online sign-in with the same password keeps the vault, and one with a new password makes another', async () => {
  const sealedBefore = (await db.verifiers.toArray())[0]!.actor;
  const same = await signedInOnline(db, ports, { user, password: 'right horse' });
  expect(await open(same.key, sealedBefore)).toMatchObject({ deviceId: 3 });
  const other = await signedInOnline(db, ports, { user, password: 'new horse' });
  expect(await open(other.key, sealedBefore)).toBeNull();
  expect(await attempt('right horse')).toMatchObject({ ok: false });
});

test('the wrapping key takes at least 600,000 rounds', () => {
  expect(passwordRounds).toBeGreaterThanOrEqual(600_000);
});

test('the offline sign-in ends seven days after the last online sign-in', async () => {
  now = start + 7 * dayMs;
  expect(await attempt('right horse')).toMatchObject({ ok: true });
  now = start + 7 * dayMs + 1;
  expect(await attempt('right horse')).toEqual({ ok: false, code: 'TOO_OLD' });
});

test('a clock that is set back by more than seven days does not extend the offline sign-in', async () => {
  now = start - 8 * dayMs;
  expect(await attempt('right horse')).toEqual({ ok: false, code: 'TOO_OLD' });
});

test('the fifth wrong password locks the account, and the right password does not unlock it before the end', async () => {
  for (let count = 0; count < freeAttempts; count += 1) await attempt('wrong horse');
  const locked = await attempt('right horse');
  expect(locked).toEqual({ ok: false, code: 'LOCKED', waitMs: 30_000 });
  now += 30_000;
  expect(await attempt('right horse')).toMatchObject({ ok: true });
});

test('each further failure doubles the lock, up to an hour', () => {
  expect([0, 4, 5, 6, 7, 40].map(lockMs)).toEqual([0, 0, 30_000, 60_000, 120_000, 3_600_000]);
});

test('a success resets the failures', async () => {
  for (let count = 1; count < freeAttempts; count += 1) await attempt('wrong horse');
  expect(await attempt('right horse')).toMatchObject({ ok: true });
  for (let count = 1; count < freeAttempts; count += 1) await attempt('wrong horse');
  expect(await attempt('right horse')).toMatchObject({ ok: true });
});

test('an attempt counts before its outcome is known, so that parallel attempts each count', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => attempt('wrong horse')));
  expect(answers.filter((answer) => !answer.ok && answer.code === 'LOCKED')).toHaveLength(3);
});

test('an online sign-in unlocks a locked account', async () => {
  for (let count = 0; count < freeAttempts; count += 1) await attempt('wrong horse');
  await signedInOnline(db, ports, { user, password: 'new horse' });
  expect(await attempt('new horse')).toMatchObject({ ok: true });
});
