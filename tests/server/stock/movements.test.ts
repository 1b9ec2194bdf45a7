import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { StockResource } from '#domain/stock/resources.ts';
import { newId } from '#tests/support/unique.ts';
import { BackOffice, key } from './clinic.ts';

let office: BackOffice;
let item: StockResource;
beforeAll(async () => {
  office = await BackOffice.open();
});
afterAll(() => office.server.close());
beforeEach(async () => {
  item = await office.item({ quantity: 10, cost_per_unit: 5 });
});

const level = async (id = item.id) => (await office.itemNow(id)).quantity;

describe('POST /stock/stock/{update,add,subtract}/:id', () => {
  test('sets, adds and subtracts a quantity, also below zero', async () => {
    const reply = await office.call('POST', `/stock/stock/add/${item.id}`, {
      amount: 2.5,
      notes: 'Found behind the shelf',
    });
    expect([reply.statusCode, reply.json()]).toEqual([
      200,
      { success: true, data: { stock_id: item.id, action: 'add', amount: 2.5 } },
    ]);
    expect(await level()).toBe(12.5);
    await office.call('POST', `/stock/stock/subtract/${item.id}`, { amount: 20 });
    expect(await level()).toBe(-7.5);
    await office.call('POST', `/stock/stock/update/${item.id}`, { amount: 0 });
    expect(await level()).toBe(0);
    expect(
      (
        await office.rows<{ notes: string }>('select notes from stock_transactions where stock_id = $1 order by id', [
          item.id,
        ])
      ).map(({ notes }) => notes),
    ).toContain('Found behind the shelf');
  });

  test('SYNC-4 takes effect once under one key', async () => {
    const headers = key();
    const replies = await Promise.all(
      [1, 2, 3].map(() => office.call('POST', `/stock/stock/add/${item.id}`, { amount: 1 }, headers)),
    );
    expect(await level()).toBe(11);
    expect(new Set(replies.map(({ body }) => body)).size).toBe(1);
    expect((await office.call('POST', `/stock/stock/add/${item.id}`, { amount: 2 }, headers)).statusCode).toBe(422);
  });

  test.each([
    ['add', { amount: 0 }, 'AMOUNT_INVALID'],
    ['subtract', { amount: 0 }, 'AMOUNT_INVALID'],
    ['add', { amount: -1 }, 'VALIDATION'],
    ['update', { amount: -1 }, 'VALIDATION'],
    ['add', {}, 'VALIDATION'],
    ['add', { amount: '1' }, 'VALIDATION'],
    ['add', { amount: 1e300 }, 'VALIDATION'],
    ['add', { amount: 0.0001 }, 'VALIDATION'],
    ['add', { amount: 1, notes: 'x'.repeat(10_000) }, 'VALIDATION'],
  ])('refuses to %s %o', async (verb, body, code) => {
    const reply = await office.call('POST', `/stock/stock/${verb}/${item.id}`, body);
    expect([reply.statusCode, reply.json().code]).toEqual([400, code]);
    expect(await level()).toBe(10);
  });

  test('refuses a request for a deleted item, but records a fact of a tablet', async () => {
    await office.call('DELETE', `/stock/${item.id}`);
    expect((await office.call('POST', `/stock/stock/add/${item.id}`, { amount: 1 })).json().code).toBe(
      'STOCK_NOT_FOUND',
    );
    const [result] = await office.manager.send(
      office.manager.operation('stock.adjust', { stock_id: item.id, action: 'add', amount: 1 }),
    );
    expect(result!.status).toBe('applied');
  });
});

