import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnyOperation } from '#domain/protocol/operations.ts';
import { line, TestDevice } from '#tests/support/device.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { newId } from '#tests/support/unique.ts';

let server: TestServer;
let clerk: TestDevice;
let other: TestDevice;
let kitchen: TestDevice;
let manager: TestDevice;
beforeAll(async () => {
  server = await startTestServer();
  clerk = await TestDevice.enrol(server);
  other = await TestDevice.enrol(server, 'server');
  kitchen = await TestDevice.enrol(server, 'kitchen');
  manager = await TestDevice.enrol(server, 'manager');
});
afterAll(() => server.close());

const replacement = (device: TestDevice, old: ReturnType<TestDevice['create']>, price = 10): AnyOperation =>
  device.operation(
    'order.create',
    { ...old.payload, items: [line({ unit_price: price })] },
    { aggregate: old.aggregate, supersedes: old.op_id },
  );

const isOpen = async (old: AnyOperation): Promise<boolean> => {
  const item = (await manager.pull()).rows.attention.find(({ op_id }) => op_id === old.op_id);
  return item?.settled_at === null;
};

test('SYNC-7 a refused operation closes no operation of another person, nor its notice', async () => {
  const refused = clerk.create([line({ unit_price: -5 })]);
  await clerk.send(refused);
  for (const price of [10, -5]) {
    const attempt = replacement(kitchen, refused, price);
    expect(await kitchen.send(attempt)).toMatchObject([{ status: 'refused' }]);
    expect(await isOpen(refused)).toBe(true);
  }
  expect(await clerk.send(replacement(clerk, refused))).toMatchObject([{ status: 'applied' }]);
  expect(await isOpen(refused)).toBe(false);
});

test('SYNC-7 a refused operation does not close an operation that has not arrived', async () => {
  const unsent = clerk.create();
  for (const price of [10, -5])
    expect(await kitchen.send(replacement(kitchen, unsent, price))).toMatchObject([{ status: 'refused' }]);
  expect(await clerk.send(unsent)).toMatchObject([{ status: 'applied' }]);
});

test('SYNC-7 a valid operation of another person is refused as a replacement, unless a manager makes it', async () => {
  const refused = clerk.create([line({ unit_price: -5 })]);
  await clerk.send(refused);
  expect(await other.send(replacement(other, refused))).toMatchObject([
    { status: 'refused', reply: { code: 'FORBIDDEN' } },
  ]);
  expect(await isOpen(refused)).toBe(true);
  expect(await manager.send(replacement(manager, refused))).toMatchObject([{ status: 'applied' }]);
  expect(await isOpen(refused)).toBe(false);
});

test('SYNC-8 the notice of an unproven operation stays open when another operation replaces it', async () => {
  const forged = { ...clerk.create(), proof: 'A'.repeat(43) } as AnyOperation & ReturnType<TestDevice['create']>;
  expect(await clerk.send(forged)).toMatchObject([{ reply: { code: 'PROOF_INVALID' } }]);
  expect(await isOpen(forged)).toBe(true);
  expect(await clerk.send(replacement(clerk, forged))).toMatchObject([{ status: 'applied' }]);
  expect(await isOpen(forged)).toBe(true);
});

test('SYNC-7 an applied operation does not close one of another person that has not arrived', async () => {
  const unsent = clerk.create();
  const forged = replacement(other, unsent);
  expect(
    await other.send({ ...forged, payload: { ...forged.payload, order_id: newId() } } as AnyOperation),
  ).toMatchObject([{ status: 'refused' }]);
  const elsewhere = other.create();
  const closing = { ...elsewhere, supersedes: unsent.op_id };
  expect(await other.send(closing)).toMatchObject([{ status: 'applied' }]);
  const [first, again] = [await clerk.send(unsent), await clerk.send(unsent)];
  expect(first).toMatchObject([{ status: 'applied', replayed: false }]);
  expect(again).toMatchObject([{ status: 'applied', replayed: true, reply: first[0]!.reply }]);
  expect((await clerk.pull()).rows.orders.map(({ id }) => id)).toEqual(
    expect.arrayContaining([elsewhere.payload.order_id, unsent.payload.order_id]),
  );
});

test('SYNC-7 an operation that has not arrived stays closed for its own actor, and for all once a manager replaced it', async () => {
  for (const closer of [clerk, manager]) {
    const unsent = clerk.create();
    expect(await closer.send({ ...closer.create(), supersedes: unsent.op_id })).toMatchObject([{ status: 'applied' }]);
    expect(await clerk.send(unsent)).toMatchObject([{ status: 'refused', reply: { code: 'SUPERSEDED' } }]);
  }
});

test('SYNC-7 an operation without proof does not open one that is closed', async () => {
  const unsent = clerk.create();
  await other.send({ ...other.create(), supersedes: unsent.op_id });
  const unproven = { ...unsent, proof: 'A'.repeat(43) };
  expect(await clerk.send(unproven)).toMatchObject([{ status: 'refused' }]);
  expect(await clerk.send(unsent)).toMatchObject([{ status: 'applied' }]);
});

test('SYNC-7 a clerk replaces a refused refund by nothing but a refund, so a notice of it stays open', async () => {
  const created = clerk.create();
  const items = [line()];
  await clerk.send(created, clerk.pay(created, 60));
  const { order_id } = created.payload;
  const refund = clerk.operation('order.refund', {
    order_id,
    refund_id: newId(),
    payment_method: 'cash',
    amount: 60,
    reason: 'Not done',
    reduction: 60,
    credit_note_number: clerk.number('credit_note'),
  });
  expect(await clerk.send(refund)).toMatchObject([{ status: 'refused', reply: { code: 'FORBIDDEN' } }]);
  for (const price of [10, -5]) {
    const more = clerk.operation(
      'order.add_services',
      { order_id, items: items.map((item) => ({ ...item, line_id: newId(), unit_price: price })) },
      { supersedes: refund.op_id },
    );
    expect(await clerk.send(more)).toMatchObject([{ status: 'refused', reply: { code: 'VALIDATION' } }]);
    expect(await isOpen(refund)).toBe(true);
  }
  const again = { ...refund, op_id: newId(), supersedes: refund.op_id };
  expect(await clerk.send(again)).toMatchObject([{ status: 'refused', reply: { code: 'FORBIDDEN' } }]);
  expect([await isOpen(refund), await isOpen(again)]).toEqual([false, true]);
});

describe('the key of a REST call', () => {
  const write = (device: TestDevice, key: string, url = '/api/auth/me', payload: object = { name: 'Another Name' }) =>
    server.app.inject({
      method: url === '/api/auth/me' ? 'PUT' : 'POST',
      url,
      headers: { ...device.headers, 'idempotency-key': key },
      payload,
    });

  test('closes no operation of that id', async () => {
    for (const device of [kitchen, clerk]) {
      const unsent = clerk.create();
      expect((await write(device, unsent.op_id)).statusCode).toBe(200);
      expect(await clerk.send(unsent)).toMatchObject([{ status: 'applied' }]);
    }
  });

  test('is one of its person and its route', async () => {
    const key = newId();
    const room = { number: 'R 1', location: 'First floor', capacity: 1 };
    const first = await write(manager, key);
    const again = await write(manager, key);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.body).toBe(first.body);
    for (const reply of [await write(kitchen, key), await write(manager, key, '/api/rooms', room)])
      expect(reply.headers['idempotency-replayed']).toBeUndefined();
    expect((await write(manager, key, '/api/auth/me', { name: 'A third name' })).json()).toMatchObject({
      code: 'IDEMPOTENCY_MISMATCH',
    });
  });
});
