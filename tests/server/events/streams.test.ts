import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildApp } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import { openDatabase } from '#server/db/database.ts';
import type { Database } from '#server/db/database.ts';
import { OpenStreams, streamsPerClinic, streamsPerPerson, streamsPerSession } from '#server/events/streams.ts';
import { addUser, cheapPasswords, startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { slowness } from '#tests/support/quiet-time.ts';

let nowMs = Date.now();
const clock = () => nowMs;
let server: TestServer;
/** Another process on the same database. */
let other: { app: FastifyInstance; database: Database };
let url: string;
beforeAll(async () => {
  server = await startTestServer({ now: clock });
  const database = openDatabase(server.connectionString);
  const { secret } = server;
  const ports = { database, config: readConfig({ DEMO: '0' }), clock, secret, passwords: cheapPasswords };
  other = { app: await buildApp(ports), database };
  url = await server.app.listen({ port: 0 });
});
afterAll(async () => {
  await other.app.close();
  await other.database.$client.end();
  server.app.server.closeAllConnections();
  await server.close();
});

interface Listening {
  status: number;
  isOver: () => boolean;
  leave: () => void;
}

async function listen(token: string): Promise<Listening> {
  const leaving = new AbortController();
  const reply = await fetch(`${url}/api/sync/events`, {
    headers: { authorization: `Bearer ${token}` },
    signal: leaving.signal,
  });
  let isOver = false;
  void reply.text().then(
    () => (isOver = true),
    () => undefined,
  );
  return { status: reply.status, isOver: () => isOver, leave: () => leaving.abort() };
}

interface Person {
  id: number;
  email: string;
  password: string;
  token: string;
}

async function person(): Promise<Person> {
  const user = await addUser(server.database, { clinicId: server.clinicId, role: 'counter', at: nowMs });
  return { ...user, token: await signIn(user) };
}

async function signIn({ email, password }: { email: string; password: string }): Promise<string> {
  const reply = await other.app.inject({ method: 'POST', url: '/api/users/login', payload: { email, password } });
  return reply.json<{ data: { accessToken: string } }>().data.accessToken;
}

/** Calls the other process. */
async function call(
  token: string,
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  payload?: object,
): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const reply = await other.app.inject({ method, url: `/api${path}`, headers, ...(payload && { payload }) });
  expect(reply.statusCode, reply.body).toBe(200);
}

test('a session has a bounded number of streams, and one that ends makes room', async () => {
  const [one, another] = [await person(), await person()];
  const streams = await Promise.all(Array.from({ length: streamsPerSession }, () => listen(one.token)));
  expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200));
  expect((await listen(one.token)).status).toBe(429);
  const others = await listen(another.token);
  expect(others.status).toBe(200);
  streams[0]!.leave();
  await expect.poll(async () => (await listen(one.token)).status).toBe(200);
  for (const { leave } of [...streams, others]) leave();
});

test('a clinic has a bounded number of streams, which leaves the room of another alone', () => {
  const streams = new OpenStreams();
  const open = (clinicId: number, jti: string, userId: number) => {
    const stream = { clinicId, userId, jti, end: () => streams.remove(stream) };
    const hasRoom = streams.hasRoomFor(stream);
    if (hasRoom) streams.add(stream);
    return hasRoom;
  };
  const opened = Array.from({ length: 1000 }, (_, index) => open(1, `session ${index}`, index % 20)).filter(Boolean);
  expect(opened).toHaveLength(streamsPerClinic);
  expect(open(2, 'a', 1)).toBe(true);
  streams.endSession({ clinicId: 1, jti: 'session 7' });
  expect(open(1, 'b', 1)).toBe(true);
  // In however many sessions, one person leaves the others their room.
  const own = Array.from({ length: 500 }, (_, index) => open(3, `session ${index}`, 7)).filter(Boolean);
  expect(own).toHaveLength(streamsPerPerson);
  expect(open(3, 'another', 8)).toBe(true);
  streams.endAll();
  expect(streams.size).toBe(0);
  expect(streams.list()).toEqual([]);
});

test.each<[string, (of: Person) => Promise<void>]>([
  ['the person signs out', ({ token }) => call(token, 'POST', '/auth/logout')],
  [
    'a manager deactivates the person',
    async ({ id }) => call(await server.login('manager'), 'PUT', `/users/${id}`, { status: 'inactive' }),
  ],
  [
    'a manager sets a new password',
    async ({ id }) => call(await server.login('manager'), 'PUT', `/users/${id}`, { password: 'another long password' }),
  ],
  ['a manager removes the person', async ({ id }) => call(await server.login('manager'), 'DELETE', `/users/${id}`)],
  [
    'the person changes the password elsewhere',
    async (of) =>
      call(await signIn(of), 'POST', '/auth/password', {
        current_password: of.password,
        password: 'another long password',
      }),
  ],
])('a stream ends within a second in every process when %s', async (_, end) => {
  const [one, bystander] = [await person(), await person()];
  const streams = await Promise.all([one, one, bystander].map(({ token }) => listen(token)));
  await end(one);
  await expect
    .poll(() => streams.map(({ isOver }) => isOver()), { timeout: 1000 * slowness() })
    .toEqual([true, true, false]);
  for (const { leave } of streams) leave();
});

test('a stream ends when its session expires', async () => {
  const one = await person();
  nowMs += 8 * 3_600_000 - 3000;
  const stream = await listen(one.token);
  expect(stream.status).toBe(200);
  await sleep(100);
  expect(stream.isOver()).toBe(false);
  await expect.poll(stream.isOver).toBe(true);
});

test('a stream ends although the message of its end was lost', async () => {
  const one = await person();
  const stream = await listen(one.token);
  const { $client: pool } = server.database;
  await pool.query('alter table sessions disable trigger session_ends');
  await pool.query('update sessions set ended_at = $2 where user_id = $1', [one.id, new Date()]);
  await pool.query('alter table sessions enable trigger session_ends');
  await sleep(100);
  expect(stream.isOver()).toBe(false);
  // The process looks for ended sessions when it listens again.
  await pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen %'`,
  );
  await expect.poll(stream.isOver).toBe(true);
});
