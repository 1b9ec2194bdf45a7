/** What the server takes for a passkey. Each field of an assertion is hostile. */
import { generateKeyPairSync } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Authenticator } from '#tests/support/authenticator.ts';
import type { MadeCredential, Said } from '#tests/support/authenticator.ts';
import { TestDevice } from '#tests/support/device.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

const minuteMs = 60_000;
const password = 'a long enough password';
const origin = 'https://localhost';

let nowMs = Date.parse('2026-04-06T08:00:00Z');
let server: TestServer;
let manager: TestDevice;
let key: Authenticator;
let credential: MadeCredential;

beforeAll(async () => {
  server = await startTestServer({ now: () => nowMs });
});
afterAll(() => server.close());
beforeEach(async () => {
  nowMs += 86_400_000;
  manager = await TestDevice.enrol(server, 'manager');
  key = new Authenticator(origin);
  credential = key.make();
});

type Body = Record<string, unknown>;

const post = (path: string, payload: Body, token?: string) =>
  server.app.inject({
    method: 'POST',
    url: `/api${path}`,
    payload,
    ...(token && { headers: { authorization: `Bearer ${token}` } }),
  });
const shows = ({ info: { device_id, device_key } }: TestDevice) => ({ device_id, device_key });

async function challengeFor(device: TestDevice): Promise<string> {
  nowMs += 1;
  return (await post('/auth/passkeys/challenge', shows(device))).json<{ data: { challenge: string } }>().data.challenge;
}

interface Sent {
  device?: TestDevice;
  /** Lies in the assertion. */
  lie?: Partial<Said>;
  /** Replaces fields of the body. */
  body?: Body;
}

async function add({ device = manager, lie, body }: Sent = {}): Promise<string> {
  const proof = key.assert(credential, await challengeFor(device), lie);
  const public_key = key.publicKeyOf(credential).toString('base64url');
  const reply = await post('/auth/passkeys', { password, public_key, ...proof, ...body }, device.token);
  const { code, details } = reply.json<{ code?: string; details?: object }>();
  return [reply.statusCode, code, ...Object.keys(details ?? {})].filter(Boolean).join(' ');
}

async function signIn({ device = manager, lie, body }: Sent = {}): Promise<number> {
  const proof = key.assert(credential, await challengeFor(device), lie);
  return (await post('/users/login/passkey', { ...shows(device), ...proof, ...body })).statusCode;
}

const refusedKey = '400 VALIDATION passkey';

test('a passkey signs its person in at an enrolled device, also when the session has expired, and the log says so', async () => {
  expect(await add()).toBe('200');
  nowMs += 12 * 60 * minuteMs;
  const proof = key.assert(credential, await challengeFor(manager));
  const reply = await post('/users/login/passkey', { ...shows(manager), ...proof });
  const token = reply.json<{ data: { accessToken: string } }>().data.accessToken;
  const me = await server.app.inject({ url: '/api/auth/me', headers: { authorization: `Bearer ${token}` } });
  expect(me.json()).toMatchObject({ data: { id: manager.userId, role: 'manager' } });
  const { rows } = await server.database.$client.query(
    'select action from audit_log where user_id = $1 order by id desc limit 2',
    [manager.userId],
  );
  expect(rows.map(({ action }) => action)).toEqual(['sign_in', 'passkey.added']);
});

