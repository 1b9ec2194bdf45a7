/** Attacks on the authorship of operations (SYNC-8). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operationKinds } from '#domain/protocol/operations.ts';
import type { AuditPage, AuditResource } from '#domain/audit/resources.ts';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import type { BatchReply, DeviceReply } from '#domain/protocol/sync.ts';
import { line, TestDevice } from '#tests/support/device.ts';
import { newId } from '#tests/support/unique.ts';
import { actorKeyIn, signedBy } from '#tests/support/proofs.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { insertStockItem } from '#tests/support/stock.ts';

let server: TestServer;
let manager: TestDevice;
let clerk: TestDevice;
let kitchen: TestDevice;

beforeAll(async () => {
  server = await startTestServer();
  await insertStockItem(server, { name: 'Gloves' });
  [manager, clerk, kitchen] = [
    await TestDevice.enrol(server, 'manager'),
    await TestDevice.enrol(server, 'counter'),
    await TestDevice.enrol(server, 'kitchen'),
  ];
});
afterAll(() => server.close());

const rows = async (text: string, values: unknown[] = []): Promise<Record<string, unknown>[]> =>
  (await server.database.$client.query(text, values)).rows;

/** Posts operations exactly as given. */
async function post(token: string, operations: readonly object[]): Promise<BatchReply['data']['results']> {
  const headers = { authorization: `Bearer ${token}` };
  const payload = { operations };
  const reply = await server.app.inject({ method: 'POST', url: '/api/sync/batch', headers, payload });
  return reply.json<BatchReply>().data.results;
}

const adjust = (device: TestDevice): AnyOperation =>
  device.operation('stock.adjust', { stock_id: 1, action: 'add', amount: 5 });

describe('an operation without a valid proof', () => {
  const keyOf = (device: TestDevice) => actorKeyIn(device.info);
  const lies: [string, (operation: AnyOperation) => object][] = [
    ['has no proof', (operation) => operation],
    ['has an empty proof', (operation) => ({ ...operation, proof: '' })],
    ['has a proof of the right form that nobody made', (operation) => ({ ...operation, proof: '5e'.repeat(32) })],
    ['has a proof of 64 letters outside ASCII', (operation) => ({ ...operation, proof: 'é'.repeat(64) })],
    ['has a proof that is no text', (operation) => ({ ...operation, proof: [1] })],
    ['is signed by the key of somebody else', (operation) => signedBy(keyOf(kitchen), operation)],
    [
      'is signed by the key of somebody else who names the device',
      (operation) => signedBy({ ...keyOf(kitchen), deviceId: manager.info.device_id }, operation),
    ],
    [
      'names another payload than the signed one',
      (operation) => ({ ...signedBy(keyOf(manager), operation), payload: { ...operation.payload, amount: 6 } }),
    ],
    [
      'names another time than the signed one',
      (operation) => ({ ...signedBy(keyOf(manager), operation), occurred_at: '2026-01-01T10:00:00.000Z' }),
    ],
    [
      'names another sequence than the signed one',
      (operation) => ({ ...signedBy(keyOf(manager), operation), device_seq: 77 }),
    ],
    [
      'has a field that was not signed',
      (operation) => ({ ...signedBy(keyOf(manager), operation), supersedes: newId() }),
    ],
    [
      'names another device of the same person',
      (operation) => ({ ...signedBy(keyOf(manager), operation), device_id: clerk.info.device_id }),
    ],
  ];

  test.each(lies)('is refused and leaves no receipt when it %s', async (_title, lie) => {
    const operation = adjust(manager);
    const before = await rows('select quantity_milli from stock_items where id = 1');
    const [result] = await post(kitchen.token, [lie(operation)]);
    expect(result).toMatchObject({ op_id: operation.op_id, status: 'refused', reply: { code: 'PROOF_INVALID' } });
    expect(await rows('select 1 from sync_ops where op_id = $1', [operation.op_id])).toEqual([]);
    expect(await rows('select quantity_milli from stock_items where id = 1')).toEqual(before);
    // The real operation of this id is not spoilt.
    expect((await manager.send(operation))[0]).toMatchObject({ status: 'applied', replayed: false });
  });

  test('is told to managers with who sent it and in whose name, once', async () => {
    const operation = adjust(manager);
    await post(kitchen.token, [operation, operation]);
    await post(kitchen.token, [operation]);
    const items = (await manager.pull()).rows.attention.filter(({ op_id }) => op_id === operation.op_id);
    expect(items).toMatchObject([
      {
        kind: 'unproven',
        op_kind: 'stock.adjust',
        details: { uploader: 'kitchen', actor: 'manager', device: manager.info.code },
      },
    ]);
  });

  test('moves neither the counters nor the sequence of the device', async () => {
    const progress = () =>
      rows(`select d.last_seq, c.treatment from devices d join device_codes c on c.device_id = d.id where d.id = $1`, [
        clerk.info.device_id,
      ]);
    const before = await progress();
    const sale = clerk.create([line()], { device_seq: 2 ** 53 - 1 });
    await post(kitchen.token, [{ ...sale, payload: { ...sale.payload, number: `T-${clerk.info.code}-2147483647` } }]);
    expect(await progress()).toEqual(before);
    expect((await clerk.send(clerk.create()))[0]!.status).toBe('applied');
  });

  test('raises no flood of notices', async () => {
    for (let batch = 0; batch < 3; batch += 1)
      await post(
        kitchen.token,
        Array.from({ length: 100 }, () => adjust(manager)),
      );
    const [found] = await rows(
      `select count(*)::int as count from attention_items where kind = 'unproven' and settled_at is null`,
    );
    expect(found).toEqual({ count: 50 });
  });
});

