import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AttentionResource } from '#domain/protocol/sync.ts';
import { setListPrice } from '#tests/support/prices.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { line, TestDevice } from '#tests/support/device.ts';
import { newId } from '#tests/support/unique.ts';

let server: TestServer;
let clerk: TestDevice;
let manager: TestDevice;
let other: TestDevice;

beforeAll(async () => {
  server = await startTestServer({ demo: true });
  await setListPrice(server);
  clerk = await TestDevice.enrol(server);
  manager = await TestDevice.enrol(server, 'manager');
  other = await TestDevice.enrol(server, 'manager');
});
afterAll(() => server.close());

const settle = (
  device: TestDevice,
  id: number,
  body: object = { reason: 'Agreed with the patient' },
  headers: Record<string, string> = {},
) =>
  server.app.inject({
    method: 'POST',
    url: `/api/attention/${id}/settle`,
    headers: { ...device.headers, ...headers },
    payload: body,
  });
const rows = async (sql: string, values: unknown[]): Promise<Record<string, unknown>[]> =>
  (await server.database.$client.query(sql, values)).rows;
const stored = async (id: number) =>
  (
    await rows(
      'select settled_by, settled_reason, settled_at is not null as settled from attention_items where id = $1',
      [id],
    )
  )[0]!;
const audits = (id: number) =>
  rows(`select user_id, device_id, details from audit_log where action = 'attention.settled' and subject = $1`, [
    String(id),
  ]);

/** A treatment of 60.00 for which two tablets took 60.00 each, and its attention item. */
async function overpaid(): Promise<{ create: ReturnType<TestDevice['create']>; item: AttentionResource }> {
  const create = clerk.create();
  const paid = () => clerk.pay(create, 60, { invoice: clerk.invoice(create.payload.items) });
  await clerk.send(create, paid(), paid());
  const item = (await manager.pull()).rows.attention.find(({ order_id }) => order_id === create.payload.order_id)!;
  return { create, item };
}

describe('POST /attention/:id/settle', () => {
  test('settles an item for every device, and stores actor, time and reason on the item', async () => {
    const { item } = await overpaid();
    const before = (await other.pull()).cursor;
    const reply = await settle(manager, item.id, { reason: '  Agreed with Eva García ' });
    expect(reply.statusCode).toBe(200);
    expect(reply.json()).toMatchObject({
      success: true,
      data: { id: item.id, kind: 'overpaid', settled_at: expect.any(String) },
    });
    expect((await other.pull(before)).rows.attention).toMatchObject([{ id: item.id, settled_at: expect.any(String) }]);
    expect(await stored(item.id)).toEqual({
      settled_by: manager.userId,
      settled_reason: 'Agreed with Eva García',
      settled: true,
    });
    const [entry, ...more] = await audits(item.id);
    expect(more).toEqual([]);
    expect(entry).toMatchObject({
      user_id: manager.userId,
      device_id: manager.info.device_id,
      details: { kind: 'overpaid', number: item.details['number'] },
    });
    expect(JSON.stringify(entry)).not.toContain('Eva');
  });

  test('settles an item once when two managers do it at once, and audits it once', async () => {
    const { item } = await overpaid();
    const replies = await Promise.all(
      [manager, other, manager, other].map((device, index) => settle(device, item.id, { reason: `Reason ${index}` })),
    );
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200]);
    expect(new Set(replies.map((reply) => reply.json<{ data: AttentionResource }>().data.settled_at)).size).toBe(1);
    expect(await audits(item.id)).toHaveLength(1);
  });

  test('SYNC-4 returns the stored reply under the same key, and refuses other content', async () => {
    const { item } = await overpaid();
    const key = { 'idempotency-key': newId() };
    const first = await settle(manager, item.id, undefined, key);
    const again = await settle(manager, item.id, undefined, key);
    expect([again.body, again.headers['idempotency-replayed']]).toEqual([first.body, 'true']);
    expect((await settle(manager, item.id, { reason: 'Something else' }, key)).statusCode).toBe(422);
  });

  test('leaves an item unchanged that the server settled meanwhile', async () => {
    const { create, item } = await overpaid();
    await manager.send(
      manager.operation('order.refund', {
        order_id: create.payload.order_id,
        refund_id: newId(),
        payment_method: 'cash',
        amount: 60,
        reason: 'surplus',
        reduction: 0,
        credit_note_number: manager.number('credit_note'),
      }),
    );
    expect((await settle(manager, item.id)).statusCode).toBe(200);
    expect(await stored(item.id)).toEqual({ settled_by: null, settled_reason: null, settled: true });
    expect(await audits(item.id)).toEqual([]);
  });

  test('SYNC-11 raises a settled condition again when its amount grows', async () => {
    const { create, item } = await overpaid();
    await settle(manager, item.id);
    await clerk.send(clerk.pay(create, 10));
    const items = (await manager.pull()).rows.attention.filter(({ order_id }) => order_id === create.payload.order_id);
    expect(items.map(({ kind, settled_at, details }) => [kind, settled_at === null, details['surplus']])).toEqual([
      ['overpaid', false, 60],
      ['overpaid', true, 70],
    ]);
  });

  test('does not settle a refusal', async () => {
    const bad = clerk.create([line({ unit_price: -1 })]);
    await clerk.send(bad);
    const item = (await manager.pull()).rows.attention.find(({ op_id }) => op_id === bad.op_id)!;
    expect((await settle(manager, item.id)).json()).toMatchObject({ code: 'ATTENTION_IS_REFUSAL' });
    expect((await stored(item.id))['settled']).toBe(false);
  });

  test.each([
    ['no reason', {}],
    ['a reason that is too short', { reason: ' ab ' }],
    ['a reason that is too long', { reason: 'x'.repeat(501) }],
  ])('refuses %s', async (_title, body) => {
    const { item } = await overpaid();
    expect((await settle(manager, item.id, body)).json()).toMatchObject({ code: 'VALIDATION' });
    expect((await stored(item.id))['settled']).toBe(false);
  });

  test('leaves items of another clinic alone', async () => {
    const { item } = await overpaid();
    const stranger = await server.login('manager', { clinicId: await server.addClinic() });
    const headers = { authorization: `Bearer ${stranger}` };
    const reply = await server.app.inject({
      method: 'POST',
      url: `/api/attention/${item.id}/settle`,
      headers,
      payload: { reason: 'not mine' },
    });
    expect([reply.statusCode, reply.json<{ code: string }>().code]).toEqual([404, 'NOT_FOUND']);
    expect((await stored(item.id))['settled']).toBe(false);
  });
});
