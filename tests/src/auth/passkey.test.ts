import 'fake-indexeddb/auto';
import { Buffer } from 'node:buffer';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { addPasskey, canUsePasskeys, hasPasskeys, removePasskey, verifyPasskey } from '#src/auth/passkey.ts';
import { setPin } from '#src/auth/pin.ts';
import { wipePersonal } from '#src/auth/sign-out.ts';
import { api, publicApi } from '#src/api/client.ts';
import { ClinicDatabase } from '#src/db/database.ts';
import type { Ports } from '#src/db/ports.ts';
import { open } from '#src/session/sealed.ts';
import { Authenticator } from '#tests/support/authenticator.ts';
import { unique } from '#tests/support/unique.ts';
import { fewRounds, person, signedInOnline } from './people.ts';

vi.mock('#src/api/client.ts', () => ({ api: { post: vi.fn() }, publicApi: { post: vi.fn() } }));

const dayMs = 24 * 60 * 60_000;
const start = Date.UTC(2026, 2, 2, 8);
const user = person(7, 'Ana', 'manager');
const password = 'right horse';

let db: ClinicDatabase;
let now = start;
let authenticator: Authenticator;
const ports: Ports = { now: () => now, random: (bytes) => new Uint8Array(bytes).fill(9) };
const add = (typed = password) => addPasskey(db, ports, { email: user.email, password: typed, place: 'carried' });
const use = (email = user.email) => verifyPasskey(db, ports, { email, signsIn: true });
const row = async (email = user.email) => (await db.verifiers.get(email))!;

beforeEach(async () => {
  now = start;
  vi.mocked(api.post)
    .mockReset()
    .mockResolvedValue(new Response() as never);
  vi.mocked(publicApi.post).mockReset();
  authenticator = new Authenticator();
  vi.stubGlobal('navigator', { credentials: authenticator.credentials, onLine: false });
  vi.stubGlobal('document', { title: 'Dental Counter' });
  db = new ClinicDatabase(unique('passkey'));
  await signedInOnline(db, ports, { user, password });
});

afterEach(async () => {
  vi.unstubAllGlobals();
  await db.delete();
});

test('a passkey opens the same vault as the password, without a network, for seven days', async () => {
  expect(await add()).toMatchObject({ ok: true });
  now = start + 7 * dayMs;
  const answer = await use();
  if (!answer.ok) throw new Error(answer.code);
  expect(await open(answer.key, answer.row.actor)).toMatchObject({ deviceId: 3 });
  expect(answer.untilMs).toBe(start + 7 * dayMs);
  now += 1;
  expect(await use()).toEqual({ ok: false, code: 'TOO_OLD' });
});

test('SECURITY what the tablet stores of a passkey opens nothing: another authenticator, or another salt, derives another secret', async () => {
  await add();
  const stored = await row();
  authenticator.made[0]!.secret.fill(1);
  expect(await use()).toEqual({ ok: false, code: 'PASSKEY_UNFIT' });
  expect(JSON.stringify({ ...stored, salt: [...stored.passkey!.salt] })).not.toContain(password);
  expect(Object.keys(stored.passkey!).sort()).toEqual(['id', 'key', 'salt']);
});

test('SECURITY the passkey of one person does not open the vault of another', async () => {
  const other = person(8, 'Bea', 'admin');
  await signedInOnline(db, ports, { user: other, password });
  await add();
  await addPasskey(db, ports, { email: other.email, password, place: 'device' });
  const { id, salt } = (await row()).passkey!;
  await db.verifiers.update(other.email, { passkey: { ...(await row(other.email)).passkey!, id, salt } });
  expect(await use(other.email)).toEqual({ ok: false, code: 'PASSKEY_UNFIT' });
});

test('a passkey is added only with the password, whose attempts count', async () => {
  expect(await add('wrong')).toEqual({ ok: false, code: 'CREDENTIALS_INVALID' });
  expect((await row()).password.failures).toBe(1);
  expect(authenticator.made).toEqual([]);
});

test('an authenticator that derives no secrets, and a person who confirms nothing, change nothing', async () => {
  authenticator.hasPrf = false;
  expect(await add()).toEqual({ ok: false, code: 'PASSKEY_UNFIT' });
  authenticator.hasPrf = true;
  authenticator.confirms = false;
  expect(await add()).toEqual({ ok: false, code: 'CANCELLED' });
  expect((await row()).passkey).toBeUndefined();
  authenticator.confirms = true;
  await add();
  authenticator.confirms = false;
  expect(await use()).toEqual({ ok: false, code: 'CANCELLED' });
});

test('asks for an authenticator that is carried, or for the device’s own, and never for one that verifies nobody', async () => {
  await add();
  await addPasskey(db, ports, { email: user.email, password, place: 'device' });
  const selections = authenticator.asked.map(({ authenticatorSelection: selection }) => selection);
  expect(selections.map((selection) => selection?.authenticatorAttachment)).toEqual(['cross-platform', 'platform']);
  expect(authenticator.asked.map(({ pubKeyCredParams }) => pubKeyCredParams)).toEqual(
    Array.from({ length: 2 }, () => [{ type: 'public-key', alg: -7 }]),
  );
});

