/** Simulates several processes on one database: each has its own app, memory and connections. */
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildApp } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import { openDatabase } from '#server/db/database.ts';
import type { Database } from '#server/db/database.ts';
import { sweepClinic } from '#server/modules/alerts/sweep.ts';
import { readDayFigures } from '#server/modules/reports/service.ts';
import { addUser, cheapPasswords, startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { line, TestDevice } from '#tests/support/device.ts';

const dayMs = 86_400_000;
let nowMs = Date.parse('2026-05-12T09:00:00Z');
const clock = () => nowMs;
let server: TestServer;
let databases: Database[];
let apps: FastifyInstance[];
let person: { id: number; email: string; password: string };

beforeAll(async () => {
  server = await startTestServer({ now: clock, environment: { SESSION_HOURS: '168' } });
  databases = [1, 2, 3].map(() => openDatabase(server.connectionString));
  const { secret } = server;
  const others = databases.map((database) =>
    buildApp({ database, config: readConfig({ DEMO: '0' }), clock, secret, passwords: cheapPasswords }),
  );
  apps = [server.app, ...(await Promise.all(others))];
});
beforeEach(async () => {
  nowMs += dayMs;
  person = await addUser(server.database, { clinicId: server.clinicId, role: 'counter', at: nowMs });
});
afterAll(async () => {
  for (const app of apps.slice(1)) await app.close();
  for (const database of databases) await database.$client.end();
  await server.close();
});

const inTurn = (index: number) => apps[index % apps.length]!;

describe('guesses of a password sent to several processes', () => {
  const signIn = async (app: FastifyInstance, password = 'guess', email = person.email, remoteAddress = '10.0.0.1') =>
    (await app.inject({ method: 'POST', url: '/api/users/login', remoteAddress, payload: { email, password } }))
      .statusCode;

  test('have five free failures in all processes together', async () => {
    const statuses: number[] = [];
    for (let guess = 0; guess < 8; guess++) statuses.push(await signIn(inTurn(guess)));
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
    for (const waitMs of [1000, 2000, 4000]) {
      nowMs += waitMs - 1;
      for (const app of apps) expect(await signIn(app)).toBe(429);
      nowMs += 1;
      expect(await signIn(inTurn(waitMs / 1000))).toBe(401);
    }
    nowMs += 8000;
    expect(await signIn(apps[2]!, person.password)).toBe(200);
    expect(await signIn(apps[3]!)).toBe(401);
  });

  test('have no more free failures when they arrive at the same time', async () => {
    const statuses = await Promise.all(Array.from({ length: 24 }, (_, guess) => signIn(inTurn(guess))));
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
  });

  test('are counted by address as well', async () => {
    for (let guess = 0; guess < 50; guess++)
      expect(await signIn(inTurn(guess), 'guess', `guess${guess}@clinic.test`, '10.6.6.6')).toBe(401);
    for (const app of apps) expect(await signIn(app, person.password, person.email, '10.6.6.6')).toBe(429);
    expect(await signIn(apps[1]!, person.password)).toBe(200);
  });

  test('do not delay a user who signs in at every process at the same moment', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 12 }, (_, index) => signIn(inTurn(index), person.password)),
    );
    expect(statuses).toEqual(Array.from({ length: 12 }, () => 200));
  });

  test('are stored without names and addresses, and deleted after a day', async () => {
    for (let guess = 0; guess < 30; guess++) await signIn(inTurn(guess), 'guess', `typed${guess}@clinic.test`);
    const counted = async () =>
      (await server.database.$client.query<{ who: string }>('select who from guesses')).rows.map(({ who }) => who);
    expect((await counted()).length).toBeGreaterThan(30);
    expect((await counted()).filter((who) => !/^[\w-]{43}$/.test(who))).toEqual([]);
    nowMs += dayMs;
    for (let guess = 0; guess < 30; guess++) await signIn(inTurn(guess), 'guess', person.email, `10.0.1.${guess}`);
    expect((await counted()).length).toBeLessThan(12);
  });

  test('are counted in the same way in an open session', async () => {
    const { email, password } = person;
    const signedIn = await inTurn(0).inject({ method: 'POST', url: '/api/users/login', payload: { email, password } });
    const token = signedIn.json<{
      data: { accessToken: string };
    }>().data.accessToken;
    const change = async (app: FastifyInstance) =>
      (
        await app.inject({
          method: 'POST',
          url: '/api/auth/password',
          headers: { authorization: `Bearer ${token}` },
          payload: { current_password: 'guess', password: 'the password after' },
        })
      ).statusCode;
    const statuses: number[] = [];
    for (let guess = 0; guess < 7; guess++) statuses.push(await change(inTurn(guess)));
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429, 429]);
  });
});

