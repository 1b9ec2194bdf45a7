import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatNumber } from '../../../domain/order/numbers.ts';
import type { DeviceReply, DeviceRequest } from '../../../domain/protocol/sync.ts';
import { auditLog, sessions } from '../../../server/db/schema/access.ts';
import { deviceCodes, devices } from '../../../server/db/schema/clinics.ts';
import { startTestServer } from '../../support/server.ts';
import type { TestServer } from '../../support/server.ts';

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startTestServer();
  token = await server.login('counter');
});
afterAll(() => server.close());

const introduce = (payload: DeviceRequest, as = token) =>
  server.app.inject({ method: 'POST', url: '/api/devices', headers: { authorization: `Bearer ${as}` }, payload });
const introduced = async (payload: DeviceRequest) => (await introduce(payload)).json<{ data: DeviceReply }>().data;
const codesOf = async (deviceId: number) =>
  (await server.database.select().from(deviceCodes).where(eq(deviceCodes.deviceId, deviceId))).map(({ code }) => code);
const counted = (code: string, treatment: number) =>
  server.database.update(deviceCodes).set({ treatment }).where(eq(deviceCodes.code, code));
const counters = (treatment: number) => ({ treatment, invoice: 0, credit_note: 0 });

describe('SYNC-12 enrolment', () => {
  test('gives a new device a code, an id and a 256-bit key, and stores only the hash of the key', async () => {
    const reply = await introduced({ name: 'Front desk' });
    expect(reply).toMatchObject({
      counters: { treatment: 0, invoice: 0, credit_note: 0 },
      last_seq: 0,
      epoch: expect.any(String),
    });
    expect(Buffer.from(reply.device_key!, 'base64url')).toHaveLength(32);
    expect(formatNumber('treatment', reply.code, 1)).toMatch(/^T-[A-Z]+[1-9]-000001$/);
    const [row] = await server.database.select().from(devices).where(eq(devices.id, reply.device_id));
    expect(JSON.stringify(row)).not.toContain(reply.device_key);
    const [session] = await server.database.select().from(sessions).where(eq(sessions.deviceId, reply.device_id));
    expect(session).toBeDefined();
    const [entry] = await server.database.select().from(auditLog).where(eq(auditLog.deviceId, reply.device_id));
    expect(entry).toMatchObject({ action: 'device.enrolled', subject: reply.code });
  });

  test('never grants a code twice, even when many devices enrol at once', async () => {
    const replies = await Promise.all(Array.from({ length: 12 }, () => introduced({})));
    expect(new Set(replies.map(({ code }) => code)).size).toBe(12);
  });

  test('recognises a device by its key, and never returns the key again', async () => {
    const { device_id, device_key, code } = await introduced({});
    const again = await introduced({ device_id, device_key, counters: counters(7) });
    expect(again).toMatchObject({ device_id, code, counters: counters(7) });
    expect(again).not.toHaveProperty('device_key');
  });

  test('refuses a wrong key, no key, no id, and the server’s own device', async () => {
    const { device_id, device_key } = await introduced({});
    const [own] = await server.database.select().from(devices).where(eq(devices.code, 'S0'));
    for (const claim of [
      { device_id, device_key: 'guess' },
      { device_id },
      { device_key },
      { device_id: 2_000_000_000, device_key },
      { device_id: own!.id, device_key: '' },
    ]) {
      const reply = await introduce(claim);
      expect([reply.statusCode, reply.json<{ code: string }>().code]).toEqual([403, 'DEVICE_UNKNOWN']);
    }
  });

  test('SYNC-16 adopts a device that a restored server does not have, with its id and key and a new code', async () => {
    const { device_id, device_key, code } = await introduced({});
    await server.database.update(sessions).set({ deviceId: null }).where(eq(sessions.deviceId, device_id));
    await server.database.delete(deviceCodes).where(eq(deviceCodes.deviceId, device_id));
    await server.database.delete(devices).where(eq(devices.id, device_id));
    expect((await introduce({ device_id })).statusCode).toBe(403);
    const again = await introduced({ device_id, device_key, code, counters: counters(12) });
    expect(again).toMatchObject({ device_id, counters: counters(0), last_seq: 0 });
    expect(again.code).not.toBe(code);
    expect((await introduce({ device_id, device_key: 'guess' })).statusCode).toBe(403);
    expect(await introduced({ device_id, device_key, code: again.code })).toMatchObject({
      device_id,
      code: again.code,
    });
  });

  test('gives a new code once to a device that lost its counters', async () => {
    const { device_id, device_key, code } = await introduced({});
    await counted(code, 5);
    const behind = await introduced({ device_id, device_key, counters: counters(4) });
    expect(behind.code).not.toBe(code);
    expect(behind.counters).toEqual(counters(0));
    expect(await introduced({ device_id, device_key, counters: counters(0) })).toMatchObject({ code: behind.code });
    expect(await codesOf(device_id)).toEqual([code, behind.code]);
  });

  test('keeps the code of a device whose counters are equal or ahead', async () => {
    const { device_id, device_key, code } = await introduced({});
    await counted(code, 5);
    for (const ahead of [5, 6])
      expect(await introduced({ device_id, device_key, counters: counters(ahead) })).toMatchObject({
        code,
        counters: counters(ahead),
      });
  });

  test('SYNC-12 distinguishes copies of a cloned storage by their codes', async () => {
    const { device_id, device_key, code } = await introduced({});
    await counted(code, 5);
    const copy = await introduced({ device_id, device_key, code, counters: counters(3) });
    expect(copy.code).not.toBe(code);
    expect(await introduced({ device_id, device_key, code, counters: counters(5) })).toMatchObject({
      code,
      counters: counters(5),
    });
    expect(await introduced({ device_id, device_key, code: copy.code, counters: counters(0) })).toMatchObject({
      code: copy.code,
    });
    await counted(code, 6);
    const third = await introduced({ device_id, device_key, code, counters: counters(5) });
    expect([code, copy.code]).not.toContain(third.code);
  });

  test('SYNC-12 gives a new code to a device that names a code of another', async () => {
    const [own, other] = [await introduced({}), await introduced({})];
    const { device_id, device_key } = own;
    const granted = await introduced({ device_id, device_key, code: other.code, counters: counters(9) });
    expect([own.code, other.code]).not.toContain(granted.code);
  });

  test('gives a new code to a device without counters', async () => {
    const { device_id, device_key, code } = await introduced({});
    expect(await introduced({ device_id, device_key })).toMatchObject({ code });
    await counted(code, 1);
    expect((await introduced({ device_id, device_key })).code).not.toBe(code);
  });
});