describe('an assertion does not sign in', () => {
  beforeEach(async () => {
    expect(await add()).toBe('200');
  });
  // Shows that the cases below fail by what they name.
  test('unless it is right', async () => {
    expect(await signIn()).toBe(200);
  });
  const lies: [string, Partial<Said>][] = [
    ['another challenge', { challenge: Buffer.alloc(56, 7).toString('base64url') }],
    ['no challenge', { challenge: '' }],
    ['another origin', { origin: 'https://localhost.evil.test' }],
    ['the same host without TLS', { origin: 'http://localhost' }],
    ['another port of the host', { origin: 'https://localhost:8443' }],
    ['another relying party', { rpId: 'evil.test' }],
    ['nobody verified', { flags: 0x01 }],
    ['nobody present', { flags: 0x04 }],
    ['a new credential in it', { flags: 0x45 }],
    ['bytes after the data', { rest: Buffer.from([1]) }],
    ['a registration', { type: 'webauthn.create' }],
    ['a page within another page', { client: { crossOrigin: true } }],
    ['a page on top of it', { client: { topOrigin: 'https://evil.test' } }],
    ['a count that has stayed', { signatures: 1 }],
    ['a count of zero after others', { signatures: 0 }],
  ];
  test.each(lies)('for %s', async (_case, lie) => {
    expect(await signIn({ lie })).toBe(401);
    expect(await signIn()).toBe(200);
  });
  const foreign = () => new Authenticator(origin).make();
  const bodies: [string, () => Body][] = [
    ['a credential that nobody has', () => ({ credential_id: foreign().id.toString('base64url') })],
    ['a signature of another key', () => ({ signature: new Authenticator(origin).assert(foreign(), 'x').signature })],
    ['a signature of zeros', () => ({ signature: Buffer.alloc(70).toString('base64url') })],
    ['data that are too short', () => ({ authenticator_data: Buffer.alloc(36, 5).toString('base64url') })],
    ['client data that are no JSON', () => ({ client_data: Buffer.from('{"type":').toString('base64url') })],
    ['client data that are a list', () => ({ client_data: Buffer.from('[]').toString('base64url') })],
    ['another key of the device', () => ({ device_key: 'wrong' })],
  ];
  test.each(bodies)('for %s', async (_case, body) => {
    expect(await signIn({ body: body() })).toBe(401);
    expect(await signIn()).toBe(200);
  });
  test.each([
    ['client_data', 'A'.repeat(2800)],
    ['authenticator_data', 'A'.repeat(1400)],
    ['signature', 'A'.repeat(200)],
    ['credential_id', 'not+base64url'],
    ['credential_id', ''],
    ['signature', { toString: 1 }],
    ['device_id', '1'],
  ])('with an odd %s, which is refused as malformed', async (field, value) => {
    expect(await signIn({ body: { [field]: value } })).toBe(400);
  });
  test('without a word: the log names who was tried and where', async () => {
    expect(await signIn({ body: { signature: Buffer.alloc(70).toString('base64url') } })).toBe(401);
    const { rows } = await server.database.$client.query(
      'select action, device_id from audit_log where user_id = $1 order by id desc limit 1',
      [manager.userId],
    );
    expect(rows).toEqual([{ action: 'sign_in.failed', device_id: manager.info.device_id }]);
  });
  test('twice, nor an older one after a newer', async () => {
    const [older, once] = [await challengeFor(manager), await challengeFor(manager)];
    const sent = { ...shows(manager), ...key.assert(credential, once) };
    const replies = await Promise.all([post('/users/login/passkey', sent), post('/users/login/passkey', sent)]);
    expect(replies.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 401]);
    expect((await post('/users/login/passkey', sent)).statusCode).toBe(401);
    const late = { ...shows(manager), ...key.assert(credential, older) };
    expect((await post('/users/login/passkey', late)).statusCode).toBe(401);
  });
  test('three minutes after its challenge, nor before', async () => {
    const challenge = await challengeFor(manager);
    nowMs += 3 * minuteMs + 1;
    const late = { ...shows(manager), ...key.assert(credential, challenge) };
    expect((await post('/users/login/passkey', late)).statusCode).toBe(401);
    const next = await challengeFor(manager);
    nowMs -= 1000;
    const early = { ...shows(manager), ...key.assert(credential, next) };
    expect((await post('/users/login/passkey', early)).statusCode).toBe(401);
  });
  test('with the challenge of another device', async () => {
    const clerk = await TestDevice.enrol(server, 'counter');
    const proof = key.assert(credential, await challengeFor(clerk));
    expect((await post('/users/login/passkey', { ...shows(manager), ...proof })).statusCode).toBe(401);
    expect(await signIn({ device: clerk })).toBe(200);
  });
  test('at a device of another clinic', async () => {
    const elsewhere = await TestDevice.enrol(server, 'manager', await server.addClinic());
    expect(await signIn({ device: elsewhere })).toBe(401);
  });
  test('at a revoked or unknown device, which gets no challenge either', async () => {
    const unknown = { device_id: 999_999, device_key: 'x' };
    expect((await post('/auth/passkeys/challenge', unknown)).statusCode).toBe(401);
    expect(await signIn({ body: unknown })).toBe(401);
  });
  test('when its person has removed it, and nobody removes that of another', async () => {
    const clerk = await TestDevice.enrol(server, 'counter');
    const credential_id = credential.id.toString('base64url');
    expect((await post('/auth/passkeys/remove', { credential_id }, clerk.token)).statusCode).toBe(200);
    expect(await signIn()).toBe(200);
    expect((await post('/auth/passkeys/remove', { credential_id }, manager.token)).statusCode).toBe(200);
    expect(await signIn()).toBe(401);
    // The log knows who has removed it, and nothing of whoever had none.
    const { rows } = await server.database.$client.query(
      `select user_id from audit_log where action = 'passkey.removed'`,
    );
    expect(rows).toEqual([{ user_id: manager.userId }]);
  });
});

