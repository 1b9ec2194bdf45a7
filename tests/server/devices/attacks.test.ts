/**
 * Somebody who may not tries every route by which devices and sessions are ended, locked or named: with the ids of others, with
 * odd ids and bodies, and again under the same key. Nothing changes, and nothing makes the server fail.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestDevice } from '#tests/support/device.ts';
import { addUser, startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { changedTables, tableDigests } from '#tests/support/table-digests.ts';
import { unique } from '#tests/support/unique.ts';

let server: TestServer;
let admin: TestDevice;
let victim: TestDevice;
const attackers = new Map<string, { token: string; refused: readonly number[] }>();

interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  payload?: string;
}

const send = ({ method, path, payload }: Call, token: string, key = unique('attack')) =>
  server.app.inject({
    method,
    url: `/api${path}`,
    headers: {
      authorization: `Bearer ${token}`,
      ...(method !== 'GET' && { 'idempotency-key': key }),
      ...(payload !== undefined && { 'content-type': 'application/json' }),
    },
    ...(payload !== undefined && { payload }),
  });
const json = (method: Call['method'], path: string, payload: object = {}): Call => ({
  method,
  path,
  payload: JSON.stringify(payload),
});

beforeAll(async () => {
  server = await startTestServer();
  admin = await TestDevice.enrol(server, 'admin');
  victim = await TestDevice.enrol(server, 'manager');
  for (const role of ['kitchen', 'server', 'counter'] as const) {
    const device = await TestDevice.enrol(server, role);
    attackers.set(role, { token: device.token, refused: [403] });
    attackers.set(`the sync token of ${role}`, { token: device.info.sync_token!, refused: [403] });
    attackers.set(`the page token of ${role}`, { token: device.info.page_token!, refused: [403] });
  }
  const clinicId = await server.addClinic();
  const foreign = await TestDevice.enrol(server, 'manager', clinicId);
  attackers.set('a manager of another clinic', { token: foreign.token, refused: [403, 404] });

  const { id, email, password } = await addUser(server.database, {
    clinicId: server.clinicId,
    role: 'manager',
    at: Date.now(),
  });
  const signedIn = await send(json('POST', '/users/login', { email, password }), '');
  attackers.set('a deactivated manager', { token: signedIn.json().data.accessToken, refused: [401] });
  const draft = { name: 'Gone', email, role: 'manager', status: 'inactive' };
  expect((await send(json('PUT', `/users/${id}`, draft), admin.token)).statusCode).toBe(200);

  const lost = await TestDevice.enrol(server, 'manager');
  const { device_id: lostId } = lost.info;
  expect(
    (await send(json('POST', `/devices/${lostId}/revoke`, { reason: 'Left in a taxi' }), admin.token)).statusCode,
  ).toBe(200);
  for (const [name, token] of [
    ['full', lost.token],
    ['page', lost.info.page_token!],
    ['sync', lost.info.sync_token!],
  ] as const)
    attackers.set(`the ${name} token of a revoked tablet`, { token, refused: [401] });

  const locked = await TestDevice.enrol(server, 'manager');
  expect((await send(json('POST', `/devices/${locked.info.device_id}/lock`), admin.token)).statusCode).toBe(200);
  attackers.set('the page token of a tablet that was locked', { token: locked.info.page_token!, refused: [401] });
  attackers.set('the sync token of a locked tablet', { token: locked.info.sync_token!, refused: [403] });
});
afterAll(() => server.close());

const numbers = [
  '0',
  '-1',
  '1.5',
  '2147483647',
  '2147483648',
  '9007199254740993',
  '1e3',
  '0x1',
  'NaN',
  '%00',
  '%20',
  '..',
];
const bodies = [
  'null',
  '[]',
  '"x"',
  '{}',
  '{"name":{"toString":1},"reason":{"then":1}}',
  '{"reason":1e999,"name":1e999}',
  '{"__proto__":{"role":"admin"},"name":"x","reason":"Left in a taxi"}',
  `{"name":"${'x'.repeat(5000)}","reason":"${'x'.repeat(5000)}"}`,
  '{"name":"\\u0000","reason":"\\ud800\\ud800\\ud800"}',
  '{',
];

/** Calls about somebody else, and odd ones. */
function callsAbout(deviceId: number, sessionId: number): { meant: Call[]; odd: Call[] } {
  const about = (device: string, session: string, payload: (method: string) => object): Call[] => [
    json('POST', `/devices/${device}/lock`),
    json('POST', `/devices/${device}/revoke`, payload('revoke')),
    json('PUT', `/devices/${device}`, payload('rename')),
    { method: 'DELETE', path: `/sessions/${session}` },
  ];
  const valid = (method: string) => (method === 'revoke' ? { reason: 'Left in a taxi' } : { name: 'Mine' });
  return {
    meant: [
      ...about(`${deviceId}`, `${sessionId}`, valid),
      json('POST', '/devices/prefix'),
      json('PUT', '/settings', { lock_minutes: 60 }),
      json('PUT', `/users/${victim.userId}`, { role: 'kitchen' }),
      { method: 'DELETE', path: `/users/${victim.userId}` },
      { method: 'GET', path: '/devices' },
      { method: 'GET', path: '/sessions' },
      { method: 'GET', path: '/users' },
      { method: 'GET', path: '/audit' },
    ],
    odd: [
      ...numbers.flatMap((id) => about(id, id, valid)),
      ...bodies.flatMap((payload) =>
        [`/devices/${deviceId}/lock`, `/devices/${deviceId}/revoke`, '/devices', '/devices/prefix', '/auth/unlock'].map(
          (path): Call => ({ method: 'POST', path, payload }),
        ),
      ),
    ],
  };
}