describe('POST /stock/stock/bulk-update', () => {
  test('changes all named items, also an item that is named twice', async () => {
    const other = await office.item({ quantity: 1 });
    const reply = await office.call('POST', '/stock/stock/bulk-update', {
      updates: [
        { id: item.id, quantity: 4 },
        { stock_id: other.id, amount: 2, action: 'add', notes: 'Delivery' },
        { stock_id: item.id, amount: 1, action: 'subtract' },
        { stock_id: other.id, quantity: 7, action: 'update' },
      ],
    });
    expect([reply.statusCode, reply.json().data]).toMatchObject([
      200,
      [
        { id: item.id, quantity: 3 },
        { id: other.id, quantity: 7 },
      ],
    ]);
    expect((await office.ledgerOf(item.id)).map(({ effect }) => effect)).toEqual([10_000, -6000, -1000]);
  });

  test.each([
    ['add', 13],
    ['subtract', 7],
    ['update', 3],
    ['set', 3],
  ])('takes the type %s of a quick adjustment', async (type, quantity) => {
    const reply = await office.call('POST', '/stock/stock/bulk-update', {
      updates: [{ id: item.id, amount: 3, type, notes: 'Counted by two' }],
    });
    expect([reply.statusCode, reply.json().data]).toMatchObject([200, [{ id: item.id, quantity }]]);
  });

  test('changes nothing when a row is wrong, and names each wrong row', async () => {
    const reply = await office.call('POST', '/stock/stock/bulk-update', {
      updates: [
        { id: item.id, quantity: 4 },
        { id: 2_000_000_000, quantity: 1 },
        { id: item.id, quantity: -1 },
        { id: item.id, amount: 0, action: 'add' },
      ],
    });
    expect([reply.statusCode, reply.json()]).toMatchObject([
      400,
      {
        code: 'VALIDATION',
        details: {
          'updates.1': 'This stock item does not exist.',
          'updates.2': 'Quantity must be 0 or greater',
          'updates.3': 'Quantity must be greater than 0',
        },
      },
    ]);
    expect(reply.json().details['updates.0']).toBeUndefined();
    const incomplete = await office.call('POST', '/stock/stock/bulk-update', {
      updates: [{ quantity: 1 }, { id: item.id }, { id: item.id, type: 'add', action: 'set', amount: 1 }],
    });
    expect(incomplete.json().details).toEqual({
      'updates.0.stock_id': 'Stock item is required',
      'updates.1.quantity': 'Quantity is required',
      'updates.2.type': 'Type and action must agree',
    });
    expect(await level()).toBe(10);
  });

  test('SYNC-4 takes effect once under one key, and concurrent requests do not deadlock', async () => {
    const other = await office.item({ quantity: 0 });
    const headers = key();
    const add = (ids: number[], extra = {}) =>
      office.call(
        'POST',
        '/stock/stock/bulk-update',
        { updates: ids.map((id) => ({ id, amount: 1, action: 'add' })) },
        extra,
      );
    const replies = await Promise.all([
      add([item.id, other.id], headers),
      add([item.id, other.id], headers),
      ...Array.from({ length: 6 }, (_, n) => add(n % 2 ? [item.id, other.id] : [other.id, item.id])),
    ]);
    expect(replies.map(({ statusCode }) => statusCode)).toEqual(replies.map(() => 200));
    expect([await level(), await level(other.id)]).toEqual([17, 7]);
  });

  test.each([{}, { updates: [] }, { updates: 'all' }, { updates: [{ id: 1, quantity: '1' }] }])(
    'refuses %o',
    async (body) => {
      expect((await office.call('POST', '/stock/stock/bulk-update', body)).json().code).toBe('VALIDATION');
    },
  );
});

