import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { formatNumber } from '#domain/order/numbers.ts';
import type { DeviceReply, DeviceRequest, DeviceResource } from '#domain/protocol/sync.ts';
import { auditLog, sessions } from '#server/db/schema/access.ts';
import { deviceCodes, devices } from '#server/db/schema/clinics.ts';
import { addUser, startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await startTestServer();
});
// A session is granted few codes.
beforeEach(async () => {
  token = await server.login('counter');
});
afterAll(() => server.close());

const introduce = (payload: DeviceRequest, as = token) =>
  server.app.inject({ method: 'POST', url: '/api/devices', headers: { authorization: `Bearer ${as}` }, payload });
/** Introduces a device by a sign-in of its own: a session stays on one device. */
const introduced = async (payload: DeviceRequest) =>
  (await introduce(payload, await server.login('counter'))).json<{ data: DeviceReply }>().data;
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
    expect(Buffer.from(reply.device_key!, 'base64url')).toHaveLength(64);
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
    const log = await server.database.select().from(auditLog).where(eq(auditLog.action, 'device.renumbered'));
    expect(log.at(-1)).toMatchObject({ deviceId: device_id, subject: granted.code, details: { from: other.code } });
  });

  test('gives a new code to a device without counters', async () => {
    const { device_id, device_key, code } = await introduced({});
    expect(await introduced({ device_id, device_key })).toMatchObject({ code });
    await counted(code, 1);
    expect((await introduced({ device_id, device_key })).code).not.toBe(code);
  });
});

describe('enrolment', () => {
  const enrol = (as: string) => introduce({}, as);

  test('gives a session 20 codes at most, however many it asks for at once', async () => {
    const [as, other] = [await server.login('counter'), await server.login('counter')];
    const replies = await Promise.all(Array.from({ length: 40 }, () => enrol(as)));
    const enrolled = replies.filter(({ statusCode }) => statusCode === 200).length;
    expect([enrolled >= 1, enrolled <= 20]).toEqual([true, true]);
    expect((await enrol(other)).statusCode).toBe(200);
  });

  test('leaves a session on the device where it began, so that a revocation ends it and a lock reaches it', async () => {
    const [clerk, manager] = [await server.login('counter'), await server.login('manager')];
    const lost = (await introduce({ name: 'Lost' }, clerk)).json<{ data: DeviceReply }>().data;
    const other = await introduced({});
    const thiefs = [clerk, lost.page_token!, lost.sync_token!];
    const countDevices = async () => (await server.database.select().from(devices)).length;
    const before = await countDevices();
    for (const as of thiefs)
      for (const claim of [
        {},
        { device_id: other.device_id, device_key: other.device_key! },
        { device_key: lost.device_key! },
      ]) {
        const reply = await introduce(claim, as);
        expect([reply.statusCode, reply.json<{ code: string }>().code]).toEqual([401, 'SESSION_EXPIRED']);
      }
    expect(await countDevices()).toBe(before);
    const url = `/api/devices/${lost.device_id}/revoke`;
    const headers = { authorization: `Bearer ${manager}` };
    await server.app.inject({ method: 'POST', url, headers, payload: { reason: 'Left in a taxi' } });
    for (const as of thiefs) {
      const pull = await server.app.inject({
        url: '/api/sync/changes',
        headers: { authorization: `Bearer ${as}` },
      });
      expect(pull.statusCode).toBe(401);
    }
  });

  test('lets nobody rename a device by introducing it again', async () => {
    const kitchen = await server.login('kitchen');
    const { device_id, device_key } = (await introduce({ name: 'Front desk' }, kitchen)).json<{ data: DeviceReply }>()
      .data;
    expect((await introduce({ device_id, device_key: device_key!, name: 'Room 9' }, kitchen)).statusCode).toBe(200);
    const [row] = await server.database.select().from(devices).where(eq(devices.id, device_id));
    expect(row!.name).toBe('Front desk');
  });

  test('gives a session no more codes by claiming lost counters', async () => {
    const as = await server.login('counter');
    const { device_id, device_key } = (await enrol(as)).json<{ data: DeviceReply }>().data;
    const claim = { device_id, device_key, code: 'S0', counters: counters(1) };
    for (let n = 1; n < 20; n++) expect((await introduce(claim, as)).statusCode).toBe(200);
    expect((await introduce(claim, as)).statusCode).toBe(429);
    expect((await introduce({ device_id, device_key }, as)).statusCode).toBe(200);
  });

  test('gives a person 20 codes a day, in however many sessions at once, so that nobody uses up those of a manager', async () => {
    const { email, password } = await addUser(server.database, {
      clinicId: server.clinicId,
      role: 'kitchen',
      at: Date.now(),
    });
    const signIn = async () => {
      const url = '/api/users/login';
      const reply = await server.app.inject({ method: 'POST', url, payload: { email, password } });
      return reply.json<{ data: { accessToken: string } }>().data.accessToken;
    };
    const signedIn: string[] = [];
    for (let n = 0; n < 30; n++) signedIn.push(await signIn());
    const replies = await Promise.all(signedIn.map(enrol));
    expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(20);
    expect((await enrol(await server.login('manager'))).statusCode).toBe(200);
  });

  test('ends for the clinic at 300 devices within an hour', async () => {
    let nowMs = Date.parse('2026-04-01T08:00:00Z');
    const busy = await startTestServer({ now: () => nowMs });
    const enrolAt = async (as: string) =>
      (
        await busy.app.inject({
          method: 'POST',
          url: '/api/devices',
          headers: { authorization: `Bearer ${as}` },
          payload: {},
        })
      ).statusCode;
    let enrolled = 0;
    for (let session = 0; session < 16; session++) {
      const as = await busy.login('counter');
      for (let n = 0; n < 20; n++) {
        // As a sign-in of its own: a session stays on one device.
        await busy.database.update(sessions).set({ deviceId: null });
        enrolled += (await enrolAt(as)) === 200 ? 1 : 0;
      }
    }
    expect(enrolled).toBe(300);
    nowMs += 3_600_001;
    expect(await enrolAt(await busy.login('counter'))).toBe(200);
    await busy.close();
  });
});

