/** A restore brings back the clinic's data, not who may enter: the backup is older than what was decided since. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BatchReply } from '#domain/protocol/sync.ts';
import { restoreBackup } from '#server/db/backup/restore.ts';
import { takeBackup } from '#server/db/backup/take.ts';
import { freshDatabase } from '#tests/support/database.ts';
import { TestDevice } from '#tests/support/device.ts';
import { addUser, startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

const old = 'the old password';
const changed = 'another long password';

let server: TestServer;
let folder: string;
let backup: { file: string; passphrase: null };
let manager: TestDevice;
beforeEach(async () => {
  server = await startTestServer();
  folder = await mkdtemp(path.join(tmpdir(), 'dental-counter-access-'));
  backup = { file: path.join(folder, 'backup'), passphrase: null };
  manager = await TestDevice.enrol(server, 'admin');
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const back = () => takeBackup(server.connectionString, { ...backup, nowMs: Date.now() });
const restore = () => restoreBackup(server.connectionString, backup);

const person = (email: string) => addUser(server.database, { ...worker, email });
const worker = { clinicId: 1, role: 'counter', at: Date.parse('2026-01-05T08:00:00Z'), password: old } as const;

async function call(method: 'POST' | 'PUT' | 'DELETE', url: string, payload?: object): Promise<void> {
  const { headers } = manager;
  const reply = await server.app.inject({ method, url: `/api${url}`, headers, ...(payload && { payload }) });
  expect([url, reply.statusCode < 300, reply.body]).toMatchObject([url, true, expect.any(String)]);
}

const signIn = async (email: string, password: string) =>
  server.app.inject({ method: 'POST', url: '/api/users/login', payload: { email, password } });
const canSignIn = async (email: string, password: string) => (await signIn(email, password)).statusCode === 200;

const draft = (email: string) => ({ name: 'Ana', email, role: 'counter', status: 'active' });

test('ends every session, those of the backup too', async () => {
  await back();
  const later = await TestDevice.enrol(server, 'counter');
  await restore();
  for (const { headers } of [manager, later]) {
    const reply = await server.app.inject({ url: '/api/auth/me', headers });
    expect([reply.statusCode, reply.json().code]).toEqual([401, 'SESSION_EXPIRED']);
  }
});

test('ends every passkey, also one that the backup has and that had ended since', async () => {
  await server.database.$client.query(
    `insert into passkeys (clinic_id, user_id, credential_id, public_key, origin, signatures, challenged_at)
     values ($1, $2, 'id', 'key', 'https://localhost', 0, $3)`,
    [server.clinicId, manager.userId, new Date(worker.at)],
  );
  await back();
  await server.database.$client.query('delete from passkeys');
  await restore();
  const { rows } = await server.database.$client.query('select 1 from passkeys');
  expect(rows).toEqual([]);
});

test('keeps a new password, and the old one opens nothing', async () => {
  const { id, email } = await person('ana@clinic.test');
  await back();
  await call('PUT', `/users/${id}`, { ...draft(email), password: changed });
  await restore();
  expect([await canSignIn(email, old), await canSignIn(email, changed)]).toEqual([false, true]);
});

test('keeps people deactivated, removed and in their role', async () => {
  const [left, gone, lowered] = [await person('left@x.test'), await person('gone@x.test'), await person('low@x.test')];
  await back();
  await call('PUT', `/users/${left.id}`, { ...draft(left.email), status: 'inactive' });
  await call('DELETE', `/users/${gone.id}`);
  await call('PUT', `/users/${lowered.id}`, { ...draft(lowered.email), role: 'kitchen' });
  await restore();
  expect(await canSignIn(left.email, old)).toBe(false);
  expect(await canSignIn(gone.email, old)).toBe(false);
  const { accessToken } = (await signIn(lowered.email, old)).json<{ data: { accessToken: string } }>().data;
  const me = await server.app.inject({ url: '/api/auth/me', headers: { authorization: `Bearer ${accessToken}` } });
  expect(me.json()).toMatchObject({ data: { role: 'kitchen' } });
});

test('keeps people who came since the backup, so that a clinic keeps an administrator', async () => {
  const first = await addUser(server.database, { ...worker, role: 'admin', email: 'first@x.test' });
  await back();
  const second = await addUser(server.database, { ...worker, role: 'admin', email: 'second@x.test' });
  await call('DELETE', `/users/${first.id}`);
  await restore();
  expect([await canSignIn(first.email, old), await canSignIn(second.email, old)]).toEqual([false, true]);
});

test.each([
  ['the backup has', true],
  ['enrolled since the backup', false],
])('keeps a tablet revoked that %s', async (_, isKnown) => {
  const made = isKnown ? await TestDevice.enrol(server, 'counter') : null;
  await back();
  const { info } = made ?? (await TestDevice.enrol(server, 'counter'));
  await call('POST', `/devices/${info.device_id}/revoke`, { reason: 'Stolen' });
  await restore();
  const token = await server.login('counter');
  const reply = await server.app.inject({
    method: 'POST',
    url: '/api/devices',
    headers: { authorization: `Bearer ${token}` },
    payload: { device_id: info.device_id, device_key: info.device_key },
  });
  expect([reply.statusCode, reply.json().code]).toEqual([403, 'DEVICE_UNKNOWN']);
});

test.each([
  ['the backup has', true],
  ['began since the backup', false],
])('keeps the actor key of a session ended that %s', async (_, isKnown) => {
  const spare = await TestDevice.enrol(server, 'counter');
  const made = isKnown ? await TestDevice.enrol(server, 'counter') : null;
  await back();
  const thief = made ?? (await TestDevice.enrol(server, 'counter'));
  await call('DELETE', `/sessions/${thief.info.session_id!}`);
  // Long enough ago that no slack covers what the thief signs now.
  await server.database.$client.query(`update sessions set key_ended_at = key_ended_at - interval '2 minutes'`);
  await restore();
  // Whoever signs in at the tablet sends what is queued there. One that the backup lacks is adopted (SYNC-16).
  const token = await server.login('counter');
  const introduced = await server.app.inject({
    method: 'POST',
    url: '/api/devices',
    headers: { authorization: `Bearer ${token}` },
    payload: { device_id: thief.info.device_id, device_key: thief.info.device_key },
  });
  expect(introduced.statusCode).toBe(200);
  const sale = thief.create();
  const reply = await server.app.inject({
    method: 'POST',
    url: '/api/sync/batch',
    headers: { authorization: `Bearer ${token}` },
    payload: { operations: [...thief.signed([sale]), ...spare.signed([spare.create()])] },
  });
  expect(reply.json<BatchReply>().data.results).toMatchObject([
    { status: 'refused', reply: { code: 'KEY_ENDED' } },
    { status: 'applied' },
  ]);
});

test('does not bring an old password back when the backup is newer than the data that it replaces', async () => {
  const { id, email } = await person('ana@clinic.test');
  const older = { ...backup, file: `${backup.file}-older` };
  await takeBackup(server.connectionString, { ...older, nowMs: Date.now() });
  await call('PUT', `/users/${id}`, { ...draft(email), password: changed });
  await back();
  const spare = await freshDatabase();
  const second = await startTestServer({ databaseUrl: spare.connectionString });
  try {
    await restoreBackup(spare.connectionString, older);
    await restoreBackup(spare.connectionString, backup);
    const payload = { email, password: changed };
    const reply = await second.app.inject({ method: 'POST', url: '/api/users/login', payload });
    expect(reply.statusCode).toBe(200);
  } finally {
    await second.close();
    await spare.drop();
  }
});

test('says when it replaces no data, so that nothing could be kept', async () => {
  await back();
  const empty = await freshDatabase();
  try {
    expect(await restoreBackup(empty.connectionString, backup)).toMatchObject({ isFirst: true });
  } finally {
    await empty.drop();
  }
});
