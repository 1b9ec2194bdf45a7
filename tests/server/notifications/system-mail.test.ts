import { afterEach, beforeEach, expect, test } from 'vitest';
import { EmailJob } from '#server/modules/notifications/email-job.ts';
import { smtpMailer } from '#server/modules/notifications/mailer.ts';
import { recordBackupFault, recordStart } from '#server/modules/notifications/system-events.ts';
import { Mailbox } from '#tests/support/mailbox.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

const minuteMs = 60_000;
let nowMs: number;
let server: TestServer;
let box: Mailbox;
let faults: unknown[];

beforeEach(async () => {
  nowMs = Date.parse('2026-03-30T15:30:00Z');
  faults = [];
  server = await startTestServer({ now: () => nowMs });
  box = await Mailbox.open();
  await change({ practice_name: 'Clínica Ñandú', notification_email: 'jefa@clinic.test' });
});
afterEach(async () => {
  await box.close();
  await server.close();
});

const pool = () => server.database.$client;
const change = (settings: object) =>
  pool().query('update settings set data = data || $2::jsonb where clinic_id = $1', [
    server.clinicId,
    JSON.stringify(settings),
  ]);
const job = () =>
  new EmailJob(
    {
      database: server.database,
      clock: () => nowMs,
      mailer: smtpMailer({ url: box.url, from: 'Dental Counter <reports@clinic.test>' }),
    },
    (fault) => faults.push(fault),
  );
const start = (version: string, migrations = { before: 20, applied: 20 }) =>
  recordStart(pool(), { version, migrations, atMs: nowMs });
const subjects = () => box.messages.map(({ headers }) => headers['subject']);

test('a new version is told once, whatever the hour and the number of processes, and the first one is no news', async () => {
  await start('1.0.0');
  await job().look();
  expect(subjects()).toEqual([]);
  await Promise.all([start('1.1.0'), start('1.1.0')]);
  await Promise.all([job().look(), job().look()]);
  await start('1.1.0');
  await job().look();
  expect(faults).toEqual([]);
  expect(subjects()).toEqual(['Version 1.1.0 has started · Clínica Ñandú']);
  expect(box.messages[0]).toMatchObject({ to: ['jefa@clinic.test'], text: expect.stringContaining('30/03') });
});

test('a version and its migrations come in one mail, in the language of the clinic', async () => {
  await change({ default_language: 'sp' });
  await start('1.0.0', { before: 0, applied: 20 });
  await start('1.1.0', { before: 20, applied: 22 });
  await job().look();
  expect(subjects()).toEqual(['Novedades del sistema · Clínica Ñandú']);
  expect(box.messages[0]!.text).toContain('Se ha iniciado la versión 1.1.0');
  expect(box.messages[0]!.text).toContain('Se ha actualizado la base de datos (paso 22)');
});

test('a backup that fails all night is told once, and again the night after', async () => {
  for (const night of ['2026-03-29', '2026-03-29', '2026-03-30']) {
    await recordBackupFault(pool(), night, nowMs);
    await job().look();
  }
  expect(subjects()).toEqual([
    'The backup of 29 Mar 2026 failed · Clínica Ñandú',
    'The backup of 30 Mar 2026 failed · Clínica Ñandú',
  ]);
  expect(box.messages[0]!.text).toContain('The server tries again every ten minutes');
});

test('a mail server that refuses is tried again later, and what is three days old is no news', async () => {
  await recordBackupFault(pool(), '2026-03-29', nowMs);
  box.refusal = { responseCode: 451, message: 'later' };
  await job().look();
  await job().look();
  expect([box.attempts, faults.length]).toEqual([1, 1]);
  box.refusal = null;
  nowMs += minuteMs;
  await job().look();
  expect(subjects().length).toBe(1);
  await recordBackupFault(pool(), '2026-03-30', nowMs);
  nowMs += 73 * 60 * minuteMs;
  await job().look();
  expect(subjects().length).toBe(1);
});

test('nobody is told while system updates are switched off, nor without an address', async () => {
  await change({ system_updates: false });
  await recordBackupFault(pool(), '2026-03-29', nowMs);
  await job().look();
  await change({ system_updates: true, notification_email: '' });
  await job().look();
  expect(box.attempts).toBe(0);
  await change({ notification_email: 'jefa@clinic.test' });
  await job().look();
  expect(subjects().length).toBe(1);
});

test('every clinic is told by itself', async () => {
  const south = await server.addClinic();
  await recordBackupFault(pool(), '2026-03-29', nowMs);
  await pool().query(
    `update settings set data = data || '{"notification_email":"south@clinic.test"}' where clinic_id = $1`,
    [south],
  );
  await job().look();
  expect(new Set(box.messages.map(({ to }) => to[0]))).toEqual(new Set(['jefa@clinic.test', 'south@clinic.test']));
});
