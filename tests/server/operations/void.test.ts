import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AnyOperation, Operation, PayloadOf } from '#domain/protocol/operations.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { line, TestDevice } from '#tests/support/device.ts';
import { newId } from '#tests/support/unique.ts';

let server: TestServer;
let tablet: TestDevice;
let manager: TestDevice;

beforeAll(async () => {
  server = await startTestServer({ demo: true });
  tablet = await TestDevice.enrol(server);
  manager = await TestDevice.enrol(server, 'manager');
});
afterAll(() => server.close());

const rows = async (sql: string, values: unknown[]): Promise<Record<string, unknown>[]> =>
  (await server.database.$client.query(sql, values)).rows;
const audited = (opId: string) =>
  rows(`select user_id, device_id, details from audit_log where action = 'operation.voided' and subject = $1`, [opId]);
const receipt = async (opId: string) =>
  (await rows('select status, superseded_by, kind from sync_ops where op_id = $1', [opId]))[0];

/** A void by `device`; `supersedes` defaults to the voided operation. */
function voiding(
  device: TestDevice,
  target: AnyOperation,
  payload: Partial<PayloadOf['operation.void']> = {},
  over: Partial<Operation> = {},
): AnyOperation {
  return device.operation(
    'operation.void',
    { op_id: target.op_id, reason: 'Entered twice', ...payload },
    { aggregate: target.aggregate, supersedes: target.op_id, ...over },
  );
}

const malformed = (): ReturnType<TestDevice['create']> => tablet.create([line({ unit_price: -5 })]);

