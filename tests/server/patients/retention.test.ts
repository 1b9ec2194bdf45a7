/** Retention runs on no single clock, and a manager hears of it two days before. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eraseOutlived, noticeMs } from '#server/modules/patients/sweep.ts';
import { TestDevice } from '#tests/support/device.ts';
import { newId } from '#tests/support/unique.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const yearMs = 365 * dayMs;
/** Two o'clock at night in Madrid. */
const night = Date.parse('2026-06-10T00:00:00Z');

let nowMs: number;
let server: TestServer;
let admin: TestDevice;

beforeEach(async () => {
  nowMs = night - 5 * hourMs;
  server = await startTestServer({ now: () => nowMs });
  admin = await TestDevice.enrol(server, 'admin');
  expect((await call('PUT', '/settings', { patient_retention_years: 6 })).statusCode).toBe(200);
  await workAt(night - 2 * dayMs);
});
afterEach(() => server.close());

const call = (method: 'GET' | 'POST' | 'PUT', url: string, payload: object = {}) =>
  server.app.inject({ method, url: `/api${url}`, headers: admin.headers, payload });
const query = async <Row extends object>(sql: string, values: unknown[] = []) =>
  (await server.database.$client.query<Row>(sql, values)).rows;

/** A patient of whom nothing was written down for so many years. */
async function patientOf(years: number, name = 'Zenobia'): Promise<string> {
  const id = newId();
  await call('POST', '/patients', { id, name });
  const at = new Date(night - years * yearMs - dayMs);
  await query(
    'update patients set name_at = $2, phone_at = $2, email_at = to_timestamp(0), notes_at = to_timestamp(0) where id = $1',
    [id, at],
  );
  return id;
}
/** The server's clock and PostgreSQL's say the same, unless the latter is given. */
const runAt = (atMs: number, databaseMs = atMs) =>
  eraseOutlived(server.database.$client, { nowMs: atMs, databaseNow: async () => databaseMs });
/** The clinic works on a day: something is stored. */
const workAt = (atMs: number) =>
  query(`insert into audit_log (clinic_id, at, action) values ($1, $2, 'sign_in')`, [server.clinicId, new Date(atMs)]);
const namesLeft = async () =>
  (await query<{ name: string }>(`select name from patients where name <> '' order by name`)).map(({ name }) => name);
const items = () =>
  query<{ details: object; open: boolean }>(
    `select details, settled_at is null as open from attention_items where kind = 'retention_ends' order by id`,
  );

test('a manager hears of it first, and two days later the patients are erased', async () => {
  await patientOf(7);
  await patientOf(1, 'Quintana');
  expect(await runAt(night)).toBe(0);
  expect(await items()).toEqual([{ details: { count: 1, day: '2026-06-12' }, open: true }]);
  await workAt(night + noticeMs - dayMs / 2);
  expect(await runAt(night + noticeMs - 1)).toBe(0);
  expect(await runAt(night + noticeMs)).toBe(1);
  expect(await namesLeft()).toEqual(['Quintana']);
  expect(await items()).toMatchObject([{ open: false }]);
});

test('a server whose clock is ahead for a minute erases nobody and says nothing, also when the clocks are right again', async () => {
  await patientOf(5.5);
  // Another machine has the database.
  expect(await runAt(night + yearMs, night)).toBe(0);
  // The same machine: both clocks are ahead, and the clinic has stored nothing on the days before.
  expect(await runAt(night + yearMs)).toBe(0);
  expect([await items(), await query('select from retention_notices')]).toEqual([[], []]);
  // Somebody has worked in that minute.
  await workAt(night + yearMs - 1000);
  expect(await runAt(night + yearMs)).toBe(0);
  expect([await items(), await query('select from retention_notices')]).toEqual([[], []]);
  await workAt(night + dayMs - hourMs);
  expect(await runAt(night + dayMs)).toBe(0);
  await workAt(night + 4 * dayMs - hourMs);
  expect(await runAt(night + 4 * dayMs)).toBe(0);
  expect(await namesLeft()).toEqual(['Zenobia']);
});

test('a clinic that was closed for months waits a day longer, because its clock may be the wrong one', async () => {
  await patientOf(7);
  const reopened = night + 100 * dayMs;
  await workAt(reopened - hourMs);
  await runAt(reopened);
  expect(await items()).toEqual([]);
  await workAt(reopened + dayMs - hourMs);
  await runAt(reopened + dayMs);
  expect(await items()).toMatchObject([{ open: true }]);
});

test('a notice of a time to come counts from now on', async () => {
  const id = await patientOf(7);
  await query('insert into retention_notices values ($1, $2, $3)', [server.clinicId, id, new Date(night + yearMs)]);
  expect(await runAt(night)).toBe(0);
  await workAt(night + noticeMs - hourMs);
  expect(await runAt(night + noticeMs)).toBe(1);
});

test('whoever comes back in the two days, or for whom the years are raised, is kept', async () => {
  const back = await patientOf(7);
  await patientOf(8, 'Quintana');
  expect(await runAt(night)).toBe(0);
  nowMs = night + dayMs;
  admin = await TestDevice.enrol(server, 'admin');
  expect((await call('PUT', `/patients/${back}`, { name: 'Zenobia', phone: '600 100 200' })).statusCode).toBe(200);
  expect(await runAt(nowMs)).toBe(0);
  expect((await call('PUT', '/settings', { patient_retention_years: 10 })).statusCode).toBe(200);
  nowMs = night + noticeMs;
  await workAt(nowMs);
  expect(await runAt(nowMs)).toBe(0);
  expect(await namesLeft()).toEqual(['Quintana', 'Zenobia']);
  expect(await items()).toMatchObject([{ open: false }]);
});

test('a notice that a manager has settled does not come again, until there are others', async () => {
  await patientOf(7);
  await runAt(night);
  await query(`update attention_items set settled_at = $1`, [new Date(night)]);
  await runAt(night + hourMs);
  expect(await items()).toHaveLength(1);
  await patientOf(8, 'Quintana');
  await runAt(night + 2 * hourMs);
  expect(await items()).toMatchObject([{ open: false }, { details: { count: 2, day: '2026-06-12' }, open: true }]);
});
