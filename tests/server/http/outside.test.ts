/** Who waits for somebody outside makes nobody wait, and keeps nothing that others need. */
import { afterEach, expect, test } from 'vitest';
import { EmailJob } from '#server/modules/notifications/email-job.ts';
import { recordStart } from '#server/modules/notifications/system-events.ts';
import type { Fetched } from '#server/modules/uploads/fetch-picture.ts';
import { eventually } from '#tests/support/eventually.ts';
import { muteMailServer } from '#tests/support/mute-mail-server.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Keeps a clinic's back office, and calls it as one person. */
async function office(options: Parameters<typeof startTestServer>[0]) {
  const server = await startTestServer(options);
  closing.push(() => server.close());
  const headers = { authorization: `Bearer ${await server.login('admin')}` };
  const call = (method: 'POST' | 'PUT', url: string, payload?: object) =>
    server.app.inject({ method, url: `/api${url}`, headers, ...(payload && { payload }) });
  return { server, call };
}

test('pictures of a host that keeps silent hold up no write, and few are fetched at once', async () => {
  const hosts: ((fetched: Fetched) => void)[] = [];
  const { call } = await office({ fetchPicture: () => new Promise((resolve) => hosts.push(resolve)) });
  const category = (name: number, image_url: string) => call('POST', '/categories', { name: `No. ${name}`, image_url });
  const silent = [1, 2, 3, 4, 5].map((name) => category(name, 'https://silent.test/tooth.png'));
  await eventually(() => expect(hosts).toHaveLength(2));
  expect((await category(6, '')).statusCode).toBe(201);
  expect(hosts).toHaveLength(2);
  // More than a clinic may have waiting are turned away at once.
  const flood = await Promise.all([7, 8, 9, 10].map((name) => within(category(name, 'https://silent.test/more.png'))));
  expect(flood.filter((status) => status === 429).length).toBeGreaterThan(0);
  const answered = Promise.all(silent);
  for (let host = 0; host < 12; host += 1) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    hosts.splice(0).forEach((answer) => answer({ ok: false, fault: 'pictureUnreachable' }));
  }
  expect((await answered).map(({ statusCode }) => statusCode)).toEqual([400, 400, 400, 400, 400]);
});

/** Returns the status of an answer that comes at once, otherwise null. */
const within = (reply: Promise<{ statusCode: number }>): Promise<number | null> =>
  Promise.race([
    reply.then(({ statusCode }) => statusCode),
    new Promise<null>((resolve) => setTimeout(() => resolve(null), 200)),
  ]);

test('test mails to a mail server that keeps silent hold up no write', async () => {
  const mail = await muteMailServer();
  closing.push(mail.close);
  const { call } = await office({ environment: { SMTP_URL: mail.url, SMTP_FROM: 'reports@clinic.test' } });
  await call('PUT', '/settings', { notification_email: 'jefa@clinic.test' });
  const tests = [1, 2, 3, 4].map(() => call('POST', '/settings/test-mail'));
  await eventually(() => expect(mail.sockets).toHaveLength(2));
  expect((await call('POST', '/categories', { name: 'Hygiene' })).statusCode).toBe(201);
  expect(mail.sockets).toHaveLength(2);
  const answered = Promise.all(tests);
  let isOver = false;
  void answered.then(() => (isOver = true));
  while (!isOver) {
    mail.hangUp();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  expect((await answered).map(({ statusCode }) => statusCode)).toEqual([502, 502, 502, 502]);
});

/** An open transaction that has written or locked a row keeps the cursor of every tablet back. */
const holders = async ({ database }: TestServer): Promise<number> =>
  (
    await database.$client.query(
      'select from pg_stat_activity where datname = current_database() and backend_xid is not null',
    )
  ).rowCount!;

test('what tablets pull does not wait for an email about the system', async () => {
  const nowMs = Date.parse('2026-03-30T15:30:00Z');
  const { server, call } = await office({ now: () => nowMs });
  await call('PUT', '/settings', { notification_email: 'jefa@clinic.test', system_updates: true });
  const pool = server.database.$client;
  for (const version of ['1.0.0', '1.1.0'])
    await recordStart(pool, { version, migrations: { before: 20, applied: 20 }, atMs: nowMs });
  const seen: number[] = [];
  const mailer = { send: async () => void seen.push(await holders(server)) };
  const faults: unknown[] = [];
  const look = () =>
    new EmailJob({ database: server.database, clock: () => nowMs, mailer }, (fault) => faults.push(fault)).look();
  await Promise.all([look(), look()]);
  await look();
  expect([seen, faults]).toEqual([[0], []]);
});
