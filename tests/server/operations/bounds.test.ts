import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { maxMinor, maxTreatmentFacts } from '#domain/limits.ts';
import type { AnyOperation, Operation } from '#domain/protocol/operations.ts';
import type { AttentionResource } from '#domain/protocol/sync.ts';
import { TestDevice, line } from '#tests/support/device.ts';
import { newId } from '#tests/support/unique.ts';
import type { Created } from '#tests/support/device.ts';
import { setListPrice } from '#tests/support/prices.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

const dayMs = 86_400_000;
const isoBefore = (ms: number): string => new Date(Date.now() - ms).toISOString();
const largest = maxMinor / 100;

let server: TestServer;
let manager: TestDevice;
let tablet: TestDevice;
beforeAll(async () => {
  server = await startTestServer({ demo: true });
  await setListPrice(server);
  manager = await TestDevice.enrol(server, 'manager');
});
beforeEach(async () => {
  tablet = await TestDevice.enrol(server);
});
afterAll(() => server.close());

const itemsOf = async (operation: AnyOperation): Promise<AttentionResource[]> =>
  (await manager.pull()).rows.attention.filter(({ op_id }) => op_id === operation.op_id);
const rows = async <T>(sql: string, ...values: unknown[]): Promise<T[]> =>
  (await server.database.$client.query(sql, values)).rows as T[];
const effectiveMs = async ({ op_id }: AnyOperation): Promise<number> =>
  (await rows<{ at: Date }>('select effective_at as at from sync_ops where op_id = $1', op_id))[0]!.at.getTime();
const changed = (create: Created, payload: Partial<Created['payload']>): Created => ({
  ...create,
  payload: { ...create.payload, ...payload },
});
/** The device has been connected for a month, so that older work of it can be real. */
const enrolledLongAgo = ({ info }: TestDevice) =>
  rows(`update devices set cleared_at = $2 where id = $1`, info.device_id, isoBefore(30 * dayMs));

describe('SYNC-14 the time of a fact', () => {
  test.each<[string, Partial<Operation>]>([
    ['1970', { occurred_at: '1970-01-01T00:00:00.000Z' }],
    [
      '1900, with an offset to the year 1000',
      { occurred_at: '1900-01-01T00:00:00.000Z', clock_offset_ms: -900 * 365 * dayMs },
    ],
    ['2099', { occurred_at: '2099-01-01T00:00:00.000Z' }],
  ])('is the arrival when the clock shows %s: the sale counts, and a manager is told once', async (_year, over) => {
    const sales = [tablet.create([line()], over), tablet.create([line()], over)];
    expect(await tablet.send(...sales)).toMatchObject([{ status: 'applied' }, { status: 'applied' }]);
    for (const sale of sales) expect(Math.abs((await effectiveMs(sale)) - Date.now())).toBeLessThan(60_000);
    expect(await itemsOf(sales[0]!)).toMatchObject([{ kind: 'clock_wrong', details: { device: tablet.info.code } }]);
    expect(await itemsOf(sales[1]!)).toEqual([]);
  });

  test('is what the device states when its clock was corrected', async () => {
    const sale = tablet.create([line()], {
      occurred_at: '1970-01-01T00:00:00.000Z',
      clock_offset_ms: Date.now() - 3600_000,
    });
    await tablet.send(sale);
    expect(Math.abs((await effectiveMs(sale)) - (Date.now() - 3600_000))).toBeLessThan(60_000);
    expect(await itemsOf(sale)).toEqual([]);
  });

  test('is told when the device had nothing to send after it, and not when it was offline', async () => {
    await enrolledLongAgo(tablet);
    const offline = tablet.create([line()], { occurred_at: isoBefore(5 * dayMs) });
    await tablet.send(offline);
    expect(await itemsOf(offline)).toEqual([]);
    await tablet.pull(undefined, 0);
    const recent = tablet.create([line()], { occurred_at: isoBefore(dayMs / 2) });
    const backdated = tablet.create([line()], { occurred_at: isoBefore(5 * dayMs) });
    expect(await tablet.send(recent, backdated)).toMatchObject([{ status: 'applied' }, { status: 'applied' }]);
    expect(await itemsOf(recent)).toEqual([]);
    expect(await itemsOf(backdated)).toMatchObject([
      { kind: 'backdated', details: { days: 5, actor: expect.any(String), device: tablet.info.code, amount: 60 } },
    ]);
  });

  test('is told when it is older than a month, whatever the device reported', async () => {
    await rows(`update devices set cleared_at = null where id = $1`, tablet.info.device_id);
    const old = tablet.create([line()], { occurred_at: isoBefore(31 * dayMs) });
    await tablet.send(old);
    expect(await itemsOf(old)).toMatchObject([{ kind: 'backdated', details: { days: 31 } }]);
  });

  test('stays that of a refused operation when somebody corrects it', async () => {
    await enrolledLongAgo(tablet);
    const { payload, ...envelope } = tablet.create([line()], { occurred_at: isoBefore(5 * dayMs) });
    const refused = { ...envelope, payload: { ...payload, items: [] } } as Created;
    await tablet.send(refused);
    await tablet.pull(undefined, 0);
    const corrected = { ...envelope, payload, op_id: newId(), supersedes: refused.op_id };
    expect(await tablet.send(corrected)).toMatchObject([{ status: 'applied' }]);
    expect(await itemsOf(corrected)).toEqual([]);
  });
});