describe('POST /stock/reserve and /stock/unreserve', () => {
  const hold = (verb: 'reserve' | 'unreserve', quantity: number, headers = {}) =>
    office.call('POST', `/stock/${verb}`, { stock: [{ stock_id: item.id, quantity }] }, headers);

  test('reserves and releases a quantity', async () => {
    expect((await hold('reserve', 3)).json().data).toMatchObject([{ id: item.id, reserved_quantity: 3, quantity: 10 }]);
    expect((await hold('unreserve', 1)).json().data).toMatchObject([{ id: item.id, reserved_quantity: 2 }]);
    expect((await office.audited('stock.unreserved')).at(-1)).toMatchObject({
      user_id: office.manager.userId,
      details: { [`stock:${item.id}`]: -1 },
    });
  });

  test('never releases the reservations of open treatments', async () => {
    await office.call('POST', '/orders', { items: [{ stock_id: item.id, quantity: 4 }] });
    await hold('reserve', 1);
    const reply = await hold('unreserve', 2);
    expect([reply.statusCode, reply.json()]).toMatchObject([
      409,
      { code: 'HELD_TOO_LITTLE', details: { stock_id: item.id, held: 1 } },
    ]);
    expect((await office.itemNow(item.id)).reserved_quantity).toBe(5);
  });

  test('reserves all items or none, and once under one key', async () => {
    const reply = await office.call('POST', '/stock/reserve', {
      stock: [
        { stock_id: item.id, quantity: 1 },
        { stock_id: 2_000_000_000, quantity: 1 },
      ],
    });
    expect(reply.json().code).toBe('STOCK_NOT_FOUND');
    const headers = key();
    await Promise.all([hold('reserve', 1, headers), hold('reserve', 1, headers)]);
    expect((await office.itemNow(item.id)).reserved_quantity).toBe(1);
    for (const quantity of [0, -1]) expect((await hold('reserve', quantity)).statusCode).toBe(400);
  });
});

describe('POST /stock/deduct-for-order', () => {
  const order = async () =>
    (await office.call('POST', '/orders', { items: [{ stock_id: item.id, quantity: 1 }] })).json().data as {
      id: string;
    };
  const deduct = (orderId: string, stock: object[], headers = {}) =>
    office.call('POST', '/stock/deduct-for-order', { orderId, stock }, headers);

  test('deducts the named items for the treatment, in addition to its lines', async () => {
    const { id } = await order();
    const gauze = await office.item({ quantity: 5, cost_per_unit: 2 });
    const reply = await deduct(id, [
      { stock_id: gauze.id, quantity: 1 },
      { stock_id: gauze.id, quantity: 0.5 },
    ]);
    expect([reply.statusCode, reply.json().data]).toMatchObject([200, [{ id: gauze.id, quantity: 3.5 }]]);
    expect(
      await office.rows(
        'select type, reference_type, reference_id, cost_minor::int as cost from stock_transactions where stock_id = $1 and type = $2',
        [gauze.id, 'usage'],
      ),
    ).toEqual([{ type: 'usage', reference_type: 'order', reference_id: id, cost: 300 }]);
    await office.call('POST', `/payments/orders/${id}/pay`, { payment_method: 'cash', amount: 5 });
    expect(await level()).toBe(9);
    expect((await office.audited('stock.deducted')).at(-1)).toMatchObject({
      subject: id,
      details: { [`stock:${gauze.id}`]: 1.5 },
    });
  });

  test('SYNC-4 deducts once under one key', async () => {
    const { id } = await order();
    const headers = key();
    const replies = await Promise.all([1, 2].map(() => deduct(id, [{ stock_id: item.id, quantity: 2 }], headers)));
    expect(await level()).toBe(8);
    expect(replies[0]!.body).toBe(replies[1]!.body);
  });

  test('refuses the whole request when the treatment or an item does not exist', async () => {
    const { id } = await order();
    expect((await deduct(newId(), [{ stock_id: item.id, quantity: 1 }])).json().code).toBe('ORDER_NOT_FOUND');
    expect(
      (
        await deduct(id, [
          { stock_id: item.id, quantity: 1 },
          { stock_id: await office.foreignItem(), quantity: 1 },
        ])
      ).json().code,
    ).toBe('STOCK_NOT_FOUND');
    expect((await deduct('17', [{ stock_id: item.id, quantity: 1 }])).json().code).toBe('VALIDATION');
    expect(await level()).toBe(10);
  });
});