describe('a revoked device', () => {
  const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, as: string, payload?: object) =>
    server.app.inject({ method, url, headers: { authorization: `Bearer ${as}` }, ...(payload && { payload }) });
  const revoke = (id: number, as: string, reason = 'Left in a taxi') =>
    call('POST', `/api/devices/${id}/revoke`, as, { reason });
  const isOpen = async (as: string) => (await call('GET', '/api/auth/me', as)).statusCode === 200;

  async function lostTablet() {
    const [first, second] = [await server.login('counter'), await server.login('admin')];
    const { device_id, device_key } = (await introduce({}, first)).json<{ data: DeviceReply }>().data;
    await introduce({ device_id, device_key }, second);
    return { device_id, device_key: device_key!, sessions: [first, second] };
  }

  test('loses all its sessions at once, and its key introduces it no longer', async () => {
    const manager = await server.login('manager');
    const { device_id, device_key, sessions: lost } = await lostTablet();
    expect((await revoke(device_id, manager)).statusCode).toBe(200);
    expect(await Promise.all([...lost, manager].map(isOpen))).toEqual([false, false, true]);
    const finder = await server.login('counter');
    const reply = await introduce({ device_id, device_key }, finder);
    expect([reply.statusCode, reply.json<{ code: string }>().code]).toEqual([403, 'DEVICE_UNKNOWN']);
    // The tablet then enrols as another device, and keeps its queue.
    expect((await introduce({}, finder)).json<{ data: DeviceReply }>().data.device_id).not.toBe(device_id);
  });

  test('is a stranger at sign-in: its own count no longer protects it', async () => {
    const { device_id, device_key } = await lostTablet();
    await revoke(device_id, await server.login('manager'));
    const guess = async (claim: object) =>
      (
        await server.app.inject({
          method: 'POST',
          url: '/api/users/login',
          remoteAddress: '10.7.7.7',
          payload: { email: 'nobody@clinic.test', password: 'wrong', ...claim },
        })
      ).statusCode;
    for (let n = 0; n < 5; n++) await guess({});
    expect(await guess({ device_id, device_key })).toBe(429);
  });

  test('shows who revoked it, when and why, and stays so', async () => {
    const manager = await server.login('manager');
    const { device_id } = await lostTablet();
    await revoke(device_id, manager);
    await revoke(device_id, await server.login('admin'), 'Another reason');
    const { data } = (await call('GET', '/api/devices', manager)).json<{ data: DeviceResource[] }>();
    expect(data.find(({ id }) => id === device_id)).toMatchObject({
      waiting: 0,
      revoked: { at: expect.any(String), by: 'manager', reason: 'Left in a taxi' },
    });
    const entries = await server.database.select().from(auditLog).where(eq(auditLog.action, 'device.revoked'));
    const { code } = data.find(({ id }) => id === device_id)!;
    expect(entries.filter(({ subject }) => subject === code)).toMatchObject([{ details: { sessions: 2 } }]);
  });

  test('needs a reason, and a device of the clinic', async () => {
    const manager = await server.login('manager');
    const { device_id, sessions: kept } = await lostTablet();
    const [own] = await server.database.select().from(devices).where(eq(devices.code, 'S0'));
    const foreign = await server.login('admin', { clinicId: await server.addClinic() });
    expect((await revoke(device_id, manager, 'no')).statusCode).toBe(400);
    expect((await revoke(device_id, foreign)).statusCode).toBe(404);
    expect((await revoke(own!.id, manager)).statusCode).toBe(404);
    expect(await Promise.all(kept.map(isOpen))).toEqual([true, true]);
  });
});