describe('work that arrives at several processes', () => {
  test('SYNC-4 takes effect once and gets the same reply from all when each receives the same batch at the same moment', async () => {
    const tablet = await TestDevice.enrol(server);
    const create = tablet.create([line()]);
    const payload = { operations: tablet.signed([create, tablet.pay(create, 60)]) };
    const send = (app: FastifyInstance) =>
      app.inject({ method: 'POST', url: '/api/sync/batch', headers: tablet.headers, payload });
    const replies = await Promise.all(apps.map(send));
    const results = replies.map(
      (reply) =>
        reply.json<{ data: { results: { status: string; replayed: boolean; reply: object }[] } }>().data.results,
    );
    expect(results.flat().map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 'applied'));
    expect(results.filter(([first]) => !first!.replayed)).toHaveLength(1);
    expect(new Set(results.map((one) => JSON.stringify(one.map(({ reply }) => reply)))).size).toBe(1);
    const { rows } = await server.database.$client.query('select 1 from payments where order_id = $1', [
      create.payload.order_id,
    ]);
    expect(rows).toHaveLength(1);
  });

  test('SYNC-4 takes effect once under one key over REST', async () => {
    const headers = { authorization: `Bearer ${await server.login('admin')}`, 'idempotency-key': 'one item' };
    const payload = { name: 'Gloves' };
    const replies = await Promise.all(
      apps.map((app) => app.inject({ method: 'POST', url: '/api/categories', headers, payload })),
    );
    expect(new Set(replies.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1);
    expect(replies[0]!.statusCode).toBe(201);
    expect(replies.filter((reply) => reply.headers['idempotency-replayed'] === 'true')).toHaveLength(3);
  });

  test('a session that one process opened or ended is open or ended in all', async () => {
    const headers = { authorization: `Bearer ${await server.login('manager')}` };
    const statuses = () =>
      Promise.all(apps.map(async (app) => (await app.inject({ url: '/api/auth/me', headers })).statusCode));
    expect(await statuses()).toEqual([200, 200, 200, 200]);
    await apps[3]!.inject({ method: 'POST', url: '/api/auth/logout', headers });
    expect(await statuses()).toEqual([401, 401, 401, 401]);
  });
});

describe('interval jobs in every process', () => {
  test('raise each alert once when all processes sweep at the same moment', async () => {
    const { rows } = await server.database.$client.query<{ id: number }>(
      `insert into stock_items (clinic_id, name, search_key, cost_minor, quantity_milli, low_stock_threshold_milli)
       select $1, 'Mask ' || n, 'mask ' || n, 100, 1000, 5000 from generate_series(1, 30) n returning id`,
      [server.clinicId],
    );
    await Promise.all(databases.map((database) => sweepClinic(database.$client, server.clinicId, nowMs)));
    const raised = await server.database.$client.query('select stock_id from stock_alerts where stock_id = any($1)', [
      rows.map(({ id }) => id),
    ]);
    expect(raised.rows).toHaveLength(30);
  });

  test('compute the same daily totals in all processes while a late sale arrives', async () => {
    const tablet = await TestDevice.enrol(server);
    const sell = async (app: FastifyInstance) => {
      const create = tablet.create([line()]);
      const reply = await app.inject({
        method: 'POST',
        url: '/api/sync/batch',
        headers: tablet.headers,
        payload: { operations: tablet.signed([create, tablet.pay(create, 60)]) },
      });
      expect(reply.statusCode).toBe(200);
    };
    for (let sale = 0; sale < 6; sale++) await sell(inTurn(sale));
    const day = new Date(nowMs).toISOString().slice(0, 10);
    const soldAt = nowMs;
    nowMs += 5 * dayMs;
    const read = async (database: Database) =>
      (
        await readDayFigures(database.$client, { clinicId: server.clinicId, atMs: nowMs }, { start: day, end: day })
      ).map(({ grossMinor }) => grossMinor);
    const before = await Promise.all(databases.map(read));
    expect(before).toEqual(databases.map(() => before[0]!));
    const late = tablet.create([line()]);
    const occurred_at = new Date(soldAt).toISOString();
    const operations = [
      { ...late, occurred_at },
      { ...tablet.pay(late, 60), occurred_at },
    ];
    const arriving = apps[1]!.inject({
      method: 'POST',
      url: '/api/sync/batch',
      headers: tablet.headers,
      payload: { operations: tablet.signed(operations) },
    });
    const [reply] = await Promise.all([arriving, ...databases.map(read), ...databases.map(read)]);
    expect(reply.json()).toMatchObject({ data: { results: [{ status: 'applied' }, { status: 'applied' }] } });
    const after = await Promise.all(databases.map(read));
    expect(after).toEqual(databases.map(() => [before[0]![0]! + 6000]));
  });
});