describe('SYNC-2 money beyond the limits', () => {
  test('is refused in one line, in one plan and in one payment', async () => {
    const refusals = await tablet.send(
      tablet.create([line({ unit_price: largest + 0.01 })]),
      tablet.create([line({ unit_price: largest, quantity: 2 })]),
      tablet.create([line({ unit_price: largest }), line({ unit_price: 0.01 })]),
    );
    expect(refusals.map(({ status, reply }) => [status, 'code' in reply && reply.code])).toEqual(
      Array.from({ length: 3 }, () => ['refused', 'VALIDATION']),
    );
    const create = tablet.create();
    const paid = tablet.pay(create, largest + 0.01);
    expect(await tablet.send(create, paid)).toMatchObject([{ status: 'applied' }, { reply: { code: 'VALIDATION' } }]);
  });

  test('is refused when one treatment adds up to it, by services or by payments', async () => {
    const create = tablet.create([line({ unit_price: largest })]);
    const more = tablet.operation('order.add_services', { order_id: create.payload.order_id, items: [line()] });
    const results = await tablet.send(create, more, tablet.pay(create, largest), tablet.pay(create, 1));
    expect(results).toMatchObject([
      { status: 'applied' },
      { status: 'refused', reply: { code: 'ORDER_FULL' } },
      { status: 'applied' },
      { status: 'refused', reply: { code: 'ORDER_FULL' } },
    ]);
  });

  test('is refused to a request, before a number is taken', async () => {
    const payload = { items: [{ stock_id: 1, quantity: 1_000_000 }] };
    await rows('update stock_items set cost_minor = $1 where id = 1', maxMinor);
    const { headers } = tablet;
    const reply = await server.app.inject({ method: 'POST', url: '/api/orders', headers, payload });
    await setListPrice(server);
    expect([reply.statusCode, reply.json<{ code: string }>().code]).toEqual([400, 'AMOUNT_TOO_LARGE']);
  });

  test('SYNC-2 a treatment takes a limited number of lines', async () => {
    const create = tablet.create(Array.from({ length: 200 }, () => line()));
    const add = () =>
      tablet.operation('order.add_services', {
        order_id: create.payload.order_id,
        items: Array.from({ length: 200 }, () => line()),
      });
    await tablet.send(create);
    for (let lines = 400; lines <= maxTreatmentFacts; lines += 200)
      expect(await tablet.send(add())).toMatchObject([{ status: 'applied' }]);
    expect(await tablet.send(add())).toMatchObject([{ reply: { code: 'ORDER_FULL' } }]);
  });
});

