import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditLog, users } from '#server/db/schema/access.ts';
import { problemCatalogue } from '#domain/problems.ts';
import type { Role } from '#domain/staff/roles.ts';
import { addUser, startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

let server: TestServer;
const tokens = {} as Record<Role, string>;
let ownAdmin: { id: number; email: string; password: string };

beforeAll(async () => {
  server = await startTestServer();
  ownAdmin = await addUser(server.database, { clinicId: server.clinicId, role: 'admin', at: Date.now() });
  tokens.admin = await signIn(ownAdmin);
  tokens.manager = await server.login('manager');
  tokens.counter = await server.login('counter');
});
afterAll(() => server.close());

async function signIn({ email, password }: { email: string; password: string }): Promise<string> {
  const reply = await server.app.inject({ method: 'POST', url: '/api/users/login', payload: { email, password } });
  return reply.json<{ data?: { accessToken: string } }>().data?.accessToken ?? '';
}

async function call(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  { as = 'admin', token = tokens[as], body }: { as?: Role; token?: string; body?: object } = {},
) {
  const reply = await server.app.inject({
    method,
    url: `/api${path}`,
    headers: { authorization: `Bearer ${token}` },
    ...(body && { payload: body }),
  });
  return {
    status: reply.statusCode,
    body: reply.json<{
      code?: string;
      message?: string;
      details?: Record<string, string>;
      data: never;
      pagination: { total: number };
    }>(),
  };
}

let serial = 0;
const ana = (changes: object = {}) => ({
  name: 'Ana García',
  email: `ana${++serial}@clinic.test`,
  password: 'sol y sombra',
  role: 'counter',
  status: 'active',
  ...changes,
});
const make = async (changes: object = {}) => {
  const input = ana(changes);
  const { status, body } = await call('POST', '/users', { body: input });
  expect(status).toBe(201);
  return { ...input, ...(body.data as { id: number; created_at: string }) };
};

describe('the list of staff', () => {
  test('finds the beginning of any word of a name or of the email, without accents, page by page', async () => {
    await make({ name: 'Íñigo Ñúñez' });
    await make({ name: 'Inés de la Peña' });
    const found = async (search: string) =>
      ((await call('GET', `/users?size=50&search=${encodeURIComponent(search)}`)).body.data as { name: string }[]).map(
        ({ name }) => name,
      );
    expect(await found('INI')).toEqual(['Íñigo Ñúñez']);
    expect(await found('pena')).toEqual(['Inés de la Peña']);
    expect(await found('%')).toEqual([]);
    await make({ name: 'Olga Vega', email: 'olga@dental-vega.test' });
    expect(await found('dental-vega.test')).toEqual(['Olga Vega']);
    expect(await found('olga@dental')).toEqual(['Olga Vega']);
    const page = await call('GET', '/users?size=1&page=2&sort=name&order=desc');
    expect(page.body.data).toHaveLength(1);
    expect(page.body.pagination.total).toBeGreaterThan(3);
    expect((await call('GET', '/users?size=5&page=99')).body).toMatchObject({
      data: [],
      pagination: { total: page.body.pagination.total },
    });
  });

  test('is sorted by name without regard to accents and capitals', async () => {
    for (const name of ['Zoe Orden', 'Ángela Orden', 'ana Orden', 'Óscar Orden', 'Andrea Orden', 'Beto Orden'])
      await make({ name });
    const sorted = async (order: string) =>
      ((await call('GET', `/users?size=50&search=orden&sort=name&order=${order}`)).body.data as { name: string }[]).map(
        ({ name }) => name.split(' ')[0],
      );
    expect(await sorted('asc')).toEqual(['ana', 'Andrea', 'Ángela', 'Beto', 'Óscar', 'Zoe']);
    expect(await sorted('desc')).toEqual(['Zoe', 'Óscar', 'Beto', 'Ángela', 'Andrea', 'ana']);
  });

  test('contains no password hash and no removed user', async () => {
    const { id } = await make();
    expect((await call('DELETE', `/users/${id}`)).status).toBe(200);
    const { body } = await call('GET', '/users?size=200');
    expect(JSON.stringify(body)).not.toMatch(/password|argon2/);
    expect((body.data as { id: number }[]).some((each) => each.id === id)).toBe(false);
  });
});

describe('the form of a user', () => {
  test.each([
    [{ name: 'Al' }, 'name', 'Name must be at least 3 characters'],
    [{ email: 'nobody' }, 'email', 'Invalid email format'],
    [{ password: '12345' }, 'password', 'Password must be at least 6 characters'],
    [{ password: 'Password' }, 'password', problemCatalogue.PASSWORD_COMMON],
    [{ name: 'Ana García', password: 'AnaGarcía80' }, 'password', problemCatalogue.PASSWORD_PERSONAL],
    [{ name: 'x'.repeat(300) }, 'name', 'This text is too long'],
  ])('refuses %j and names the field', async (changes, field, message) => {
    const { status, body } = await call('POST', '/users', { body: ana(changes) });
    expect([status, body.code, body.details]).toEqual([400, 'VALIDATION', { [field]: message }]);
  });

  test('refuses an email that another user has, and accepts the email of a removed user', async () => {
    const first = await make();
    const again = await call('POST', '/users', { body: ana({ email: first.email.toUpperCase() }) });
    expect(again.body.details).toEqual({ email: 'Someone else has this email' });
    for (const lookAlike of [first.email.replace('a', 'а'), `\u200B${first.email}`, first.email.replace('c', 'ｃ')]) {
      const { status, body } = await call('POST', '/users', { body: ana({ email: lookAlike }) });
      expect([status, body.details]).toEqual([400, { email: 'Someone else has this email' }]);
    }
    await call('DELETE', `/users/${first.id}`);
    expect((await call('POST', '/users', { body: ana({ email: first.email }) })).status).toBe(201);
  });

  test('creates one user when two requests with one email arrive at once', async () => {
    const body = ana();
    const replies = await Promise.all([
      call('POST', '/users', { body }),
      call('POST', '/users', { body: { ...body } }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual(expect.arrayContaining([201, 400]));
  });

  test('keeps the present password when it contains none', async () => {
    const person = await make();
    expect((await call('PUT', `/users/${person.id}`, { body: { name: 'Ana García López' } })).body.data).toMatchObject({
      name: 'Ana García López',
      email: person.email,
    });
    expect(await signIn(person)).not.toBe('');
  });
});

describe('a user', () => {
  test.each([
    ['is deactivated', (id: number) => call('PUT', `/users/${id}`, { body: { status: 'inactive' } })],
    ['gets another password', (id: number) => call('PUT', `/users/${id}`, { body: { password: 'luna y mar' } })],
    ['is removed', (id: number) => call('DELETE', `/users/${id}`)],
  ])('who %s is signed out everywhere at once', async (_what, act) => {
    const person = await make();
    const token = await signIn(person);
    expect((await call('GET', '/auth/me', { token })).status).toBe(200);
    expect((await act(person.id)).status).toBe(200);
    expect((await call('GET', '/auth/me', { token })).status).toBe(401);
    expect(await signIn(person)).toBe('');
  });

  test('who manages staff changes their own password with the present one only', async () => {
    const [chief, clerk] = [await make({ role: 'manager' }), await make()];
    const token = await signIn(chief);
    const own = await call('PUT', `/users/${chief.id}`, { token, body: { password: 'luna y mar', name: 'Ana Nueva' } });
    expect([own.status, own.body]).toMatchObject([400, { details: { password: expect.stringContaining('Profile') } }]);
    expect(await signIn(chief)).not.toBe('');
    expect((await call('PUT', `/users/${chief.id}`, { token, body: { name: 'Ana Nueva' } })).status).toBe(200);
    expect((await call('PUT', `/users/${clerk.id}`, { token, body: { password: 'luna y mar' } })).status).toBe(200);
  });

  test('who is reactivated can sign in again', async () => {
    const person = await make({ status: 'inactive' });
    expect(await signIn(person)).toBe('');
    await call('PUT', `/users/${person.id}`, { body: { status: 'active' } });
    expect(await signIn(person)).not.toBe('');
  });
});

describe('administrators', () => {
  test('are changed by administrators only', async () => {
    const admin = await make({ role: 'admin' });
    const person = await make();
    const asManager = { as: 'manager' } as const;
    expect((await call('POST', '/users', { ...asManager, body: ana({ role: 'admin' }) })).body.code).toBe('FORBIDDEN');
    expect((await call('PUT', `/users/${person.id}`, { ...asManager, body: { role: 'admin' } })).body.code).toBe(
      'FORBIDDEN',
    );
    expect((await call('PUT', `/users/${admin.id}`, { ...asManager, body: { name: 'Nobody' } })).body.code).toBe(
      'FORBIDDEN',
    );
    expect((await call('DELETE', `/users/${admin.id}`, asManager)).body.code).toBe('FORBIDDEN');
    expect((await call('PUT', `/users/${person.id}`, { ...asManager, body: { role: 'manager' } })).status).toBe(200);
    expect((await call('DELETE', `/users/${admin.id}`)).status).toBe(200);
  });

  test('cannot deactivate themselves, and the last one stays', async () => {
    const { database, clinicId } = server;
    expect((await call('DELETE', `/users/${ownAdmin.id}`)).body.code).toBe('STAFF_SELF');
    expect((await call('PUT', `/users/${ownAdmin.id}`, { body: { status: 'inactive' } })).body.code).toBe('STAFF_SELF');
    const others = and(eq(users.clinicId, clinicId), eq(users.role, 'admin'));
    expect(await database.$count(users, and(others, eq(users.status, 'active')))).toBe(1);
    expect((await call('PUT', `/users/${ownAdmin.id}`, { body: { role: 'manager' } })).body.code).toBe('LAST_ADMIN');
  });

  test('cannot remove each other at the same moment', async () => {
    const [a, b] = [await make({ role: 'admin' }), await make({ role: 'admin' })];
    const [asA, asB] = [await signIn(a), await signIn(b)];
    const others = await call('PUT', `/users/${ownAdmin.id}`, { token: asA, body: { role: 'manager' } });
    expect(others.status).toBe(200);
    const replies = await Promise.all([
      call('DELETE', `/users/${b.id}`, { token: asA }),
      call('DELETE', `/users/${a.id}`, { token: asB }),
    ]);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    const survivor = replies[0].status === 200 ? asA : asB;
    await call('PUT', `/users/${ownAdmin.id}`, { token: survivor, body: { role: 'admin' } });
  });
});

describe('a user’s own profile', () => {
  test('changes name and phone, and the password with the present one, which ends the other sessions', async () => {
    const person = await make();
    const [here, there] = [await signIn(person), await signIn(person)];
    expect(
      (await call('PUT', '/auth/me', { token: here, body: { name: 'Ana G.', phone: '600 100 200' } })).body.data,
    ).toMatchObject({ name: 'Ana G.', phone: '600 100 200' });
    const wrong = await call('POST', '/auth/password', {
      token: here,
      body: { current_password: 'not it', password: 'luna y mar' },
    });
    expect(wrong.body.details).toEqual({ current_password: 'Wrong current password' });
    expect((await call('GET', '/auth/me', { token: there })).status).toBe(200);
    expect(
      (
        await call('POST', '/auth/password', {
          token: here,
          body: { current_password: person.password, password: 'luna y mar' },
        })
      ).status,
    ).toBe(200);
    expect((await call('GET', '/auth/me', { token: here })).status).toBe(200);
    expect((await call('GET', '/auth/me', { token: there })).status).toBe(401);
    expect(await signIn({ ...person, password: 'luna y mar' })).not.toBe('');
  });
});

test('returns 404 for a user of another clinic', async () => {
  const clinicId = await server.addClinic();
  const stranger = await addUser(server.database, { clinicId, role: 'counter', at: Date.now() });
  expect((await call('PUT', `/users/${stranger.id}`, { body: { name: 'Somebody' } })).status).toBe(404);
  expect((await call('DELETE', `/users/${stranger.id}`)).status).toBe(404);
});

test('records every change of a user in the audit log', async () => {
  const { id } = await make();
  await call('PUT', `/users/${id}`, { body: { password: 'luna y mar', role: 'manager' } });
  await call('DELETE', `/users/${id}`);
  const rows = await server.database
    .select()
    .from(auditLog)
    .where(eq(auditLog.subject, `user:${id}`));
  expect(rows.map(({ action }) => action)).toEqual(['staff.created', 'staff.changed', 'staff.removed']);
  expect(rows[1]!.details).toEqual({ role: 'manager', status: 'active', password: 'changed' });
  expect(rows.every(({ userId }) => userId === ownAdmin.id)).toBe(true);
});
