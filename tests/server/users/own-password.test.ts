import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addUser, startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

let nowMs = Date.parse('2026-05-12T07:00:00Z');
let server: TestServer;
let person: { id: number; email: string; password: string };
let token: string;

beforeAll(async () => {
  server = await startTestServer({ now: () => nowMs });
});
beforeEach(async () => {
  person = await addUser(server.database, { clinicId: server.clinicId, role: 'counter', at: nowMs });
  token = (await signIn()).json<{ data: { accessToken: string } }>().data.accessToken;
});
afterAll(() => server.close());

const signIn = (password = person.password) =>
  server.app.inject({ method: 'POST', url: '/api/users/login', payload: { email: person.email, password } });
async function change(current: string, key?: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, ...(key && { 'idempotency-key': key }) };
  const reply = await server.app.inject({
    method: 'POST',
    url: '/api/auth/password',
    headers,
    payload: { current_password: current, password: 'the password after' },
  });
  const { code, details } = reply.json<{ code?: string; details?: object }>();
  return [reply.statusCode, code, ...Object.keys(details ?? {})].filter(Boolean).join(' ');
}
const wrong = '400 VALIDATION current_password';
const throttled = '429 TOO_MANY_REQUESTS';

describe('guessing the password in an open session', () => {
  test('waits twice as long each time after five failures, even with the right password', async () => {
    for (let i = 0; i < 5; i++) expect(await change('guess')).toBe(wrong);
    for (const waitMs of [1000, 2000, 4000]) {
      expect(await change(person.password)).toBe(throttled);
      nowMs += waitMs - 1;
      expect(await change('guess')).toBe(throttled);
      nowMs += 1;
      expect(await change('guess')).toBe(wrong);
    }
    nowMs += 8000;
    expect(await change(person.password)).toBe('200');
    expect((await signIn('the password after')).statusCode).toBe(200);
  });

  test('counts parallel guesses one by one, for each user', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => change('guess')));
    expect(answers.filter((answer) => answer === wrong)).toHaveLength(5);
    // Sign-ins are counted separately, so that guesses in one session do not lock the user out elsewhere.
    expect((await signIn()).statusCode).toBe(200);
  });

  test('does not store the reply “wait”: the same request is accepted after the wait', async () => {
    for (let i = 0; i < 5; i++) await change('guess');
    expect(await change(person.password, 'one request')).toBe(throttled);
    nowMs += 1000;
    expect(await change(person.password, 'one request')).toBe('200');
  });
});
