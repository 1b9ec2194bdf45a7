/** What was seen is what is decided: two people at the desk, and every decision. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routesOf } from '#tests/support/openapi-routes.ts';
import { TestDevice } from '#tests/support/device.ts';
import { issuerSettings } from '#tests/support/fiscal-till.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { decisions } from './decisions.ts';
import type { Desk } from './decisions.ts';
import { decideNothingSeen } from './without-sight.ts';

let server: TestServer;
let desk: Desk;
let asFirst: (method: string, path: string, body?: object) => Promise<{ status: number; body: any }>;

beforeAll(async () => {
  server = await startTestServer();
  const as = (token: string) => async (method: string, path: string, payload?: object) => {
    const reply = await server.app.inject({
      method: method as 'GET',
      url: `/api${path}`,
      headers: { authorization: `Bearer ${token}` },
      ...(payload && { payload }),
    });
    return { status: reply.statusCode, body: reply.json() };
  };
  const doing =
    (call: ReturnType<typeof as>): Desk['first'] =>
    async (method, path, body) => {
      const reply = await call(method, path, body);
      expect(reply.status, `${method} ${path}: ${JSON.stringify(reply.body)}`).toBeLessThan(300);
      return reply.body.data ?? reply.body.expenses ?? reply.body.stocks;
    };
  const token = await server.login('admin');
  asFirst = as(token);
  desk = {
    server,
    token,
    first: doing(asFirst),
    second: doing(as(await server.login('admin'))),
    manager: await TestDevice.enrol(server, 'manager', server.clinicId),
    query: async (text, values = []) => (await server.database.$client.query(text, values)).rows,
  };
  await desk.first('PUT', '/settings', issuerSettings);
  await desk.first('PUT', '/settings', { verifactu_since: new Date().toISOString().slice(0, 10) });
});
afterAll(() => server.close());

const countOf = async (table: 'audit_log' | 'sync_ops'): Promise<number> =>
  Number((await desk.query(`select count(*) from ${table}`))[0]!['count']);

describe('a decision', () => {
  test.each(decisions)('$route is refused on an old sight, and done on the new one', async (decision) => {
    const { fields, make, read, change, body = {} } = decision;
    const id = await make(desk);
    const seenOf = (record: object) =>
      Object.fromEntries(fields.map((field) => [field, (record as Record<string, unknown>)[field]]));
    const old = seenOf(await read(desk, id));
    await change(desk, id);
    const now = seenOf(await read(desk, id));
    expect(now).not.toEqual(old);

    const [method, path] = decision.route.replace('/api', '').replace('{id}', String(id)).split(' ') as [
      string,
      string,
    ];
    const decide = (seen: object) =>
      asFirst(method, path, { ...(typeof body === 'function' ? body(seen) : body), seen });
    const before = [await countOf('audit_log'), await countOf('sync_ops')];
    const refused = await decide(old);
    expect(refused, JSON.stringify(refused.body)).toMatchObject({ status: 409, body: { code: 'CHANGED_MEANWHILE' } });
    const changed = Object.keys(now).filter((field) => JSON.stringify(now[field]) !== JSON.stringify(old[field]));
    expect(refused.body.details).toEqual(Object.fromEntries(changed.map((field) => [field, now[field] ?? null])));
    expect([await countOf('audit_log'), await countOf('sync_ops')]).toEqual(before);
    expect(seenOf(await read(desk, id))).toEqual(now);

    const done = await decide(now);
    expect(done.status, JSON.stringify(done.body)).toBe(200);
  });

  test('is tried here wherever a route deletes or decides', () => {
    const tried = new Set(decisions.map(({ route }) => route));
    const deciding = routesOf(server.app)
      .filter(({ method, name }) => method === 'POST' || method === 'DELETE' || tried.has(name))
      .map(({ name }) => name);
    const explained = Object.values(decideNothingSeen).flat();
    expect(deciding.filter((name) => !tried.has(name) && !explained.includes(name)).toSorted()).toEqual([]);
    expect(explained.filter((name) => tried.has(name) || !deciding.includes(name))).toEqual([]);
    expect([...tried].filter((name) => !deciding.includes(name))).toEqual([]);
  });

  test('leaves no copy of what was seen, and a refusal none of what others have entered', async () => {
    const names = ['Berta Soler', 'Berta Soler Puig', 'Berta Puig'];
    const { id } = await desk.first('POST', '/patients', { name: names[0], phone: '' });
    const decide = (name: string, key: string) =>
      server.app.inject({
        method: 'POST',
        url: `/api/patients/${id}/erase`,
        headers: { authorization: `Bearer ${desk.token}`, 'idempotency-key': key },
        payload: { reason: 'She asked for it', confirm: true, seen: { name } },
      });
    await desk.second('PUT', `/patients/${id}`, { name: names[1], phone: '' });
    for (const _again of [1, 2]) {
      const refused = await decide(names[0]!, 'first');
      expect([refused.statusCode, refused.json().details]).toEqual([409, { name: names[1] }]);
    }
    await desk.second('PUT', `/patients/${id}`, { name: names[2], phone: '' });
    expect((await decide(names[2]!, 'second')).statusCode).toBe(200);
    expect((await decide(names[2]!, 'second')).headers['idempotency-replayed']).toBe('true');
    const receipts = await desk.query('select payload::text || reply as text from sync_ops');
    expect(receipts.filter(({ text }) => String(text).includes('Berta'))).toEqual([]);
  });

  test('tells nobody the value of a field by its difference that they may not read', async () => {
    const { id } = await desk.first('POST', '/tables', { number: 'X9', capacity: 2 });
    const { body } = await asFirst('DELETE', `/tables/${id}`, {
      seen: { deleted_at: 'x', clinic_id: 0, search_key: '' },
    });
    expect(body.details).toEqual({ deleted_at: null, clinic_id: null, search_key: null });
  });
});