describe('a proven operation', () => {
  test('is applied whoever carries it, and names the carrier', async () => {
    const operation = adjust(manager);
    const [proven] = manager.signed([operation]);
    expect((await post(kitchen.token, [proven!]))[0]).toMatchObject({ status: 'applied' });
    expect(await rows('select actor_id, uploaded_by from sync_ops where op_id = $1', [operation.op_id])).toEqual([
      { actor_id: manager.userId, uploaded_by: kitchen.userId },
    ]);
  });

  test.each(operationKinds)('of the kind %s is refused in the name of the kitchen, which may do none', async (kind) => {
    const operation = { ...adjust(kitchen), kind } as AnyOperation;
    const [result] = await kitchen.send(operation);
    expect(result!.status).toBe('refused');
    expect(result!.reply).toMatchObject({ success: false });
  });

  test('of another clinic proves nothing here', async () => {
    const clinicId = await server.addClinic();
    const headers = { authorization: `Bearer ${await server.login('manager', { clinicId })}` };
    const enrolled = await server.app.inject({ method: 'POST', url: '/api/devices', headers, payload: {} });
    const foreign = enrolled.json<{ data: DeviceReply }>().data;
    const claimed = signedBy(
      { ...actorKeyIn(foreign), deviceId: manager.info.device_id },
      { ...adjust(manager), actor_id: manager.userId },
    );
    expect((await post(clerk.token, [claimed]))[0]).toMatchObject({ reply: { code: 'PROOF_INVALID' } });
    // Its own device is unknown here.
    const own = signedBy(actorKeyIn(foreign), { ...adjust(manager), device_id: foreign.device_id });
    expect((await post(clerk.token, [own]))[0]!.status).not.toBe('applied');
  });
});

describe('the token for syncing', () => {
  test('reaches the sync calls and nothing else, and brings no key', async () => {
    const call = async (method: 'GET' | 'POST', url: string, payload?: object) =>
      server.app.inject({
        method,
        url: `/api${url}`,
        headers: { authorization: `Bearer ${manager.info.sync_token}` },
        ...(payload && { payload }),
      });
    expect((await call('GET', '/sync/changes')).statusCode).toBe(200);
    const operations = clerk.signed([clerk.create()]);
    expect((await call('POST', '/sync/batch', { operations })).json()).toMatchObject({
      data: { results: [{ status: 'applied' }] },
    });
    const { device_id, device_key } = manager.info;
    const introduced = await call('POST', '/devices', { device_id, device_key });
    expect(introduced.statusCode).toBe(200);
    const { data } = introduced.json<{ data: DeviceReply }>();
    expect([data.actor_key, data.sync_token]).toEqual([undefined, undefined]);
    for (const url of ['/orders', '/stock', '/auth/me', '/users', '/patients', '/settings', '/devices'])
      expect([url, (await call('GET', url)).statusCode]).toEqual([url, 403]);
    expect((await call('POST', '/auth/logout')).statusCode).toBe(403);
  });

  test('dies with its session', async () => {
    const device = await TestDevice.enrol(server, 'counter');
    await server.app.inject({ method: 'POST', url: '/api/auth/logout', headers: device.headers });
    const headers = { authorization: `Bearer ${device.info.sync_token}` };
    expect((await server.app.inject({ url: '/api/sync/changes', headers })).statusCode).toBe(401);
  });
});

