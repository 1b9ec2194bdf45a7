import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { pinAttempts, pinProblem } from '#domain/staff/pin.ts';
import type { UserClaims } from '#domain/staff/roles.ts';
import { ClinicDatabase } from '#src/db/database.ts';
import type { Ports } from '#src/db/ports.ts';
import { removePin, setPin, verifyPin } from '#src/auth/pin.ts';
import { open } from '#src/session/sealed.ts';
import { serverWait } from '#src/auth/server-tries.ts';
import { passwordRounds, pinRounds, pinRoundsFor } from '#src/auth/vault.ts';
import { freeAttempts, verifyOffline } from '#src/auth/verifier.ts';
import { fewRounds, signedInOnline } from './people.ts';
import { unique } from '#tests/support/unique.ts';

vi.mock('#src/auth/server-tries.ts', () => ({ serverWait: vi.fn(async () => 0) }));

const dayMs = 24 * 60 * 60_000;
const start = Date.UTC(2026, 2, 2, 8);
const user = { id: 7, name: 'Lucía Ferrer', email: 'Lucia@clinic.test', role: 'counter' } as UserClaims;
const password = 'right horse';

let db: ClinicDatabase;
let now = start;
const ports: Ports = { now: () => now, random: (bytes) => new Uint8Array(bytes).fill(9) };
const type = (pin: string) => verifyPin(db, ports, { email: user.email, pin });
const row = async () => (await db.verifiers.toArray())[0]!;

/** Types a wrong PIN so often, each time as soon as it may be tried. */
async function fail(times: number): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (let count = 0; count < times; count += 1) {
    now = Math.max(now, (await row()).pin?.locked_until ?? 0);
    answers.push(await type('913726'));
  }
  return answers;
}

beforeEach(async () => {
  now = start;
  db = new ClinicDatabase(unique('pin'));
  await signedInOnline(db, ports, { user, password });
  await setPin(db, ports, { email: user.email, password, pin: '407183' }, fewRounds);
});

afterEach(async () => {
  vi.restoreAllMocks();
  await db.delete();
});

test('a PIN unlocks for seven days from the last online sign-in, and is not stored in plain text', async () => {
  now = start + 7 * dayMs;
  expect(await type('407183')).toMatchObject({ ok: true, row: { user: { id: 7 } }, untilMs: start + 7 * dayMs });
  now += 1;
  expect(await type('407183')).toEqual({ ok: false, code: 'TOO_OLD' });
  expect(JSON.stringify(await row())).not.toContain('407183');
});

test('the fifth wrong PIN locks, each further one locks longer, and the right PIN does not unlock before the end', async () => {
  const wrong = { ok: false, code: 'CREDENTIALS_INVALID' };
  expect(await fail(freeAttempts)).toEqual([wrong, wrong, wrong, wrong, { ok: false, code: 'LOCKED', waitMs: 30_000 }]);
  now += 1000;
  expect(await type('407183')).toEqual({ ok: false, code: 'LOCKED', waitMs: 29_000 });
  expect(await fail(2)).toMatchObject([{ waitMs: 60_000 }, { waitMs: 120_000 }]);
});

test('the tenth wrong PIN in a row removes the PIN, and the password still works', async () => {
  expect((await fail(pinAttempts)).at(-1)).toEqual({ ok: false, code: 'PIN_REMOVED' });
  expect((await row()).pin).toBeUndefined();
  now += dayMs;
  expect(await type('407183')).toEqual({ ok: false, code: 'PIN_REMOVED' });
  expect(await verifyOffline(db, ports, { email: user.email, password })).toMatchObject({ ok: true });
});

test('the right PIN at the last attempt keeps the PIN, and resets the attempts', async () => {
  await fail(pinAttempts - 1);
  now = (await row()).pin!.locked_until;
  expect(await type('407183')).toMatchObject({ ok: true });
  expect((await row()).pin).toMatchObject({ failures: 0, locked_until: 0 });
});

test('an attempt counts before its outcome is known, so that parallel attempts each count', async () => {
  const answers = await Promise.all(Array.from({ length: 8 }, () => type('913726')));
  expect(answers.filter((answer) => !answer.ok && answer.code === 'LOCKED')).toHaveLength(4);
  expect((await row()).pin?.failures).toBe(freeAttempts);
});

test('wrong PINs do not count against the password, and an online sign-in keeps the PIN and resets its attempts', async () => {
  await fail(freeAttempts);
  expect((await row()).password).toMatchObject({ failures: 0, locked_until: 0 });
  await signedInOnline(db, ports, { user, password });
  expect(await type('407183')).toMatchObject({ ok: true });
});