describe('the list of tablets', () => {
  test('shows managers each device with its code, and lets administrators rename it', async () => {
    const admin = await server.login('admin');
    const ask = (method: 'GET' | 'PUT', url: string, bearer: string, payload?: object) =>
      server.app.inject({
        method,
        url: `/api/devices${url}`,
        headers: { authorization: `Bearer ${bearer}` },
        ...(payload && { payload }),
      });
    const enrolled = await server.app.inject({
      method: 'POST',
      url: '/api/devices',
      headers: { authorization: `Bearer ${admin}` },
      payload: { name: 'Front desk' },
    });
    const { device_id: id, code } = enrolled.json<{ data: { device_id: number; code: string } }>().data;
    const listed = async () =>
      (await ask('GET', '', admin)).json<{ data: { id: number; name: string; code: string; last_seen_at: string }[] }>()
        .data;
    expect((await listed()).find((device) => device.id === id)).toMatchObject({
      name: 'Front desk',
      code,
      last_seen_at: expect.any(String),
    });
    expect((await ask('PUT', `/${id}`, admin, { name: ' Room 2 ' })).statusCode).toBe(200);
    expect((await listed()).find((device) => device.id === id)).toMatchObject({ name: 'Room 2' });
    expect((await ask('PUT', '/999999', admin, { name: 'x' })).statusCode).toBe(404);
    const manager = await server.login('manager');
    expect((await ask('GET', '', manager)).statusCode).toBe(200);
    expect((await ask('PUT', `/${id}`, manager, { name: 'x' })).statusCode).toBe(403);
    expect((await ask('GET', '', await server.login('counter'))).statusCode).toBe(403);
  });
});