describe('SYNC-7 a void is an operation', () => {
  test('closes the refused operation, settles its attention item, is audited, and has no other effect', async () => {
    const refused = malformed();
    await tablet.send(refused);
    const act = voiding(manager, refused);
    expect((await manager.send(act))[0]).toMatchObject({
      status: 'applied',
      reply: { success: true, data: { voided: refused.op_id } },
    });
    expect(await receipt(refused.op_id)).toMatchObject({ status: 'refused', superseded_by: act.op_id });
    const attention = (await manager.pull()).rows.attention.find((item) => item.op_id === refused.op_id);
    expect(attention?.settled_at).toBeTruthy();
    expect(await rows('select 1 from orders where id = $1', [refused.payload.order_id])).toEqual([]);
    const [entry, ...more] = await audited(refused.op_id);
    expect(more).toEqual([]);
    expect(entry).toMatchObject({
      user_id: manager.userId,
      device_id: manager.info.device_id,
      details: { void: act.op_id, kind: 'order.create', number: refused.payload.number, aggregate: refused.aggregate },
    });
    expect(JSON.stringify(entry)).not.toContain('Entered twice');
    expect(await rows(`select payload ->> 'reason' as reason from sync_ops where op_id = $1`, [act.op_id])).toEqual([
      { reason: 'Entered twice' },
    ]);
  });

  test('takes effect once, however often it and its target arrive', async () => {
    const refused = malformed();
    await tablet.send(refused);
    const act = voiding(manager, refused);
    const [first, again] = [await manager.send(act), await manager.send(act)];
    expect(again[0]).toMatchObject({ status: 'applied', replayed: true, reply: first[0]!.reply });
    expect(await audited(refused.op_id)).toHaveLength(1);
  });

  test('closes an operation that never arrived, and refuses it when it arrives', async () => {
    const lost = tablet.create();
    const act = voiding(manager, lost, { voided: { kind: 'order.create', number: lost.payload.number, amount: 60 } });
    expect((await manager.send(act))[0]!.status).toBe('applied');
    expect((await tablet.send(lost))[0]).toMatchObject({ status: 'refused', reply: { code: 'SUPERSEDED' } });
    expect(await receipt(lost.op_id)).toMatchObject({ status: 'refused', superseded_by: act.op_id, kind: 'absent' });
    expect(await rows('select 1 from orders where id = $1', [lost.payload.order_id])).toEqual([]);
    expect((await audited(lost.op_id))[0]).toMatchObject({
      details: { kind: 'order.create', number: lost.payload.number, amount: 60 },
    });
  });

  test('describes its target when the server could not read the target', async () => {
    const unread = { ...tablet.create(), kind: 'order.unheard_of' } as unknown as AnyOperation;
    await tablet.send(unread);
    expect(await receipt(unread.op_id)).toMatchObject({ status: 'refused', kind: 'unknown' });
    const act = voiding(manager, unread, { voided: { kind: 'order.create', number: 'T-X1-000001', amount: 75 } });
    expect((await manager.send(act))[0]!.status).toBe('applied');
    expect((await audited(unread.op_id))[0]).toMatchObject({
      details: { kind: 'order.create', number: 'T-X1-000001', amount: 75 },
    });
  });

  test('is refused when its target was applied', async () => {
    const create = tablet.create();
    await tablet.send(create);
    expect((await manager.send(voiding(manager, create)))[0]).toMatchObject({
      status: 'refused',
      reply: { code: 'SUPERSEDES_APPLIED' },
    });
    expect(await receipt(create.op_id)).toMatchObject({ status: 'applied', superseded_by: null });
    expect(await audited(create.op_id)).toEqual([]);
  });

  test('is refused when a clerk does it, and the tray stays unchanged', async () => {
    const refused = malformed();
    await tablet.send(refused);
    const attempt = voiding(tablet, refused);
    expect((await tablet.send(attempt))[0]).toMatchObject({ status: 'refused', reply: { code: 'FORBIDDEN' } });
    expect(await receipt(refused.op_id)).toMatchObject({ superseded_by: null });
    const item = (await manager.pull()).rows.attention.find(({ op_id }) => op_id === refused.op_id);
    expect(item?.settled_at).toBeNull();

    // A manager repeats the void: it closes both the refused void and its target.
    const act = voiding(manager, refused, {}, { supersedes: attempt.op_id });
    expect((await manager.send(act))[0]!.status).toBe('applied');
    for (const opId of [refused.op_id, attempt.op_id])
      expect(await receipt(opId)).toMatchObject({ superseded_by: act.op_id });
    const open = (await manager.pull()).rows.attention
      .filter(({ settled_at }) => settled_at === null)
      .map(({ op_id }) => op_id);
    expect(open).not.toContain(refused.op_id);
    expect(open).not.toContain(attempt.op_id);
  });

  test('needs a reason, the superseded operation, and the aggregate of its target', async () => {
    const refused = malformed();
    await tablet.send(refused);
    const wrong = [
      voiding(manager, refused, { reason: '  x ' }),
      voiding(manager, refused, {}, { supersedes: undefined }),
      voiding(manager, refused, {}, { aggregate: `order:${newId()}` }),
      voiding(manager, refused, { op_id: 'no id' }),
    ];
    const results = await manager.send(...wrong);
    for (const result of results) expect(result).toMatchObject({ status: 'refused', reply: { code: 'VALIDATION' } });
    expect(await receipt(refused.op_id)).toMatchObject({ superseded_by: null });
  });

  test('refuses dependants of the voided operation, and applies later operations', async () => {
    const create = tablet.create();
    const more = tablet.operation(
      'order.add_services',
      { order_id: create.payload.order_id, items: [line({ unit_price: -5 })] },
      { depends_on: [create.op_id] },
    );
    const pay = tablet.pay(create, 60, {}, { depends_on: [more.op_id] });
    expect((await tablet.send(create, more, pay)).map(({ status }) => status)).toEqual([
      'applied',
      'refused',
      'waiting',
    ]);
    const act = voiding(manager, more);
    await manager.send(act);
    expect((await tablet.send(pay))[0]).toMatchObject({ status: 'refused', reply: { code: 'DEPENDENCY_VOIDED' } });
    const after = tablet.pay(create, 60, {}, { depends_on: [act.op_id] });
    expect((await tablet.send(after))[0]!.status).toBe('applied');
  });

  test('refuses every later replacement of its target', async () => {
    const refused = tablet.operation('stock.adjust', { stock_id: 1, action: 'add', amount: 5 });
    await tablet.send(refused);
    expect((await manager.send(voiding(manager, refused)))[0]!.status).toBe('applied');
    const retry = manager.operation(
      'stock.adjust',
      { stock_id: 1, action: 'add', amount: 5 },
      { supersedes: refused.op_id },
    );
    const again = manager.operation(
      'stock.adjust',
      { stock_id: 1, action: 'add', amount: 5 },
      { supersedes: retry.op_id },
    );
    for (const attempt of [retry, again]) {
      expect((await manager.send(attempt))[0]).toMatchObject({
        status: 'refused',
        reply: { code: 'SUPERSEDES_APPLIED' },
      });
    }
    expect((await manager.send(voiding(manager, retry)))[0]!.status).toBe('applied');
  });

  test('reaches the device that queued its target through the feed', async () => {
    const refused = malformed();
    await tablet.send(refused);
    const before = await tablet.pull();
    const act = voiding(manager, refused);
    await manager.send(act);
    const { receipts } = await tablet.pull(before.cursor);
    expect(receipts).toContainEqual(
      expect.objectContaining({ op_id: refused.op_id, status: 'refused', superseded_by: act.op_id }),
    );
  });
});

describe('SYNC-4 the tray of a lost tablet', () => {
  test('shows managers the actor, kind, time, device and amount of each refused operation', async () => {
    const refused = tablet.create([line()], { occurred_at: '2026-01-05T10:00:00.000Z' });
    await tablet.send({ ...refused, payload: { ...refused.payload, customer_name: 'x'.repeat(201) } });
    const item = (await manager.pull()).rows.attention.find(({ op_id }) => op_id === refused.op_id);
    expect(item).toMatchObject({
      kind: 'refused',
      op_kind: 'order.create',
      order_id: refused.payload.order_id,
      details: {
        code: 'VALIDATION',
        actor_id: tablet.userId,
        actor: expect.any(String),
        device: tablet.info.code,
        number: refused.payload.number,
        amount: 60,
        aggregate: refused.aggregate,
        occurred_at: '2026-01-05T10:00:00.000Z',
      },
    });
    expect(JSON.stringify(item)).not.toContain('xxx');
  });
});