describe('a passkey is not added', () => {
  test('without the password, whose tries are counted', async () => {
    for (let time = 0; time < 5; time += 1)
      expect(await add({ body: { password: 'guess' } })).toBe('400 VALIDATION password');
    expect(await add()).toBe('429 TOO_MANY_REQUESTS');
  });
  test.each<[string, Partial<Said>]>([
    ['another host', { origin: 'https://evil.test', rpId: 'evil.test' }],
    ['another relying party', { rpId: 'evil.test' }],
    ['nobody verified', { flags: 0x01 }],
    ['another challenge', { challenge: Buffer.alloc(56).toString('base64url') }],
  ])('for %s', async (_case, lie) => {
    expect(await add({ lie })).toBe(refusedKey);
  });
  test('with a key that is not the one that signs, or of another kind', async () => {
    for (const { publicKey } of [generateKeyPairSync('ec', { namedCurve: 'P-256' }), generateKeyPairSync('ed25519')]) {
      const public_key = publicKey.export({ format: 'der', type: 'spki' }).toString('base64url');
      expect(await add({ body: { public_key } })).toBe(refusedKey);
    }
    credential.keys = generateKeyPairSync('ec', { namedCurve: 'P-384' });
    expect(await add()).toBe(refusedKey);
    expect(await add({ body: { public_key: 'AAAA' } })).toBe(refusedKey);
    expect(await add({ body: { public_key: 'A'.repeat(400) } })).toBe('400 VALIDATION public_key');
  });
  test('twice in a clinic, whoever asks: the first one keeps it', async () => {
    expect(await add()).toBe('200');
    const clerk = await TestDevice.enrol(server, 'counter');
    expect(await add({ device: clerk })).toBe(refusedKey);
    const proof = key.assert(credential, await challengeFor(manager));
    const { data } = (await post('/users/login/passkey', { ...shows(manager), ...proof })).json();
    const me = await server.app.inject({
      url: '/api/auth/me',
      headers: { authorization: `Bearer ${data.accessToken}` },
    });
    expect(me.json()).toMatchObject({ data: { id: manager.userId } });
  });
  test('by a token that only syncs', async () => {
    const public_key = key.publicKeyOf(credential).toString('base64url');
    const body = { password, public_key, ...key.assert(credential, await challengeFor(manager)) };
    expect((await post('/auth/passkeys', body, manager.info.sync_token)).statusCode).toBe(403);
  });
});

test('an authenticator that does not count stays at zero', async () => {
  expect(await add({ lie: { signatures: 0 } })).toBe('200');
  expect(await signIn({ lie: { signatures: 0 } })).toBe(200);
  expect(await signIn({ lie: { signatures: 0 } })).toBe(200);
});

test('a deactivation, a removal and a new password end the passkeys of a person', async () => {
  const admin = await TestDevice.enrol(server, 'admin');
  const headers = { authorization: `Bearer ${admin.token}` };
  const call = (method: 'PUT' | 'DELETE', person: TestDevice, payload?: object) =>
    server.app.inject({ method, url: `/api/users/${person.userId}`, headers, ...(payload && { payload }) });
  const endings = [
    (person: TestDevice) => call('PUT', person, { status: 'inactive' }),
    (person: TestDevice) => call('PUT', person, { password: 'five horses run' }),
    (person: TestDevice) => call('DELETE', person),
  ];
  for (const end of endings) {
    const person = await TestDevice.enrol(server, 'counter');
    credential = key.make();
    expect(await add({ device: person })).toBe('200');
    expect(await signIn({ device: person })).toBe(200);
    const ended = await end(person);
    expect(ended.statusCode).toBe(200);
    expect(await signIn({ device: person })).toBe(401);
    // Not even for somebody who is let in again.
    await call('PUT', person, { status: 'active' });
    expect(await signIn({ device: person })).toBe(401);
  }
});

test('a person has ten passkeys at most: the oldest goes', async () => {
  const first = credential;
  expect(await add()).toBe('200');
  for (let count = 0; count < 10; count += 1) {
    credential = key.make();
    expect(await add()).toBe('200');
  }
  expect(await signIn()).toBe(200);
  credential = first;
  expect(await signIn()).toBe(401);
});