describe('SYNC-2 an odd fact is recorded, and a manager is told who, where and how much', () => {
  const told = async (...operations: AnyOperation[]) => {
    for (const { status } of await tablet.send(...operations)) expect(status).toBe('applied');
    return itemsOf(operations.at(-1)!);
  };

  test('nothing is told of an honest sale', async () => {
    const create = tablet.create();
    const invoice = tablet.invoice(create.payload.items);
    expect(await told(create)).toEqual([]);
    expect(await told(tablet.pay(create, 60, { invoice, tendered: 100, change: 40 }))).toEqual([]);
  });

  test('nothing is told of a sale that the server completes and numbers', async () => {
    const { headers } = tablet;
    const post = (url: string, payload: object) =>
      server.app.inject({ method: 'POST', url: `/api/orders${url}`, headers, payload });
    const created = await post('', { items: [{ stock_id: 1, quantity: 1 }] });
    const { id } = created.json<{ data: { id: string } }>().data;
    const paid = await post(`/${id}/payments`, { payment_method: 'cash', amount: 100 });
    expect([created.statusCode, paid.statusCode]).toEqual([201, expect.toBeOneOf([200, 201])]);
    expect((await manager.pull()).rows.attention.filter(({ order_id }) => order_id === id)).toEqual([]);
  });

  test('another price than the catalogue has', async () => {
    expect(await told(tablet.create([line(), line({ unit_price: 0.01 })]))).toMatchObject([
      {
        kind: 'price_differs',
        details: {
          actor: expect.any(String),
          device: tablet.info.code,
          name: 'Dental cleaning',
          stated: 0.01,
          expected: 60,
          currency: 'EUR',
        },
      },
    ]);
    const [unknown] = await told(tablet.create([line({ stock_id: 999_999, name: 'Implant' })]));
    expect(unknown).toMatchObject({ kind: 'price_differs', details: { name: 'Implant', stated: 60 } });
    expect(unknown!.details).not.toHaveProperty('expected');
  });

  test('not a price that the service had while the tablet was offline', async () => {
    await enrolledLongAgo(tablet);
    await rows('update stock_items set cost_minor = 7000, updated_at = $1 where id = 1', isoBefore(0));
    const sale = await told(tablet.create([line()], { occurred_at: isoBefore(2 * dayMs) }));
    await rows(`update former_prices set until = $1`, isoBefore(40 * dayMs));
    const later = await told(tablet.create());
    await setListPrice(server);
    expect(sale).toEqual([]);
    expect(later).toMatchObject([{ kind: 'price_differs', details: { stated: 60, expected: 70 } }]);
  });

  test('a total that its lines do not add up to', async () => {
    expect(await told(changed(tablet.create(), { total: 1 }))).toMatchObject([
      { kind: 'sum_differs', details: { stated: 1, expected: 60 } },
    ]);
  });

  test('an invoice that bills other sums than its lines, and a payment that does not add up', async () => {
    const create = tablet.create();
    const invoice = { ...tablet.invoice(create.payload.items), total_amount: 1 };
    expect(await told(create, tablet.pay(create, 60, { invoice }))).toMatchObject([
      { kind: 'sum_differs', details: { stated: 1, expected: 60 } },
    ]);
    const other = tablet.create();
    expect(await told(other, tablet.pay(other, 60, { tendered: 100 }))).toMatchObject([
      { kind: 'sum_differs', details: { stated: 100, expected: 60 } },
    ]);
  });

  test('a number of another device, and one that is none', async () => {
    const other = await TestDevice.enrol(server);
    for (const number of [other.number('treatment'), 'T-S0-000900', 'INV-A1-000001', 'anything'])
      expect(await told(changed(tablet.create(), { number }))).toMatchObject([
        { kind: 'number_foreign', details: { number, actor: expect.any(String), device: tablet.info.code } },
      ]);
  });

  test('another currency', async () => {
    expect(await told(changed(tablet.create(), { currency: 'XXX' }))).toMatchObject([
      { kind: 'currency_differs', details: { currency: 'XXX' } },
    ]);
  });

  test('change that nobody carries in notes, and change on a card', async () => {
    const create = tablet.create();
    const change = 999_999.99;
    expect(await told(create, tablet.pay(create, 60, { tendered: 60 + change, change }))).toMatchObject([
      { kind: 'change_high', details: { change } },
    ]);
    const card = tablet.create();
    const pay = tablet.pay(card, 60, { payment_method: 'card', tendered: 61, change: 1 });
    expect(await told(card, pay)).toMatchObject([{ kind: 'change_high', details: { change: 1 } }]);
  });

  test('at most a hundred of a kind stay open for one device', async () => {
    const cheap = () => tablet.create([line({ unit_price: 0.01 })]);
    for (let batch = 0; batch < 3; batch++) await tablet.send(...Array.from({ length: 50 }, cheap));
    const [open] = await rows<{ count: number }>(
      `select count(*)::int as count from attention_items where kind = 'price_differs' and details ->> 'device' = $1`,
      tablet.info.code,
    );
    expect(open).toEqual({ count: 100 });
  });
});
