import { readFile } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { sql } from 'drizzle-orm';
import Fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildApp } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import { openDatabase } from '#server/db/database.ts';
import type { Database } from '#server/db/database.ts';
import { handleError } from '#server/http/errors.ts';
import { logOptions } from '#server/http/log.ts';
import { freshDatabase } from '#tests/support/database.ts';
import type { FreshDatabase } from '#tests/support/database.ts';
import { cheapPasswords } from '#tests/support/server.ts';

let fresh: FreshDatabase;
let database: Database;

beforeAll(async () => {
  fresh = await freshDatabase();
  database = openDatabase(fresh.connectionString);
});
afterAll(async () => {
  await database.$client.end();
  await fresh.drop();
});

function capture(): { stream: Writable; lines: () => Record<string, unknown>[]; text: () => string } {
  let log = '';
  const stream = new Writable({ write: (chunk: Buffer, _encoding, done) => ((log += chunk.toString()), done()) });
  const lines = () =>
    log
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  return { stream, lines, text: () => log };
}

test('logs SQLSTATE and table of a database error, but no tokens and no user input', async () => {
  const { stream, text } = capture();
  const app = Fastify({ logger: { ...logOptions, stream } });
  app.setErrorHandler(handleError);
  app.post('/orders', () =>
    database.execute(sql`insert into audit_log (clinic_id, action) values (null, ${'Marta Gil, left molar'})`),
  );
  await app.inject({
    method: 'POST',
    url: '/orders?search=Marta',
    headers: { authorization: 'Bearer abc.def.ghi' },
    payload: { notes: 'left molar' },
  });
  expect(text()).toContain('"sqlState":"23502"');
  expect(text()).toContain('audit_log');
  expect(text()).toContain(' at ');
  for (const secret of ['Marta', 'molar', 'abc.def']) expect(text()).not.toContain(secret);
  await app.close();
});

test('calls an error of something else by its name, whatever code it has', async () => {
  const { stream, lines } = capture();
  const app = Fastify({ logger: { ...logOptions, stream } });
  app.setErrorHandler(handleError);
  app.get('/file', () => readFile('/nothing/here'));
  await app.inject('/file');
  const [{ err }] = lines() as [{ err: object }];
  expect(err).toMatchObject({ type: 'Error', message: "ENOENT: no such file or directory, open '/nothing/here'" });
  expect(err).not.toHaveProperty('sqlState');
  await app.close();
});

test('logs the request id in each JSON line, and sends it with the reply', async () => {
  const { stream, lines, text } = capture();
  const app = await buildApp({
    database,
    config: readConfig({ DEMO: '0' }),
    clock: Date.now,
    secret: new Uint8Array(32),
    passwords: cheapPasswords,
    logger: { ...logOptions, level: 'info', stream },
  });
  // A failed request logs the error and the usual request line.
  app.get('/fault', () => database.execute(sql`select 1 from ${sql.identifier('Marta')}`));
  const ask = async (url: string, id?: string) => {
    const { headers } = await app.inject({
      url,
      headers: { authorization: 'Bearer abc.def.ghi', ...(id && { 'x-request-id': id }) },
    });
    return headers['x-request-id'] as string;
  };

  expect(await ask('/fault?search=Marta', 'proxy-1.a')).toBe('proxy-1.a');
  expect(await ask('/api/orders?search=Marta', 'proxy-2')).toBe('proxy-2');
  const own = await ask('/Marta', 'Marta Gil, left molar');
  const long = await ask('/api/health', 'x'.repeat(65));
  for (const made of [own, long]) expect(made).toMatch(/^[\da-f]{8}-[\da-f-]{27}$/);
  expect(await ask('/%E0%A4%A', 'proxy-3')).toBe('proxy-3');

  const ofRequests = lines().filter(({ reqId }) => reqId !== undefined);
  expect(ofRequests.filter(({ reqId }) => reqId === 'proxy-1.a').map(({ msg }) => msg)).toEqual([
    'request failed',
    'request',
  ]);
  expect(ofRequests.find(({ reqId, msg }) => reqId === 'proxy-2' && msg === 'request')).toMatchObject({
    route: '/api/orders',
    method: 'GET',
    status: 401,
  });
  expect(ofRequests.filter(({ reqId }) => reqId === own)).toHaveLength(1);
  expect(lines().every(({ reqId, msg }) => reqId !== undefined || String(msg).startsWith('Server listening'))).toBe(
    true,
  );
  for (const secret of ['Marta Gil', 'molar', 'search=', 'abc.def']) expect(text()).not.toContain(secret);
  await app.close();
});
