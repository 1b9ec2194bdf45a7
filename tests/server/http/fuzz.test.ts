/**
 * No request makes a 5xx, and no reply reveals internals. The test sends thousands of requests to every route, most of them nearly
 * valid. The seed in the title repeats them.
 */
import { Writable } from 'node:stream';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DeviceReply } from '#domain/protocol/sync.ts';
import { roles } from '#domain/staff/roles.ts';
import type { Role } from '#domain/staff/roles.ts';
import { TestDevice } from '#tests/support/device.ts';
import { inLongRun } from '#tests/support/long-run.ts';
import { routesOf } from '#tests/support/openapi-routes.ts';
import { knownUuids, oddRequest } from '#tests/support/fuzz-requests.ts';
import type { Known, OddRequest } from '#tests/support/fuzz-requests.ts';
import { Sights } from '#tests/support/fuzz-seen.ts';
import { actorKeyIn } from '#tests/support/proofs.ts';
import { faultIn } from '#tests/support/reply-faults.ts';
import { addUser, startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

const seed = 20_261_122;
const count = inLongRun(20_000, { otherwise: 6500 });
const nowMs = Date.parse('2026-03-04T15:00:00Z');

let server: TestServer;
let known: Known;
let log = '';
const tokens = new Map<Role | null, string>();
const people = new Map<Role, { email: string; password: string }>();

async function signIn(role: Role): Promise<void> {
  const signedIn = await server.app.inject({ method: 'POST', url: '/api/users/login', payload: people.get(role)! });
  tokens.set(role, signedIn.json<{ data: { accessToken: string } }>().data.accessToken);
}

beforeAll(async () => {
  const stream = new Writable({ write: (chunk: Buffer, _encoding, done) => ((log += chunk.toString()), done()) });
  server = await startTestServer({ demo: true, now: nowMs, logger: { level: 'error', stream } });
  const { $client: pool } = server.database;
  // Devices and sessions that requests may revoke and end.
  for (let device = 0; device < 5; device++) await TestDevice.enrol(server);
  // Ids above those in requests, so that no request removes the person, device or session that sends it.
  for (const table of ['users', 'devices', 'sessions'])
    await pool.query(`alter table ${table} alter column id restart with 777001`);
  // The ids in requests are low, and most of the demo's low items are services without stock.
  await pool.query('update stock_items set is_stocked = true');
  let actorId = 0;
  for (const role of roles) {
    const { id, email, password } = await addUser(server.database, { clinicId: server.clinicId, role, at: nowMs });
    people.set(role, { email, password });
    await signIn(role);
    if (role === 'admin') actorId = id;
  }
  const enrolled = await server.app.inject({
    method: 'POST',
    url: '/api/devices',
    headers: bearer('admin'),
    payload: {},
  });
  const own = enrolled.json<{ data: DeviceReply }>().data;
  known = {
    uuids: await knownUuids(pool, server.clinicId),
    lastId: 30,
    actorId,
    key: actorKeyIn(own),
  };
});
afterAll(() => server.close());

const bearer = (role: Role | null): Record<string, string> =>
  role ? { authorization: `Bearer ${tokens.get(role)}` } : {};

/** What unpacks a reply, by its encoding. Longer ones are packed. */
const unpackers: Record<string, (packed: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync };

async function readAs(url: string, role: Role): Promise<unknown> {
  const reply = await server.app.inject({ url, headers: bearer(role) });
  return reply.statusCode === 200 ? reply.json<{ data: unknown }>().data : null;
}

async function send(request: OddRequest, sights: Sights) {
  const { route, role, url, headers } = request;
  const { text, isTrue } = await sights.bodyOf(request);
  const reply = await server.app.inject({
    method: route.method,
    url,
    headers: { ...bearer(role), ...headers },
    ...(text !== undefined && { payload: text }),
  });
  const unpack = unpackers[reply.headers['content-encoding'] ?? ''];
  return {
    isTrue,
    status: reply.statusCode,
    type: String(reply.headers['content-type'] ?? ''),
    body: unpack ? unpack(reply.rawPayload).toString() : reply.body,
  };
}

test(`SECURITY ${count} odd requests to every route make no 5xx, and no error of another form (seed ${seed})`, async () => {
  // The first never ends, and the second would end the session.
  const routes = routesOf(server.app).filter(({ path }) => path !== '/api/sync/events' && path !== '/api/auth/logout');
  const sights = new Sights(routes, readAs);
  const faults: string[] = [];
  const reached = new Set<string>();
  /** Those whose page had seen what is stored. */
  const decided = new Set<string>();
  for (const request of fc.sample(oddRequest(routes, known), { seed, numRuns: count })) {
    log = '';
    const { isTrue, status, type, body } = await send(request, sights);
    if (status < 300) reached.add(request.route.name);
    if (status < 300 && isTrue) decided.add(request.route.name);
    // A session that has introduced itself as a device ends with it.
    if (status < 300 && request.route.name.endsWith('/revoke')) for (const role of roles) await signIn(role);
    const isUntrue = isTrue && body.includes('"CHANGED_MEANWHILE"');
    const wrong = isUntrue ? 'what was just read has changed' : faultIn({ status, type, body });
    if (wrong)
      faults.push(
        [
          wrong,
          request.role,
          request.route.method,
          request.url,
          JSON.stringify(request.headers),
          request.body,
          status,
          body,
          log,
        ]
          .map((part) => String(part).slice(0, 1000))
          .join('\n'),
      );
  }
  expect(faults).toEqual([]);
  // Most requests passed validation, and none ended the session of another.
  expect(reached.size).toBeGreaterThan(0.82 * routes.length);
  expect(decided.size).toBeGreaterThan(24);
  for (const role of roles)
    expect((await server.app.inject({ url: '/api/auth/me', headers: bearer(role) })).statusCode).toBe(200);
}, 300_000);
