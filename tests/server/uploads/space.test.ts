import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dayMs } from '#domain/durations.ts';
import { palette } from '#domain/stock/palette.ts';
import { drawingNames } from '#domain/stock/pictures.ts';
import { line, TestDevice } from '#tests/support/device.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

let server: TestServer;
let manager: TestDevice;
let colleague: TestDevice;
let nowMs = Date.parse('2027-03-01T09:00:00Z');
let freeBytes: number | null;
beforeAll(async () => {
  server = await startTestServer({
    now: () => nowMs,
    environment: { CLINIC_STORAGE_MB: '300', KEEP_FREE_MB: '100', SESSION_HOURS: '48' },
    freeSpace: async () => freeBytes,
  });
  manager = await TestDevice.enrol(server, 'manager');
  colleague = await TestDevice.enrol(server, 'manager');
});
afterAll(() => server.close());
beforeEach(async () => {
  freeBytes = 1e12;
  await server.database.$client.query('delete from uploads');
});

const call = (method: 'GET' | 'POST', url: string, by = manager, payload?: object, headers = {}) =>
  server.app.inject({
    method,
    url: `/api${url}`,
    headers: { ...by.headers, ...headers },
    ...(payload && { payload }),
  });
async function draw(by = manager, language = 'en') {
  const drawing = { drawing: drawingNames[0], color: Object.values(palette)[0] };
  const reply = await call('POST', '/upload/drawing', by, drawing, { 'accept-language': language });
  return [reply.statusCode, reply.json<{ code?: string; message?: string }>()] as const;
}
/** Has somebody store a file of so many megabytes. */
const store = (by: TestDevice, megabytes: number) =>
  server.database.$client.query(
    `insert into uploads (clinic_id, purpose, media_type, content, size, uploaded_by, created_at) values ($1, 'receipt', 'application/pdf', '', $2, $3, $4)`,
    [server.clinicId, megabytes * 1024 * 1024, by.userId, new Date(nowMs)],
  );

describe('SECURITY files are stored', () => {
  test('up to 200 MB of one person in a day, and again a day later', async () => {
    await store(manager, 200);
    expect(await draw()).toMatchObject([429, { success: false, code: 'UPLOADS_OF_DAY' }]);
    expect((await draw(colleague))[0]).toBe(200);
    nowMs += dayMs + 1;
    expect((await draw())[0]).toBe(200);
  });

  test('up to the quota of the clinic, whoever brings them', async () => {
    await store(manager, 150);
    await store(colleague, 150);
    expect(await draw()).toMatchObject([413, { code: 'FILES_FULL' }]);
    expect(await draw(colleague, 'es')).toMatchObject([
      413,
      { message: expect.stringContaining('almacenamiento de la clínica está lleno') },
    ]);
  });

  test('only while the disk of the database has room, and sales go on', async () => {
    freeBytes = 99 * 1024 * 1024;
    expect(await draw()).toMatchObject([507, { code: 'DISK_SHORT', message: expect.stringContaining('Sales go on') }]);
    expect(await draw(manager, 'es')).toMatchObject([
      507,
      { message: expect.stringContaining('Las ventas continúan') },
    ]);
    const form = { 'content-type': 'multipart/form-data; boundary=x' };
    expect((await call('POST', '/upload/file', manager, undefined, form)).json()).toMatchObject({ code: 'DISK_SHORT' });
    expect(await manager.send(manager.create([line()]))).toMatchObject([{ status: 'applied' }]);
    freeBytes = 100 * 1024 * 1024;
    expect((await draw())[0]).toBe(200);
    freeBytes = null;
    expect((await draw())[0]).toBe(200);
  });
});

test('the settings show what files take, to who reads settings', async () => {
  await store(manager, 12);
  await store(colleague, 8);
  const megabyte = 1024 * 1024;
  expect((await call('GET', '/storage')).json()).toEqual({
    success: true,
    data: {
      used: 20 * megabyte,
      limit: 300 * megabyte,
      used_today: 12 * megabyte,
      limit_a_day: 200 * megabyte,
      is_disk_short: false,
    },
  });
  freeBytes = 0;
  expect((await call('GET', '/storage')).json()).toMatchObject({ data: { is_disk_short: true } });
});
