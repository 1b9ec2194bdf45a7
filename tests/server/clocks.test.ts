/**
 * The clock of a server is a year ahead for a minute, in which people work. Afterwards nothing is wrong any more: nobody is kept
 * out until that date, and nothing stays open until then.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keySlackMs } from '#domain/limits.ts';
import { pinAttempts } from '#domain/staff/pin.ts';
import { clocksAgree } from '#server/clocks.ts';
import { sweepUploads } from '#server/modules/uploads/sweep.ts';
import { clockJumps } from '#tests/fuzz/clock-jumps.ts';
import { Authenticator } from '#tests/support/authenticator.ts';
import { line, TestDevice } from '#tests/support/device.ts';
import type { Created } from '#tests/support/device.ts';
import { newId } from '#tests/support/unique.ts';
import { addUser, startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

const minuteMs = 60_000;
const yearMs = 365 * 86_400_000;
const password = 'a long enough password';

let aheadMs = 0;
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ now: () => Date.now() + aheadMs });
});
afterAll(() => server.close());

/** Does something while the clock of the server is ahead. */
async function ahead<T>(work: () => Promise<T>): Promise<T> {
  aheadMs = yearMs;
  try {
    return await work();
  } finally {
    aheadMs = 0;
  }
}

const call = (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  { token, payload }: { token?: string; payload?: object } = {},
) =>
  server.app.inject({
    method,
    url: `/api${url}`,
    ...(token && { headers: { authorization: `Bearer ${token}` } }),
    ...(payload && { payload }),
  });
const rows = async <Row extends object>(sql: string, values: unknown[] = []) =>
  (await server.database.$client.query<Row>(sql, values)).rows;
const shows = ({ info: { device_id, device_key } }: TestDevice) => ({ device_id, device_key });
const statusOf = async (token: string) => (await call('GET', '/auth/me', { token })).statusCode;
const person = () => addUser(server.database, { clinicId: server.clinicId, role: 'counter', at: Date.now() });
const signIn = async (who: { email: string; password: string }, over: object = {}) => {
  const payload = { email: who.email, password: who.password, ...over };
  const reply = await call('POST', '/users/login', { payload });
  return { status: reply.statusCode, token: reply.json<{ data?: { accessToken: string } }>().data?.accessToken ?? '' };
};

