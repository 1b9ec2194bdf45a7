/** What a right password or passkey may be used for, where requests have limits. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { Authenticator } from '#tests/support/authenticator.ts';
import { TestDevice } from '#tests/support/device.ts';
import { addUser, startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

const most = 60;
const password = 'a long enough password';
let nowMs = Date.parse('2026-03-02T09:00:00Z');
let server: TestServer;
let person: { id: number; email: string; password: string };

beforeAll(async () => {
  server = await startTestServer({ now: () => nowMs, environment: { REQUEST_LIMITS: '1' } });
});
afterAll(() => server.close());
beforeEach(async () => {
  nowMs += 86_400_000;
  person = await addUser(server.database, { clinicId: server.clinicId, role: 'counter', at: nowMs });
});

const post = (url: string, payload: object, token?: string) =>
  server.app.inject({
    method: 'POST',
    url: `/api${url}`,
    payload,
    ...(token && { headers: { authorization: `Bearer ${token}` } }),
  });
const signIn = async (over: object = {}) =>
  (await post('/users/login', { email: person.email, password: person.password, ...over })).statusCode;
const repeated = async (times: number, work: () => Promise<number>) => {
  const statuses: number[] = [];
  for (let count = 0; count < times; count += 1) statuses.push(await work());
  return statuses;
};
const allOf = (status: number, times: number) => Array.from({ length: times }, () => status);

test('an account signs in sixty times in a row, then once a minute; wrong passwords use nothing of that up', async () => {
  expect(await repeated(4, () => signIn({ password: 'wrong' }))).toEqual(allOf(401, 4));
  expect(await repeated(most + 3, signIn)).toEqual([...allOf(200, most), ...allOf(429, 3)]);
  nowMs += 60_000;
  expect(await repeated(2, signIn)).toEqual([200, 429]);
  const { rows } = await server.database.$client.query(
    'select count(*)::int as count from sessions where user_id = $1',
    [person.id],
  );
  expect(rows).toEqual([{ count: most + 1 }]);
});

test('an account that has used up its sign-ins keeps its count of wrong passwords', async () => {
  await repeated(most, signIn);
  nowMs += 60_000;
  expect(await repeated(5, () => signIn({ password: 'wrong' }))).toEqual(allOf(401, 5));
  nowMs += 1000;
  expect(await signIn()).toBe(200);
  expect(await repeated(5, () => signIn({ password: 'wrong' }))).toEqual(allOf(429, 5));
});

test('a passkey and the own password take of the same budget', async () => {
  const device = await TestDevice.enrol(server, 'counter');
  const key = new Authenticator('https://localhost');
  const credential = key.make();
  const shown = { device_id: device.info.device_id, device_key: device.info.device_key };
  const proof = async () => {
    nowMs += 1;
    const { data } = (await post('/auth/passkeys/challenge', shown)).json();
    return key.assert(credential, data.challenge as string);
  };
  const public_key = key.publicKeyOf(credential).toString('base64url');
  // The enrolment has taken one already.
  expect((await post('/auth/passkeys', { password, public_key, ...(await proof()) }, device.token)).statusCode).toBe(
    200,
  );
  const statuses = await repeated(
    most,
    async () => (await post('/users/login/passkey', { ...shown, ...(await proof()) })).statusCode,
  );
  expect(statuses).toEqual([...allOf(200, most - 2), 429, 429]);
  const change = { current_password: password, password: 'another long password' };
  expect((await post('/auth/password', change, device.token)).statusCode).toBe(429);
});
