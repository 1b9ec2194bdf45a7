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
