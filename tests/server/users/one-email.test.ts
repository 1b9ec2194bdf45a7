/** One e-mail that has accounts in two clinics, one of which is an attacker's. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addUser, cheapPasswords, startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { TestDevice } from '#tests/support/device.ts';

const dayMs = 86_400_000;
const freeOfOne = 5;
let nowMs = Date.parse('2026-03-02T09:00:00Z');
let server: TestServer;
let otherClinic: number;
let victim: Account;
let attacker: Account;

interface Account {
  id: number;
  email: string;
  password: string;
}

beforeAll(async () => {
  server = await startTestServer({ now: () => nowMs });
  otherClinic = await server.addClinic();
});
afterAll(() => server.close());
beforeEach(async () => {
  nowMs += dayMs;
  victim = await addUser(server.database, { clinicId: server.clinicId, role: 'admin', at: nowMs });
  attacker = await addUser(server.database, {
    clinicId: otherClinic,
    role: 'admin',
    at: nowMs,
    email: victim.email,
    password: 'the attacker knows it',
  });
});

let address = 0;
/** Each request comes from another address, so that only what the accounts count holds it up. */
const signIn = ({ email }: Account, password: string, device: object = {}) =>
  server.app.inject({
    method: 'POST',
    url: '/api/users/login',
    remoteAddress: `10.${Math.floor(++address / 250) % 250}.${address % 250}.1`,
    payload: { email, password, ...device },
  });
const status = async (...given: Parameters<typeof signIn>) => (await signIn(...given)).statusCode;
/** How often the victim's password was compared with a guess. */
async function failuresOf({ id }: Account): Promise<number> {
  const { rows } = await server.database.$client.query<{ count: number }>(
    `select count(*)::int as count from audit_log where user_id = $1 and action = 'sign_in.failed'`,
    [id],
  );
  return rows[0]!.count;
}

describe('an account of another clinic with the same e-mail', () => {
  test('does not reset the count of wrong passwords, however often it signs in in between', async () => {
    for (let guess = 0; guess < 120; guess += 1) {
      await status(victim, `guess ${guess}`);
      if (guess % 4 === 3) expect(await status(attacker, attacker.password)).toBe(200);
    }
    expect(await failuresOf(victim)).toBe(freeOfOne);
    expect(await status(victim, victim.password)).toBe(429);
  });

  test('tries no more passwords on the other account by making each of them its own', async () => {
    for (let guess = 0; guess < 20; guess += 1) {
      const passwordHash = await cheapPasswords.hash(`guess ${guess}`);
      await server.database.$client.query('update users set password_hash = $2 where id = $1', [
        attacker.id,
        passwordHash,
      ]);
      expect(await status(attacker, `guess ${guess}`)).toBe(200);
    }
    expect(await failuresOf(victim)).toBe(freeOfOne);
  });

  test('does not keep its namesake out of the other clinic for good, nor makes that one wait at a device of theirs', async () => {
    const device = await TestDevice.enrol(server, 'counter');
    const key = { device_id: device.info.device_id, device_key: device.info.device_key };
    for (let guess = 0; guess < 20; guess += 1) await status(victim, `guess ${guess}`);
    expect(await status(victim, victim.password, key)).toBe(200);
    nowMs += 15 * 60_000;
    expect(await status(victim, victim.password)).toBe(200);
  });
});

test('who signs in again and again makes no namesake wait in another clinic', async () => {
  for (const one of [attacker, victim])
    for (let time = 0; time < 20; time += 1) expect(await status(one, one.password)).toBe(200);
  expect(await status(victim, 'guess')).toBe(401);
  expect([await status(victim, victim.password), await status(attacker, attacker.password)]).toEqual([200, 200]);
});

test('an address that makes its guesses right passwords of its own waits for them like for wrong ones', async () => {
  const passwords = Array.from({ length: 60 }, (_, guess) => `guess ${guess}`);
  const answers: number[] = [];
  for (const [guess, password] of passwords.entries()) {
    const email = `namesake${guess}@clinic.test`;
    for (const clinicId of [server.clinicId, otherClinic])
      await addUser(server.database, {
        clinicId,
        role: 'counter',
        at: nowMs,
        email,
        ...(clinicId === otherClinic && { password }),
      });
    const payload = { email, password };
    const reply = await server.app.inject({
      method: 'POST',
      url: '/api/users/login',
      remoteAddress: '203.0.113.9',
      payload,
    });
    answers.push(reply.statusCode);
  }
  expect(answers).toEqual([...Array.from({ length: 50 }, () => 200), ...Array.from({ length: 10 }, () => 429)]);
});

describe('a device', () => {
  const keyOf = async (clinicId: number) => {
    const { info } = await TestDevice.enrol(server, 'counter', clinicId);
    return { device_id: info.device_id, device_key: info.device_key };
  };

  test('lets in the people of its clinic only, whatever account the e-mail has elsewhere', async () => {
    const [here, there] = [await keyOf(server.clinicId), await keyOf(otherClinic)];
    expect([
      await status(victim, victim.password, here),
      await status(victim, victim.password, there),
      await status(attacker, attacker.password, there),
      await status(attacker, attacker.password, here),
    ]).toEqual([200, 401, 200, 401]);
  });

  test('of another clinic neither tries the account nor resets what was counted for it', async () => {
    const there = await keyOf(otherClinic);
    for (let guess = 0; guess < freeOfOne; guess += 1) await status(victim, `guess ${guess}`);
    for (let guess = 0; guess < 4; guess += 1) await status(victim, `more ${guess}`, there);
    expect(await status(attacker, attacker.password, there)).toBe(200);
    expect(await failuresOf(victim)).toBe(freeOfOne);
    expect(await status(victim, victim.password)).toBe(429);
  });
});