describe('a device that is locked from afar', () => {
  const call = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, as: string, payload?: object) =>
    server.app.inject({
      method,
      url: `/api${url}`,
      headers: { authorization: `Bearer ${as}` },
      ...(payload && { payload }),
    });
  const lockedAt = async (as: string) =>
    (await call('GET', '/sync/changes', as)).json<{ data: { lock_asked_at?: string } }>().data.lock_asked_at;

  test('loses its unlock at once, hears of it with the feed, and is free again after a sign-in', async () => {
    const [clerk, manager] = [await server.login('counter'), await server.login('manager')];
    const reply = (await introduce({ name: 'Front desk' }, clerk)).json<{ data: DeviceReply }>().data;
    const other = (await introduce({}, manager)).json<{ data: DeviceReply }>().data;
    const { device_id: id, device_key: key, page_token: page } = reply;
    expect(await lockedAt(clerk)).toBeUndefined();
    expect((await call('POST', `/devices/${id}/lock`, manager, {})).statusCode).toBe(200);
    // The page may do nothing until somebody unlocks it; what is unsent may still be sent.
    expect((await call('GET', '/auth/me', page!)).statusCode).toBe(401);
    const askedAt = await lockedAt(clerk);
    expect(askedAt).toEqual(expect.any(String));
    expect(await lockedAt(reply.sync_token!)).toBe(askedAt);
    expect(await lockedAt(manager)).toBeUndefined();
    const { data } = (await call('GET', '/devices', manager)).json<{ data: DeviceResource[] }>();
    expect(data.find((each) => each.id === id)).toMatchObject({ lock_asked_at: askedAt, last_sale_at: null });
    expect(data.find((each) => each.id === other.device_id)).toMatchObject({ lock_asked_at: null });

    // The same session is no new sign-in.
    await introduce({ device_id: id, device_key: key! }, clerk);
    expect(await lockedAt(clerk)).toBe(askedAt);
    const again = await server.login('counter');
    await introduce({ device_id: id, device_key: key! }, again);
    expect(await lockedAt(again)).toBeUndefined();
  });

  test.each(['counter', 'server', 'kitchen'] as const)('is nothing that %s may ask for', async (role) => {
    const manager = await server.login('manager');
    const { device_id: id } = (await introduce({}, manager)).json<{ data: DeviceReply }>().data;
    const weak = await server.login(role);
    const [own] = (await call('GET', '/sessions', manager)).json<{ data: { id: number }[] }>().data;
    const tries = [
      await call('POST', `/devices/${id}/lock`, weak, {}),
      await call('POST', `/devices/${id}/revoke`, weak, { reason: 'Lost in the street' }),
      await call('PUT', `/devices/${id}`, weak, { name: 'Mine' }),
      await call('DELETE', `/sessions/${own!.id}`, weak),
      await call('GET', '/devices', weak),
      await call('GET', '/sessions', weak),
      await call('PUT', '/settings', weak, { lock_minutes: 60 }),
    ];
    expect(tries.map(({ statusCode }) => statusCode)).toEqual(tries.map(() => 403));
    expect(await lockedAt(manager)).toBeUndefined();
  });

  test('is none of another clinic', async () => {
    const manager = await server.login('manager');
    const { device_id: id } = (await introduce({}, manager)).json<{ data: DeviceReply }>().data;
    const foreign = await server.login('admin', { clinicId: await server.addClinic() });
    const [own] = (await call('GET', '/sessions', manager)).json<{ data: { id: number }[] }>().data;
    const tries = [
      await call('POST', `/devices/${id}/lock`, foreign, {}),
      await call('POST', `/devices/${id}/revoke`, foreign, { reason: 'Lost in the street' }),
      await call('PUT', `/devices/${id}`, foreign, { name: 'Mine' }),
      await call('DELETE', `/sessions/${own!.id}`, foreign),
    ];
    expect(tries.map(({ statusCode }) => statusCode)).toEqual(tries.map(() => 404));
    expect((await call('GET', '/devices', foreign)).json<{ data: DeviceResource[] }>().data).toEqual([]);
    expect(await lockedAt(manager)).toBeUndefined();
  });

  test('is listed with its browser', async () => {
    const headers = {
      authorization: `Bearer ${token}`,
      'user-agent':
        'Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
    };
    const reply = await server.app.inject({ method: 'POST', url: '/api/devices', headers, payload: {} });
    const { device_id } = reply.json<{ data: DeviceReply }>().data;
    const { data } = (await call('GET', '/devices', await server.login('manager'))).json<{ data: DeviceResource[] }>();
    expect(data.find(({ id }) => id === device_id)!.browser).toBe('Safari · iPad');
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
  });
});