/** What a refused call may leave: an entry of the log, a receipt under its key, when its session was seen, its own unlock. */
const traces = ['audit_log', 'sync_ops', 'sessions'];

test('is denied, and changes nothing but bounded traces', async () => {
  const { meant } = callsAbout(victim.info.device_id, victim.info.session_id!);
  const pool = server.database.$client;
  const sessionOf = async () =>
    (
      await pool.query('select ended_at, key_ended_at, unlocked_until, device_id from sessions where id = $1', [
        victim.info.session_id,
      ])
    ).rows[0];
  const before = await tableDigests(pool);
  const session = await sessionOf();
  const wrong: unknown[] = [];
  for (const [who, { token, refused }] of attackers)
    for (const call of meant) {
      const key = unique('again');
      for (const reply of [await send(call, token, key), await send(call, token, key)]) {
        const isOwnClinic =
          who === 'a manager of another clinic' && (call.method === 'GET' || call.path === '/devices/prefix');
        if (!refused.includes(reply.statusCode) && !isOwnClinic) wrong.push([who, call, reply.statusCode]);
        if (isOwnClinic && reply.body.includes(`"id":${victim.info.device_id},`)) wrong.push([who, call, reply.body]);
      }
    }
  expect(wrong).toEqual([]);
  expect(changedTables(before, await tableDigests(pool)).filter((table) => !traces.includes(table))).toEqual([]);
  expect(await sessionOf()).toEqual(session);
  expect((await send({ method: 'GET', path: '/auth/me' }, victim.info.page_token!)).statusCode).toBe(200);
});

test('fails nowhere by odd ids and bodies, not even for somebody who may', async () => {
  const { odd } = callsAbout(victim.info.device_id, victim.info.session_id!);
  const pool = server.database.$client;
  const spare = await TestDevice.enrol(server, 'manager');
  const failed: unknown[] = [];
  for (const token of [spare.token, ...[...attackers.values()].map((attacker) => attacker.token)])
    for (const call of odd) {
      const reply = await send(call, token);
      if (reply.statusCode >= 500) failed.push([call, reply.statusCode, reply.body]);
    }
  expect(failed).toEqual([]);
  const { rows } = await pool.query('select name, revoked_at from devices where id = $1', [victim.info.device_id]);
  expect(rows).toEqual([{ name: '', revoked_at: null }]);
});