test('a PIN opens the same vault as the password, and ends with the password under which it was set', async () => {
  const answer = await type('407183');
  if (!answer.ok) throw new Error(answer.code);
  expect(await open(answer.key, answer.row.actor)).toMatchObject({ deviceId: 3 });
  await signedInOnline(db, ports, { user, password: 'new horse' });
  expect(await type('407183')).toEqual({ ok: false, code: 'PIN_REMOVED' });
});

test('a PIN is set only with the password, whose attempts count', async () => {
  const attempt = () => setPin(db, ports, { email: user.email, password: 'wrong', pin: '680413' }, fewRounds);
  expect(await attempt()).toEqual({ ok: false, code: 'CREDENTIALS_INVALID' });
  expect((await row()).password.failures).toBe(1);
  expect(await type('407183')).toMatchObject({ ok: true });
});

test('a try of a PIN takes a fifth of a second on its device, within bounds', () => {
  // Milliseconds per round of a desktop core, of a tablet four times slower, and of odd clocks.
  expect([0.000_18, 0.000_74, 0, 1].map(pinRoundsFor)).toEqual([
    1_111_111,
    pinRounds.fewest,
    pinRounds.most,
    pinRounds.fewest,
  ]);
  expect(pinRounds.fewest).toBeGreaterThanOrEqual(passwordRounds / 2);
});

test('a PIN that is set takes as many rounds as the device does in that time', async () => {
  await setPin(db, ports, { email: user.email, password, pin: '680413' });
  const { rounds } = (await row()).pin!;
  expect(rounds).toBeGreaterThanOrEqual(pinRounds.fewest);
  expect(rounds).toBeLessThanOrEqual(pinRounds.most);
  expect(await type('680413')).toMatchObject({ ok: true });
});

test('a PIN can be set in an engine that derives nothing from an empty secret', async () => {
  const importKey = crypto.subtle.importKey.bind(crypto.subtle) as (...given: unknown[]) => Promise<CryptoKey>;
  vi.spyOn(crypto.subtle, 'importKey').mockImplementation(async (...given: unknown[]) => {
    if (given[0] === 'raw' && (given[1] as Uint8Array).byteLength === 0) throw new DOMException('', 'OperationError');
    return importKey(...given);
  });
  await setPin(db, ports, { email: user.email, password, pin: '680413' });
  expect(await type('680413')).toMatchObject({ ok: true });
});

test('a removed PIN no longer unlocks, and an unknown user cannot set one', async () => {
  await removePin(db, user.email);
  expect(await type('407183')).toEqual({ ok: false, code: 'PIN_REMOVED' });
  const nobody = { email: 'nobody@clinic.test', password, pin: '407183' };
  expect(await setPin(db, ports, nobody, fewRounds)).toEqual({ ok: false, code: 'UNKNOWN' });
});

test.each(['4071', '12345', '123456789', '12a456', '١٢٣٤٥٦', ''])('refuses %j, which is not a PIN', (pin) => {
  expect(pinProblem(pin)).toBe('PIN_UNFIT');
});

test.each(['000000', '123456', '654321', '7890123', '24680246', '121212', '123123', '112233', '12341234'])(
  'refuses %s as too easy',
  (pin) => {
    expect(pinProblem(pin)).toBe('PIN_EASY');
  },
);

test.each(['140789', '071489', '890714', '14071989', '20011231', '12312001', '150189'])(
  'refuses %s, which is a date',
  (pin) => {
    expect(pinProblem(pin)).toBe('PIN_EASY');
  },
);

test.each(['407183', '913726', '123567', '4820391', '32134500'])('accepts %s', (pin) => {
  expect(pinProblem(pin)).toBeUndefined();
});

test('SECURITY the server’s count holds also for the right PIN of a tablet whose own count was reset', async () => {
  const asked: object[] = [];
  const replies = [0, 0, 4000];
  vi.mocked(serverWait).mockImplementation(async (_db, _nowMs, pinTry) => {
    asked.push(pinTry);
    return replies.shift() ?? 0;
  });
  expect(await type('913726')).toEqual({ ok: false, code: 'CREDENTIALS_INVALID' });
  expect(await type('407183')).toEqual({ ok: false, code: 'LOCKED', waitMs: 4000 });
  expect(await type('407183')).toMatchObject({ ok: true });
  expect(asked).toEqual([false, true, false, false].map((failed) => ({ userId: 7, failed })));
});
