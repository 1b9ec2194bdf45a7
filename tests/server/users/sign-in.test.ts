import { eq } from 'drizzle-orm';
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { auditLog, sessions, users } from '#server/db/schema/access.ts';
import { addUser, startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

const dayMs = 86_400_000;
let nowMs = Date.parse('2026-03-02T09:00:00Z');
let server: TestServer;
let person: { id: number; email: string; password: string };

beforeAll(async () => {
  server = await startTestServer({ now: () => nowMs });
});
afterAll(() => server.close());
// Each test has its own user and day, so that guesses of the previous test no longer count.
beforeEach(async () => {
  nowMs += dayMs;
  person = await addUser(server.database, { clinicId: server.clinicId, role: 'counter', at: nowMs });
});

const signIn = (given: object | undefined, remoteAddress = '10.0.0.1') => {
  const { id: _id, ...payload }: { id?: number } = given ?? {};
  return server.app.inject({ method: 'POST', url: '/api/users/login', remoteAddress, ...(given && { payload }) });
};
const me = (headers: Record<string, string>) => server.app.inject({ url: '/api/auth/me', headers });
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const token = async () => (await signIn(person)).json<{ data: { accessToken: string } }>().data.accessToken;
const change = (values: Partial<typeof users.$inferInsert>) =>
  server.database.update(users).set(values).where(eq(users.id, person.id));

describe('signing in', () => {
  test('returns the user, and a token that is valid for eight hours and says the same of them', async () => {
    const reply = await signIn({ email: ` ${person.email.toUpperCase()} `, password: person.password });
    expect(reply.statusCode).toBe(200);
    const { accessToken, user } = reply.json<{ data: { accessToken: string; user: object } }>().data;
    expect(user).toMatchObject({ id: person.id, email: person.email, role: 'counter', status: 'active' });
    expect(decodeProtectedHeader(accessToken)).toEqual({ alg: 'HS256' });
    expect(decodeJwt(accessToken)).toEqual({
      id: person.id,
      name: 'counter',
      email: person.email,
      phone: null,
      role: 'counter',
      status: 'active',
      created_at: new Date(nowMs).toISOString(),
      updated_at: new Date(nowMs).toISOString(),
      scope: 'full',
      cid: server.clinicId,
      iat: nowMs / 1000,
      exp: nowMs / 1000 + 8 * 3600,
      aud: 'dental-counter',
      jti: expect.any(String),
    });
    expect((await me(bearer(accessToken))).json()).toMatchObject({
      success: true,
      data: { id: person.id, role: 'counter' },
    });
  });

  test('fits into a cookie with the longest name, e-mail address and phone number', async () => {
    await change({ name: '何'.repeat(200), email: `${'ñ'.repeat(188)}@clinic.test`, phone: '1'.repeat(40) });
    const { email } = (await server.database.select().from(users).where(eq(users.id, person.id)))[0]!;
    const longest = (await signIn({ ...person, email })).json<{ data: { accessToken: string } }>().data.accessToken;
    expect(decodeJwt(longest)).toMatchObject({ name: '何'.repeat(200), email });
    expect(longest.length).toBeLessThan(3500);
    expect((await me(bearer(longest))).statusCode).toBe(200);
  });

  test.each([
    [undefined],
    [{}],
    [{ email: 'ana@clinic.test' }],
    [{ email: '', password: 'x' }],
    [{ email: 'ana@clinic.test', password: '' }],
  ])('requires email and password, and refuses %j', async (payload) => {
    const reply = await signIn(payload);
    expect(reply.statusCode).toBe(400);
    expect(reply.json()).toEqual({
      success: false,
      code: 'CREDENTIALS_REQUIRED',
      message: 'Email and password are required',
    });
  });

  test('gives the same reply for a wrong password and for an unknown, inactive or removed user', async () => {
    const replies = [
      await signIn({ ...person, password: 'wrong' }),
      await signIn({ email: 'nobody@clinic.test', password: 'wrong' }),
    ];
    await change({ status: 'inactive' });
    replies.push(await signIn(person));
    await change({ status: 'active', deletedAt: nowMs });
    replies.push(await signIn(person));
    expect(replies.map(({ statusCode, body }) => [statusCode, body])).toEqual(
      Array.from({ length: 4 }, () => [401, replies[0]!.body]),
    );
    expect(replies[0]!.json()).toMatchObject({ code: 'CREDENTIALS_INVALID' });
  });

  test('finds the clinic by the password when an email has accounts in two', async () => {
    const clinicId = await server.addClinic();
    const other = await addUser(server.database, {
      clinicId,
      role: 'admin',
      at: nowMs,
      email: person.email,
      password: 'another password',
    });
    const reply = await signIn(other);
    expect(decodeJwt(reply.json<{ data: { accessToken: string } }>().data.accessToken)).toMatchObject({
      id: other.id,
      cid: clinicId,
    });
  });

  test('is recorded in the audit log whether it succeeds or fails', async () => {
    await signIn(person);
    await signIn({ ...person, password: 'wrong' });
    const log = await server.database
      .select()
      .from(auditLog)
      .where(eq(auditLog.userId, person.id))
      .orderBy(auditLog.id);
    expect(log.map(({ action }) => action)).toEqual(['sign_in', 'sign_in.failed']);
  });
});

describe('guessing a password', () => {
  const guess = async (email = person.email, address?: string) =>
    (await signIn({ email, password: 'wrong' }, address)).statusCode;
  const guesses = async (count: number, email?: string) => {
    const statuses: number[] = [];
    for (let i = 0; i < count; i++) statuses.push(await guess(email));
    return statuses;
  };

  test.each(['a known account', 'an unknown one'])('makes %s wait twice as long each time', async (which) => {
    const email = which === 'a known account' ? person.email : 'nobody@clinic.test';
    expect(await guesses(6, email)).toEqual([401, 401, 401, 401, 401, 429]);
    for (const waitMs of [1000, 2000, 4000, 8000]) {
      nowMs += waitMs - 1;
      expect(await guess(email)).toBe(429);
      nowMs += 1;
      expect(await guess(email)).toBe(401);
    }
  });

  test('delays even the right password, and resets the delay after a success', async () => {
    await guesses(5);
    expect((await signIn(person)).statusCode).toBe(429);
    nowMs += 1000;
    expect((await signIn(person)).statusCode).toBe(200);
    expect(await guesses(5)).toEqual([401, 401, 401, 401, 401]);
  });

  test('counts parallel guesses one by one', async () => {
    const statuses = await Promise.all(Array.from({ length: 12 }, () => guess()));
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
  });

  test('delays an address that fails for many accounts', async () => {
    for (let i = 0; i < 50; i++) expect(await guess(`guess${i}@clinic.test`, '10.6.6.6')).toBe(401);
    expect(await guess('guess99@clinic.test', '10.6.6.6')).toBe(429);
    expect((await signIn(person, '10.0.0.2')).statusCode).toBe(200);
  });
});

describe('a session', () => {
  const isOver = async (headers: Record<string, string>) => {
    const reply = await me(headers);
    expect(reply.json()).toMatchObject(reply.statusCode === 200 ? { success: true } : { code: 'SESSION_EXPIRED' });
    return reply.statusCode === 401;
  };

  test('is accepted from the bearer header only, never from the cookie', async () => {
    const accessToken = await token();
    expect(await isOver({ cookie: `pos_token=${accessToken}` })).toBe(true);
    expect(await isOver({ authorization: `Basic ${accessToken}` })).toBe(true);
    expect(await isOver(bearer(accessToken))).toBe(false);
  });

  test('ends when its time is over', async () => {
    const accessToken = await token();
    nowMs += 8 * 3_600_000 - 1000;
    expect(await isOver(bearer(accessToken))).toBe(false);
    nowMs += 1000;
    expect(await isOver(bearer(accessToken))).toBe(true);
  });

  test('ends with its sign-out, which ends no other session', async () => {
    const [mine, other] = [await token(), await token()];
    await server.app.inject({ method: 'POST', url: '/api/auth/logout', headers: bearer(mine) });
    expect(await isOver(bearer(mine))).toBe(true);
    expect(await isOver(bearer(other))).toBe(false);
  });

  test.each([
    ['deactivated', { status: 'inactive' }],
    ['removed', { deletedAt: 0 }],
  ] as const)('ends when its person is %s', async (_what, values) => {
    const accessToken = await token();
    await change(values);
    expect(await isOver(bearer(accessToken))).toBe(true);
  });

  test('has the user’s current role, not that of the sign-in', async () => {
    const accessToken = await token();
    await change({ role: 'kitchen', name: 'Renamed' });
    expect((await me(bearer(accessToken))).json()).toMatchObject({ data: { role: 'kitchen', name: 'Renamed' } });
    expect(
      (await server.app.inject({ method: 'POST', url: '/api/orders', headers: bearer(accessToken), payload: {} }))
        .statusCode,
    ).toBe(403);
  });

  test('needs its row: a valid signature alone is not enough', async () => {
    const accessToken = await token();
    await server.database.delete(sessions);
    expect(await isOver(bearer(accessToken))).toBe(true);
  });

  test('is accepted only with the server’s signature, algorithm and audience, an expiry and an id', async () => {
    const claims = decodeJwt(await token());
    const sign = (over: object, alg = 'HS256', key: Uint8Array = server.secret) =>
      new SignJWT({ ...claims, ...over }).setProtectedHeader({ alg }).sign(key);
    expect(await isOver(bearer(await sign({})))).toBe(false);
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.`;
    const forged = [
      await sign({}, 'HS256', new Uint8Array(32)),
      await sign({}, 'HS512'),
      await sign({ aud: 'another' }),
      await sign({ exp: undefined }),
      await sign({ jti: undefined }),
      await sign({ jti: "' or 1=1" }),
      await sign({ cid: (claims['cid'] as number) + 1 }),
      await sign({ cid: 2 ** 40 }),
      none,
      'x.y.z',
    ];
    for (const accessToken of forged) expect(await isOver(bearer(accessToken))).toBe(true);
  });

  test('returns the clinic’s epoch with every reply', async () => {
    const reply = await me(bearer(await token()));
    expect(reply.headers['x-clinic-epoch']).toMatch(/^[0-9a-f-]{36}\.0{7}1$/);
  });
});
