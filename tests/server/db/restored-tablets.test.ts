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
