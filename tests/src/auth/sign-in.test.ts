import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { errorCatalogue } from '#domain/protocol/errors.ts';
import type { ErrorCode } from '#domain/protocol/errors.ts';
import { signIn } from '#src/auth/sign-in.ts';
import type { OfflineAnswer } from '#src/auth/verifier.ts';
import { ClinicDatabase } from '#src/db/database.ts';
import type { VerifierRow } from '#src/db/database.ts';
import { newKey, seal } from '#src/session/sealed.ts';
import { noNumbersUsed } from '#domain/order/numbers.ts';
import { stubCacheStorage } from '#tests/support/cache-storage.ts';
import { stubLocalStorage } from '#tests/support/local-storage.ts';
import { unique } from '#tests/support/unique.ts';

const verifier = vi.hoisted(() => ({ answer: null as unknown }));
vi.mock('#src/auth/verifier.ts', async (original) => ({
  ...(await original<object>()),
  verifyOffline: async () => verifier.answer,
}));

const user = {
  id: 7,
  name: 'Lucía Ferrer',
  email: 'lucia@clinic.test',
  phone: null,
  role: 'counter',
  status: 'active',
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
};
async function vouched(): Promise<OfflineAnswer> {
  const key = await newKey();
  const row = { email: user.email, user, actor: await seal(key, null) } as unknown as VerifierRow;
  return { ok: true, row, key, untilMs: Date.now() + 60_000 };
}
const credentials = { email: user.email, password: 'right horse' };
const ports = { now: Date.now, random: (bytes: number) => new Uint8Array(bytes) };

let db: ClinicDatabase;
let sent: Record<string, unknown>[];

beforeEach(async () => {
  stubLocalStorage();
  stubCacheStorage();
  vi.stubGlobal('document', { cookie: '', documentElement: { lang: 'en' } });
  vi.stubGlobal('location', { protocol: 'http:' });
  sent = [];
  verifier.answer = await vouched();
  db = new ClinicDatabase(unique('sign-in'));
  // A page resolves relative addresses; Node.js does not.
  class PageRequest extends Request {
    constructor(input: RequestInfo | URL, init?: RequestInit) {
      super(typeof input === 'string' ? new URL(input, 'http://clinic.test') : input, init);
    }
  }
  vi.stubGlobal('Request', PageRequest);
});
afterEach(async () => {
  vi.unstubAllGlobals();
  await db.delete();
});

function serverReplies(code: ErrorCode): void {
  vi.stubGlobal('fetch', async (request: Request) => {
    sent.push((await request.json()) as Record<string, unknown>);
    const { status, message } = errorCatalogue[code];
    return Response.json({ success: false, code, message }, { status });
  });
}

const turnedAway = ['TOO_MANY_REQUESTS', 'SIGN_IN_BUSY', 'UNAVAILABLE', 'TRY_AGAIN'] as const;

test.each(turnedAway)('a device verifies the password itself when the server replies %s', async (code) => {
  serverReplies(code);
  expect(await signIn({ db, ports }, credentials)).toEqual({ ok: true });
});

test.each(turnedAway)('a device that does not know the person passes on the server’s %s', async (code) => {
  serverReplies(code);
  for (const offline of ['UNKNOWN', 'TOO_OLD']) {
    verifier.answer = { ok: false, code: offline };
    expect(await signIn({ db, ports }, credentials)).toMatchObject({
      ok: false,
      fault: { code, message: errorCatalogue[code].message },
    });
  }
});

test('a device follows its own verifier’s wait and refusal', async () => {
  serverReplies('TOO_MANY_REQUESTS');
  verifier.answer = { ok: false, code: 'LOCKED', waitMs: 30_000 };
  expect(await signIn({ db, ports }, credentials)).toEqual({ ok: false, fault: { code: 'LOCKED', waitMs: 30_000 } });
  verifier.answer = { ok: false, code: 'CREDENTIALS_INVALID' };
  expect(await signIn({ db, ports }, credentials)).toMatchObject({ fault: { code: 'CREDENTIALS_INVALID' } });
});

test('a server that refuses the password is not overruled by the device', async () => {
  serverReplies('CREDENTIALS_INVALID');
  expect(await signIn({ db, ports }, credentials)).toMatchObject({ ok: false, fault: { code: 'CREDENTIALS_INVALID' } });
});

test('an enrolled device proves itself with its key, and a new one sends nothing more than the credentials', async () => {
  serverReplies('CREDENTIALS_INVALID');
  await signIn({ db, ports }, credentials);
  await db.device.put({
    id: 'this',
    device_id: 12,
    device_key: 'secret',
    code: 'A7',
    counters: noNumbersUsed,
    next_seq: 1,
  });
  await signIn({ db, ports }, credentials);
  expect(sent).toEqual([credentials, { ...credentials, device_id: 12, device_key: 'secret' }]);
});

/** A server that takes the credentials, and then has no answer about the device, which is known already. */
async function serverAccepts(): Promise<void> {
  const claims = { ...user, exp: Math.floor(Date.now() / 1000) + 3600 };
  const token = ['', JSON.stringify(claims), ''].map((part) => Buffer.from(part).toString('base64url')).join('.');
  vi.stubGlobal('fetch', async ({ url }: Request) => {
    if (url.endsWith('/users/login')) return Response.json({ success: true, data: { accessToken: token, user } });
    throw new TypeError('The network is gone.');
  });
  await db.device.put({
    id: 'this',
    device_id: 12,
    device_key: 'secret',
    code: 'A7',
    counters: noNumbersUsed,
    next_seq: 1,
  });
}

test('a sign-in at the server asks the browser to keep the storage, whatever it answers', async () => {
  const persist = vi.fn(async () => false);
  vi.stubGlobal('navigator', { storage: { persist } });
  await serverAccepts();
  expect(await signIn({ db, ports }, credentials)).toEqual({ ok: true });
  expect(persist).toHaveBeenCalledOnce();
  vi.stubGlobal('navigator', { storage: undefined });
  expect(await signIn({ db, ports }, credentials)).toEqual({ ok: true });
});

test('a sign-in without the server asks for nothing', async () => {
  const persist = vi.fn();
  vi.stubGlobal('navigator', { storage: { persist } });
  serverReplies('UNAVAILABLE');
  expect(await signIn({ db, ports }, credentials)).toEqual({ ok: true });
  expect(persist).not.toHaveBeenCalled();
});
