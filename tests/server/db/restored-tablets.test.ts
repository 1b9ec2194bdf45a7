/** A restore leaves tablets that it does not know. They come back under the id that they have, and nobody else gets it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BatchReply, DeviceRequest } from '#domain/protocol/sync.ts';
import { restoreBackup } from '#server/db/backup/restore.ts';
import { takeBackup } from '#server/db/backup/take.ts';
import { onConnection } from '#server/db/pool.ts';
import { freshDatabase } from '#tests/support/database.ts';
import { TestDevice } from '#tests/support/device.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

let server: TestServer;
let folder: string;
let backup: { file: string; passphrase: null };
let other: number;
beforeEach(async () => {
  server = await startTestServer();
  folder = await mkdtemp(path.join(tmpdir(), 'dental-counter-tablets-'));
  backup = { file: path.join(folder, 'backup'), passphrase: null };
  other = await server.addClinic();
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const back = () => takeBackup(server.connectionString, { ...backup, nowMs: Date.now() });
const restore = () => restoreBackup(server.connectionString, backup);

const introduce = (token: string, payload: DeviceRequest) =>
  server.app.inject({ method: 'POST', url: '/api/devices', headers: { authorization: `Bearer ${token}` }, payload });
const ofClinic = (clinicId: number) => server.login('counter', { clinicId });

/** Somebody signs in at a tablet, which then sends a sale. Returns the status of each step. */
async function sellsAgain(tablet: TestDevice, sale = tablet.create()): Promise<unknown> {
  const token = await ofClinic(server.clinicId);
  const { device_id, device_key } = tablet.info;
  const known = await introduce(token, { device_id, device_key });
  const sent = await server.app.inject({
    method: 'POST',
    url: '/api/sync/batch',
    headers: { authorization: `Bearer ${token}` },
    payload: { operations: tablet.signed([sale]) },
  });
  return [known.statusCode, known.json().data?.device_id, sent.json<BatchReply>().data.results[0]?.status];
}

test('gives no id and no code again after a second restore of the same backup', async () => {
  await back();
  await restore();
  const tablets = [await TestDevice.enrol(server), await TestDevice.enrol(server)];
  const numbered = tablets.map(({ info }) => [info.device_id, info.code]);
  await restore();
  const newcomer = (await introduce(await ofClinic(server.clinicId), {})).json().data;
  const strangers = [
    await TestDevice.enrol(server, 'manager', other),
    await TestDevice.enrol(server, 'manager', other),
  ];
  for (const [id, code] of numbered) {
    expect([newcomer, ...strangers.map(({ info }) => info)].map(({ device_id }) => device_id)).not.toContain(id);
    expect(newcomer.code).not.toBe(code);
  }
  for (const tablet of tablets) expect(await sellsAgain(tablet)).toEqual([200, tablet.info.device_id, 'applied']);
});

test('leaves room above the ids that had been granted when the backup was taken, in a cluster that knows nothing of them', async () => {
  const granted = 4_000_000;
  await server.database.$client.query(`select setval(pg_get_serial_sequence('devices', 'id'), $1)`, [granted]);
  await back();
  const spare = await freshDatabase();
  try {
    await restoreBackup(spare.connectionString, backup);
    const { rows } = await onConnection(spare.connectionString, (sql) =>
      sql.query(`select nextval(pg_get_serial_sequence('devices', 'id'))::int as id`),
    );
    expect(rows[0].id).toBeGreaterThan(granted + 1000);
  } finally {
    await spare.drop();
  }
});

/** A tablet that the restored data lack. */
async function forgottenTablet(): Promise<TestDevice> {
  await back();
  const tablet = await TestDevice.enrol(server);
  await restore();
  return tablet;
}

const refusal = async (clinicId: number, payload: DeviceRequest) => {
  const reply = await introduce(await ofClinic(clinicId), payload);
  return [reply.statusCode, reply.json().code];
};

test('leaves a tablet to its clinic: another gets it by no key, and its sales still arrive', async () => {
  const tablet = await forgottenTablet();
  const { device_id, device_key } = tablet.info;
  const theirs = (await TestDevice.enrol(server, 'counter', other)).info.device_key!;
  for (const key of [device_key!, theirs, 'invented', '', 'A'.repeat(86), 'A'.repeat(200)])
    expect(await refusal(other, { device_id, device_key: key })).toEqual([403, 'DEVICE_UNKNOWN']);
  expect(await sellsAgain(tablet)).toEqual([200, device_id, 'applied']);
});

test('leaves a tablet to its key: the clinic’s own people get it by no invented one, nor by that of another tablet', async () => {
  const tablet = await forgottenTablet();
  const { device_id, device_key } = tablet.info;
  const spare = (await TestDevice.enrol(server)).info.device_key!;
  const [own, others] = [device_key!, spare].map((key) => Buffer.from(key, 'base64url'));
  const halves = Buffer.concat([others!.subarray(0, 32), own!.subarray(32)]).toString('base64url');
  for (const key of [spare, halves, 'invented', '', `${device_key!}A`, ` ${device_key!}`])
    expect(await refusal(server.clinicId, { device_id, device_key: key })).toEqual([403, 'DEVICE_UNKNOWN']);
  expect(await refusal(server.clinicId, { device_id })).toEqual([403, 'DEVICE_UNKNOWN']);
  expect(await sellsAgain(tablet)).toEqual([200, device_id, 'applied']);
});

test('takes back no more tablets within an hour than a clinic may enrol', async () => {
  const tablet = await forgottenTablet();
  const { device_id, device_key } = tablet.info;
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  await server.database.$client.query(
    `insert into devices (clinic_id, key_hash, code, created_at) select $1, 'x', 'X' || n, $2 from generate_series(1, 300) n`,
    [server.clinicId, minutesAgo(1)],
  );
  expect(await refusal(server.clinicId, { device_id, device_key })).toEqual([429, 'DEVICE_LIMIT']);
  await server.database.$client.query('update devices set created_at = $1', [minutesAgo(61)]);
  expect(await sellsAgain(tablet)).toEqual([200, device_id, 'applied']);
});
