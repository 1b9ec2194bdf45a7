import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { restoreBackup } from '#server/db/backup/restore.ts';
import { takeBackup } from '#server/db/backup/take.ts';
import { finishErasures } from '#server/modules/patients/sweep.ts';
import { TestDevice } from '#tests/support/device.ts';
import { newId } from '#tests/support/unique.ts';
import { startTestServer } from '#tests/support/server.ts';

test('a restored backup loses the patients again that were erased after it', async () => {
  const server = await startTestServer();
  const folder = await mkdtemp(path.join(tmpdir(), 'dental-counter-erasure-'));
  try {
    const manager = await TestDevice.enrol(server, 'manager');
    const pool = server.database.$client;
    const ids = [newId(), newId()];
    const call = (url: string, payload: object) =>
      server.app.inject({ method: 'POST', url: `/api/patients${url}`, headers: manager.headers, payload });
    const names = async () =>
      (await pool.query<{ name: string }>('select name from patients order by name')).rows.map(({ name }) => name);
    for (const id of ids) await call('', { id, name: `Zenobia ${id}` });
    const backup = { file: path.join(folder, 'backup'), passphrase: null };
    await takeBackup(server.connectionString, { ...backup, nowMs: Date.now() });
    const erased = await call(`/${ids[0]}/erase`, { reason: 'By letter', confirm: true });
    expect(erased.statusCode).toBe(200);
    await restoreBackup(server.connectionString, backup);
    expect(await names()).toEqual(ids.map((id) => `Zenobia ${id}`).sort());
    expect(await finishErasures(pool, Date.now())).toBe(1);
    expect(await names()).toEqual(['', `Zenobia ${ids[1]}`]);
  } finally {
    await server.close();
    await rm(folder, { recursive: true });
  }
});

test('a restored backup has the patients again whose retention period a clock has ended', async () => {
  const server = await startTestServer();
  const folder = await mkdtemp(path.join(tmpdir(), 'dental-counter-erasure-'));
  try {
    const manager = await TestDevice.enrol(server, 'manager');
    const pool = server.database.$client;
    const id = newId();
    const payload = { id, name: 'Zenobia' };
    await server.app.inject({ method: 'POST', url: '/api/patients', headers: manager.headers, payload });
    const backup = { file: path.join(folder, 'backup'), passphrase: null };
    await takeBackup(server.connectionString, { ...backup, nowMs: Date.now() });
    await pool.query('insert into patient_erasures (clinic_id, patient_id, erased_at) values ($1, $2, $3)', [
      server.clinicId,
      id,
      new Date(Date.now() + 365 * 86_400_000),
    ]);
    expect(await finishErasures(pool, Date.now())).toBe(1);
    await restoreBackup(server.connectionString, backup);
    expect(await finishErasures(pool, Date.now())).toBe(0);
    expect((await pool.query('select name from patients')).rows).toEqual([{ name: 'Zenobia' }]);
  } finally {
    await server.close();
    await rm(folder, { recursive: true });
  }
});