test('the key of a person on a device stays the same, and differs by person and by device', async () => {
  const introduce = async (token: string) => {
    const { device_id, device_key } = clerk.info;
    const headers = { authorization: `Bearer ${token}` };
    const payload = { device_id, device_key };
    const reply = await server.app.inject({ method: 'POST', url: '/api/devices', headers, payload });
    return reply.json<{ data: DeviceReply }>().data.actor_key;
  };
  expect(await introduce(clerk.token)).toBe(clerk.info.actor_key);
  // As if the manager had signed in there: a session stays on its device.
  await server.database.$client.query('update sessions set device_id = null where user_id = $1', [manager.userId]);
  const keys = [clerk.info, manager.info, kitchen.info].map(({ actor_key }) => actor_key);
  expect(new Set([...keys, await introduce(manager.token)]).size).toBe(4);
});

describe('the work of a revoked device', () => {
  const approve = async (id: number, device = manager) =>
    server.app.inject({
      method: 'POST',
      url: `/api/attention/${id}/approve`,
      headers: device.headers,
      payload: { reason: 'The tablet was found' },
    });
  const itemOf = async ({ op_id }: AnyOperation) =>
    (await manager.pull()).rows.attention.find((item) => item.op_id === op_id)!;

  test('is held until a manager approves it, in the order in which it was done, and then counts once', async () => {
    const lost = await TestDevice.enrol(server, 'counter');
    const create = lost.create();
    const pay = lost.pay(create, 60);
    await rows('update devices set revoked_at = $2 where id = $1', [lost.info.device_id, new Date()]);
    const carried = await manager.send(...lost.signed([create, pay]));
    expect(carried[0]).toMatchObject({ status: 'refused', reply: { code: 'DEVICE_REVOKED' } });
    // A later clock is no excuse, nor is an earlier one.
    expect(carried[1]!.status).not.toBe('applied');
    const held = await manager.send(...lost.signed([pay]));
    expect(held[0]).toMatchObject({ status: 'refused', reply: { code: 'DEVICE_REVOKED' } });
    const [created, paid] = [await itemOf(create), await itemOf(pay)];
    expect((await approve(created.id, clerk)).statusCode).toBe(403);
    expect((await approve(paid.id)).json()).toMatchObject({ code: 'DEPENDENCY_PENDING' });
    expect((await approve(created.id)).json()).toMatchObject({
      success: true,
      data: { settled_at: expect.any(String) },
    });
    expect((await approve(paid.id)).statusCode).toBe(200);
    expect((await approve(paid.id)).json()).toMatchObject({ code: 'SUPERSEDES_APPLIED' });
    const { order_id } = create.payload;
    expect(await rows('select amount_minor, op_id from payments where order_id = $1', [order_id])).toMatchObject([
      { amount_minor: '6000' },
    ]);
    expect(
      await rows(
        `select kind, actor_id, device_id, uploaded_by from sync_ops where aggregate = $1 and status = 'applied' order by device_seq`,
        [create.aggregate],
      ),
    ).toEqual(
      ['order.create', 'order.pay'].map((kind) => ({
        kind,
        actor_id: lost.userId,
        device_id: lost.info.device_id,
        uploaded_by: manager.userId,
      })),
    );
    expect(await rows(`select user_id from audit_log where action = 'operation.approved'`)).toHaveLength(2);
  });

  test('cannot be approved when it was refused for another reason', async () => {
    const operation = adjust(kitchen);
    await kitchen.send(operation);
    expect((await approve((await itemOf(operation)).id)).json()).toMatchObject({ code: 'ATTENTION_NOT_APPROVABLE' });
  });
});

test('the audit log names who sent the work of somebody else', async () => {
  const own = clerk.create();
  const carried = clerk.create();
  await clerk.send(own);
  await manager.send(...clerk.signed([carried]));
  const drawer = clerk.operation('drawer.open', { drawer_id: newId(), currency: 'EUR', float: 0 });
  await manager.send(...clerk.signed([drawer]));
  const admin = await server.login('admin');
  const headers = { authorization: `Bearer ${admin}` };
  const reply = await server.app.inject({ url: `/api/audit?person=${clerk.userId}`, headers });
  const { data } = reply.json<AuditPage>();
  const uploaderOf = (wanted: (row: AuditResource) => boolean) => data.find(wanted)?.uploader;
  expect(uploaderOf(({ subject }) => subject === own.payload.number)).toBe(null);
  expect(uploaderOf(({ subject }) => subject === carried.payload.number)).toEqual({
    id: manager.userId,
    name: 'manager',
  });
  expect(uploaderOf(({ action }) => action === 'drawer.opened')).toEqual({ id: manager.userId, name: 'manager' });
});