test('a passkey outlives a sign-out and a sign-in with the same password, as the password itself does, and ends with a new one', async () => {
  await setPin(db, ports, { email: user.email, password, pin: '407183' }, fewRounds);
  await add();
  await wipePersonal(db, user.email);
  expect(Object.keys(await row())).not.toEqual(expect.arrayContaining(['pin']));
  expect(await use()).toMatchObject({ ok: true });
  await signedInOnline(db, ports, { user, password });
  expect(await use()).toMatchObject({ ok: true });
  await signedInOnline(db, ports, { user, password: 'new horse' });
  expect(await use()).toEqual({ ok: false, code: 'UNKNOWN' });
});

test('without a name, whoever has one of the passkeys of this device enters', async () => {
  const anyone = () => verifyPasskey(db, ports, { email: null, signsIn: true });
  expect([await hasPasskeys(db, now), await anyone()]).toEqual([false, { ok: false, code: 'UNKNOWN' }]);
  const other = person(8, 'Bea', 'admin');
  await signedInOnline(db, ports, { user: other, password });
  await add();
  await addPasskey(db, ports, { email: other.email, password, place: 'carried' });
  expect(await hasPasskeys(db, now)).toBe(true);
  const own = [...authenticator.made];
  for (const [index, email] of [user.email, other.email].entries()) {
    authenticator.made.splice(0, authenticator.made.length, own[index]!);
    expect(await anyone()).toMatchObject({ ok: true, row: { email } });
  }
  now += 8 * dayMs;
  expect([await hasPasskeys(db, now), await anyone()]).toEqual([false, { ok: false, code: 'TOO_OLD' }]);
});

test('a removed passkey no longer opens, and an unknown person has none', async () => {
  await add();
  await removePasskey(db, user.email);
  expect(await use()).toEqual({ ok: false, code: 'UNKNOWN' });
  expect(await use('nobody@clinic.test')).toEqual({ ok: false, code: 'UNKNOWN' });
});

describe('with the server', () => {
  const challenge = Buffer.alloc(56, 3).toString('base64url');
  const saidIn = (proof: object): unknown =>
    JSON.parse(Buffer.from((proof as { client_data: string }).client_data, 'base64url').toString());

  beforeEach(async () => {
    vi.stubGlobal('navigator', { credentials: authenticator.credentials, onLine: true });
    const numbers = { treatment: 1, invoice: 1, credit_note: 1 };
    await db.device.put({ id: 'this', device_id: 3, device_key: 'key', ...numbers } as never);
    vi.mocked(publicApi.post).mockReturnValue({ json: async () => ({ data: { challenge } }) } as never);
  });

  test('a new passkey proves its key there, by the challenge of the server', async () => {
    expect(await add()).toMatchObject({ ok: true });
    expect(publicApi.post).toHaveBeenCalledWith('auth/passkeys/challenge', {
      json: { device_id: 3, device_key: 'key' },
      timeout: 1_500,
    });
    const [path, { json }] = vi.mocked(api.post).mock.calls[0] as unknown as [string, { json: Record<string, string> }];
    expect(path).toBe('auth/passkeys');
    expect(json).toMatchObject({
      password,
      public_key: authenticator.publicKeyOf(authenticator.made[0]!).toString('base64url'),
    });
    expect(saidIn(json)).toMatchObject({ challenge });
  });

  test('a session that lasts needs no challenge; one that has expired is begun anew by it', async () => {
    await add();
    vi.mocked(publicApi.post).mockClear();
    expect(await use()).not.toHaveProperty('proof.signature');
    expect(publicApi.post).not.toHaveBeenCalled();
    now = start + 9 * 3_600_000;
    const answer = await use();
    if (!answer.ok) throw new Error(answer.code);
    expect(saidIn(answer.proof!)).toMatchObject({ challenge });
    // An approval begins no session.
    expect(await verifyPasskey(db, ports, { email: user.email, signsIn: false })).not.toHaveProperty('proof.signature');
  });

  test('a server that does not answer keeps no vault shut', async () => {
    vi.mocked(publicApi.post).mockReturnValue({ json: async () => Promise.reject(new Error('no answer')) } as never);
    vi.mocked(api.post).mockRejectedValue(new Error('no answer'));
    expect(await add()).toMatchObject({ ok: true });
    now = start + 9 * 3_600_000;
    expect(await use()).toMatchObject({ ok: true, proof: undefined });
    await removePasskey(db, user.email);
    expect(await use()).toEqual({ ok: false, code: 'UNKNOWN' });
  });
});

describe('passkeys are offered', () => {
  const at = (hostname: string, capabilities?: Record<string, boolean>): Promise<boolean> => {
    vi.stubGlobal('location', { hostname });
    vi.stubGlobal('PublicKeyCredential', capabilities ? { getClientCapabilities: async () => capabilities } : {});
    return canUsePasskeys();
  };
  test('where the browser knows them, unless it says that they derive no secrets', async () => {
    expect(await at('counter.clinic.lan')).toBe(true);
    expect(await at('counter.clinic.lan', { 'extension:prf': true })).toBe(true);
    expect(await at('counter.clinic.lan', { 'extension:prf': false })).toBe(false);
    vi.stubGlobal('PublicKeyCredential', undefined);
    expect(await canUsePasskeys()).toBe(false);
  });
  test('not at an address without a name, to which browsers bind none', async () => {
    expect([await at('192.168.1.20'), await at('[fd00::1]')]).toEqual([false, false]);
  });
});

test('the id of a credential and the salt are random', async () => {
  await add();
  const first = (await row()).passkey!;
  await add();
  const second = (await row()).passkey!;
  for (const part of ['id', 'salt'] as const)
    expect(Buffer.from(first[part]).equals(Buffer.from(second[part]))).toBe(false);
});