describe('after a minute in which the clock was a year ahead', () => {
  test('wrong passwords of that minute keep nobody out, and still count', async () => {
    const who = await person();
    const device = await TestDevice.enrol(server);
    await ahead(async () => {
      for (let guess = 0; guess < 8; guess += 1) {
        await signIn(who, { password: 'wrong' });
        await signIn(who, { password: 'wrong', ...shows(device) });
      }
      expect((await signIn(who)).status).toBe(429);
    });
    expect((await signIn(who, { password: 'wrong' })).status).toBe(401);
    expect((await signIn(who, { password: 'wrong' })).status).toBe(429);
    expect((await signIn(who, shows(device))).status).toBe(200);
  });

  test('wrong PINs and wrong present passwords keep nobody out', async () => {
    const { info, userId, token } = await TestDevice.enrol(server);
    const waitOf = async (failed: boolean) => {
      const payload = { user_id: userId, failed };
      const reply = await call('POST', '/auth/pin-tries', { token: info.sync_token!, payload });
      return reply.json<{ data: { wait_ms: number } }>().data.wait_ms;
    };
    const change = async (current_password: string) => {
      const payload = { current_password, password: 'another long password' };
      return (await call('POST', '/auth/password', { token, payload })).statusCode;
    };
    for (let count = 0; count < pinAttempts + 4; count += 1) await waitOf(true);
    for (let count = 0; count < 8; count += 1) await change('wrong');
    expect([(await waitOf(false)) > 0, await change(password)]).toEqual([true, 429]);
    // Sessions are over in that minute, so its time is put to these tries by hand.
    await rows(`update guesses set last_at = last_at + interval '1 year'`);
    expect([await waitOf(false), await change(password)]).toEqual([0, 200]);
  });

  test('a session that began then is over, and its person begins another', async () => {
    const who = await person();
    const { token } = await ahead(() => signIn(who));
    expect(await statusOf(token)).toBe(401);
    expect(await statusOf((await signIn(who)).token)).toBe(200);
  });

  test('an unlock of that minute does not last until then, and the tablet unlocks as ever', async () => {
    const device = await TestDevice.enrol(server);
    await rows("update sessions set expires_at = expires_at + interval '2 years' where device_id = $1", [
      device.info.device_id,
    ]);
    const unlocked = async () =>
      (await call('POST', '/auth/unlock', { token: device.token })).json<{ data: { token: string } }>().data.token;
    const inSession = async (untilMs: number) =>
      rows('update sessions set unlocked_until = $2 where device_id = $1', [device.info.device_id, new Date(untilMs)]);
    const token = await unlocked();
    await inSession(Date.now() + yearMs);
    expect(await statusOf(token)).toBe(401);
    const next = await unlocked();
    expect([await statusOf(token), await statusOf(next)]).toEqual([401, 200]);
  });

  test('a passkey that signed in then signs in', async () => {
    const device = await TestDevice.enrol(server);
    const key = new Authenticator('https://localhost');
    const credential = key.make();
    const assertion = async () => {
      const { data } = (await call('POST', '/auth/passkeys/challenge', { payload: shows(device) })).json<{
        data: { challenge: string };
      }>();
      return key.assert(credential, data.challenge);
    };
    const public_key = key.publicKeyOf(credential).toString('base64url');
    const payload = { password, public_key, ...(await assertion()) };
    expect((await call('POST', '/auth/passkeys', { token: device.token, payload })).statusCode).toBe(200);
    const enter = async () =>
      (await call('POST', '/users/login/passkey', { payload: { ...shows(device), ...(await assertion()) } }))
        .statusCode;
    expect(await ahead(enter)).toBe(200);
    expect([await enter(), await enter()]).toEqual([200, 200]);
  });

  test('the key of a session that was ended then proves nothing of later', async () => {
    const manager = await TestDevice.enrol(server, 'manager');
    const clerk = await TestDevice.enrol(server);
    const { data } = (await call('GET', '/sessions', { token: manager.token })).json<{
      data: { id: number; device: { id: number } | null }[];
    }>();
    const { id } = data.find(({ device }) => device?.id === clerk.info.device_id)!;
    // The minute outlasts no session, so its end is set to that minute by hand.
    expect((await call('DELETE', `/sessions/${id}`, { token: manager.token })).statusCode).toBe(200);
    await rows('update sessions set key_ended_at = $2, last_seen_at = $3 where id = $1', [
      id,
      new Date(Date.now() + yearMs),
      new Date(Date.now() - 10 * minuteMs),
    ]);
    const sale = clerk.create([line()], { occurred_at: new Date(Date.now() - keySlackMs).toISOString() });
    expect(await manager.send(...clerk.signed([sale]))).toMatchObject([{ reply: { code: 'KEY_ENDED' } }]);
  });

  test('the codes that were granted then count against nobody', async () => {
    const who = await person();
    const enrol = async (token: string) => (await call('POST', '/devices', { token, payload: {} })).statusCode;
    await ahead(async () => {
      for (let count = 0; count < 20; count += 1) await enrol((await signIn(who)).token);
      expect(await enrol((await signIn(who)).token)).not.toBe(200);
    });
    expect(await enrol((await signIn(who)).token)).toBe(200);
    await rows(`update devices set created_at = $1 where clinic_id = $2 and key_hash is not null`, [
      new Date(Date.now() + yearMs),
      server.clinicId,
    ]);
    await rows(
      `insert into devices (clinic_id, key_hash, code, created_at) select $2, 'x', 'X' || n, $1 from generate_series(1, 300) n`,
      [new Date(Date.now() + yearMs), server.clinicId],
    );
    expect(await enrol((await signIn(await person())).token)).toBe(200);
    await rows(`delete from devices where code like 'X%'`);
  });

  test('a device that reported then reports again, drawers wait for it, and its sales are not called backdated', async () => {
    const [silent, tablet] = [await TestDevice.enrol(server), await TestDevice.enrol(server)];
    await rows(`update devices set cleared_at = $2, last_seen_at = $2 where id = any($1)`, [
      [silent.info.device_id, tablet.info.device_id],
      new Date(Date.now() + yearMs),
    ]);
    const sale = tablet.create();
    expect(await tablet.send(sale)).toMatchObject([{ status: 'applied' }]);
    await tablet.pull(undefined, 0);
    expect(
      await rows(`select kind from attention_items where op_id = $1 and kind in ('backdated', 'clock_wrong')`, [
        sale.op_id,
      ]),
    ).toEqual([]);
    const seen = await rows<{ id: number; ahead: boolean | null }>(
      'select id, greatest(cleared_at, last_seen_at) > $2 as ahead from devices where id = any($1) order by id',
      [[silent.info.device_id, tablet.info.device_id], new Date(Date.now() + minuteMs)],
    );
    expect(seen.map(({ ahead: isAhead }) => isAhead)).toEqual([null, false]);
  });

  test('what was written of a patient or a treatment then gives way to what is written afterwards', async () => {
    const manager = await TestDevice.enrol(server, 'manager');
    const [first, second] = [await TestDevice.enrol(server), await TestDevice.enrol(server)];
    const id = newId();
    const write = (name: string, phone: string) =>
      call('PUT', `/patients/${id}`, { token: manager.token, payload: { name, phone } });
    await call('POST', '/patients', { token: manager.token, payload: { id, name: 'Zenobia' } });
    await rows(`update patients set name = 'Zenobiah', name_at = $2, phone_at = $2, email_at = $2 where id = $1`, [
      id,
      new Date(Date.now() + yearMs),
    ]);
    await write('Zenobia Quintana', '600 100 200');
    expect(await rows('select name, phone from patients where id = $1', [id])).toEqual([
      { name: 'Zenobia Quintana', phone: '600 100 200' },
    ]);

    const created = first.create();
    const room = (device: TestDevice, { payload: { order_id } }: Created, room_number: string) =>
      device.operation('order.change', { order_id, room_id: 7, room_number });
    await first.send(created, room(first, created, '1'));
    await rows(`update order_changes set effective_at = $2 where order_id = $1`, [
      created.payload.order_id,
      new Date(Date.now() + yearMs),
    ]);
    await second.send(room(second, created, '2'));
    const reply = await call('GET', `/orders/${created.payload.order_id}`, { token: manager.token });
    expect(reply.json()).toMatchObject({ data: { room_number: '2' } });
  });
});

test('a server whose clock is ahead removes no upload of today', async () => {
  await rows(
    `insert into uploads (clinic_id, purpose, media_type, content, size, uploaded_by, created_at) values ($1, 'picture', 'image/webp', '\\x00', 1, 1, $2)`,
    [server.clinicId, new Date(Date.now() - 2 * 86_400_000)],
  );
  const sweepAt = async (nowMs: number, databaseMs: number) => {
    await sweepUploads({ database: server.database, clock: () => nowMs, databaseNow: async () => databaseMs });
    return (await rows('select from uploads')).length;
  };
  expect(await sweepAt(Date.now() + yearMs, Date.now())).toBe(1);
  expect(await sweepAt(Date.now() + yearMs, Date.now() + yearMs)).toBe(1);
  await person().then(signIn);
  await rows(`insert into audit_log (clinic_id, at, action) values ($1, $2, 'sign_in')`, [
    server.clinicId,
    new Date(Date.now() - 2 * 86_400_000),
  ]);
  expect(await sweepAt(Date.now(), Date.now())).toBe(0);
});

test('a process whose clock jumps by days and years leaves nothing wrong behind', async () => {
  expect(await clockJumps(server, 20_261_127)).toEqual([]);
});

test('clocks agree when the database has the same time, and the clinic has stored something on this day and before', async () => {
  const nowMs = Date.now();
  const dayMs = 86_400_000;
  const agree = async (storedDaysAgo: readonly number[], databaseMs = nowMs) => {
    const clinicId = await server.addClinic();
    for (const days of storedDaysAgo)
      await rows(`insert into audit_log (clinic_id, at, action) values ($1, $2, 'sign_in')`, [
        clinicId,
        new Date(nowMs - days * dayMs),
      ]);
    return clocksAgree(server.database.$client, clinicId, { nowMs, readDatabase: async () => databaseMs });
  };
  expect(await agree([0.5, 3])).toBe(true);
  expect(await agree([0.5])).toBe(false);
  expect(await agree([3])).toBe(false);
  expect(await agree([0.5, 3], nowMs - 6 * minuteMs)).toBe(false);
  expect(await agree([0.5, 3], nowMs + 6 * minuteMs)).toBe(false);
});
