import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatMinor } from '#domain/money.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { line, TestDevice } from '#tests/support/device.ts';
import { newId } from '#tests/support/unique.ts';

let server: TestServer;
let tablet: TestDevice;
let item: { id: number; cost_per_unit: number; name: string };

beforeAll(async () => {
  server = await startTestServer({ demo: true });
  tablet = await TestDevice.enrol(server);
  const stock = await server.app.inject({ url: '/api/stock', headers: tablet.headers });
  item = stock
    .json()
    .stocks.find(
      (entry: { is_available: boolean; is_stocked: boolean; cost_per_unit: number }) =>
        entry.is_available && entry.is_stocked && Number.isInteger(entry.cost_per_unit * 4),
    );
});
afterAll(() => server.close());

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH';
const call = (method: Method, url: string, payload?: object, headers: Record<string, string> = {}) =>
  server.app.inject({
    method,
    url: `/api${url}`,
    headers: { ...tablet.headers, ...headers },
    ...(payload && { payload }),
  });
const create = async (payload: object = { items: [{ stock_id: item.id, quantity: 2 }] }) =>
  (await call('POST', '/orders', payload)).json().data;

describe('a request that the server completes', () => {
  test('creates a confirmed treatment at the current price, under a number of the server', async () => {
    const reply = await call('POST', '/orders', {
      items: [{ stock_id: item.id, quantity: 2 }],
      order_type: 'takeout',
      notes: 'left side',
    });
    expect(reply.statusCode).toBe(201);
    expect(reply.json().data).toMatchObject({
      status: 'confirmed',
      order_type: 'take_away',
      notes: 'left side',
      number: expect.stringMatching(/^T-S0-\d{6}$/),
      price: item.cost_per_unit * 2,
      balance: item.cost_per_unit * 2,
    });
  });

  test.each([
    ['an empty plan', () => ({ items: [] }), 'ORDER_EMPTY', 400],
    ['a missing plan', () => ({}), 'ORDER_EMPTY', 400],
    ['a meal without items', () => ({ order_type: 'dine_in', items: [] }), 'ORDER_ITEMS_REQUIRED', 400],
    ['a delivery without items', () => ({ order_type: 'delivery', items: [] }), 'ORDER_ITEMS_REQUIRED', 400],
    ['an unknown service', () => ({ items: [{ stock_id: 2_000_000_000, quantity: 1 }] }), 'ITEM_UNKNOWN', 400],
    ['a quantity of 0', () => ({ items: [{ stock_id: item.id, quantity: 0 }] }), 'QUANTITY_INVALID', 400],
    ['half a service', () => ({ items: [{ stock_id: item.id, quantity: 0.5 }] }), 'QUANTITY_INVALID', 400],
    [
      'an unknown order type',
      () => ({ order_type: 'by post', items: [{ stock_id: item.id, quantity: 1 }] }),
      'VALIDATION',
      400,
    ],
  ])('refuses %s', async (_title, payload, code, status) => {
    const reply = await call('POST', '/orders', payload());
    expect(reply.statusCode).toBe(status);
    expect(reply.json()).toMatchObject({ success: false, code });
  });

  test('adds services, takes a partial and a final payment, and issues one invoice', async () => {
    const { id, price } = await create();
    const added = await call('PATCH', `/orders/${id}`, { order_id: id, items: [{ stock_id: item.id, quantity: 1 }] });
    expect(added.json().data.OrderItems.length).toBe(2);
    const total = price + item.cost_per_unit;
    const part = await call('POST', `/payments/orders/${id}/pay`, {
      payment_method: 'card',
      amount: 10,
      reference_number: 'A-1',
    });
    expect(part.json().data).toMatchObject({ status: 'confirmed', paid: 10, Invoice: null });
    const rest = await call('POST', `/orders/${id}/payments`, { payment_method: 'cash', amount: total });
    expect(rest.json().data).toMatchObject({
      status: 'completed',
      balance: 0,
      Receipt: { change_given: 10, payment_method: 'cash' },
      Invoice: { total_amount: total, notes: '', invoice_number: expect.stringMatching(/^INV-S0-/) },
    });
    const { printed, invoice_number } = rest.json().data.Invoice as {
      printed: { left?: string; right?: string }[];
      invoice_number: string;
    };
    const document = printed.map(({ left, right }) => `${left ?? ''} ${right ?? ''}`).join('\n');
    for (const text of [invoice_number, item.name, formatMinor(total * 100), 'A-1']) expect(document).toContain(text);
    expect((await call('GET', `/orders/${id}/payment-summary`)).json().data).toEqual({
      total,
      reduction: 0,
      owed: total,
      paid: total,
      balance: 0,
    });
    expect(
      (await call('GET', `/orders/${id}/payments`)).json().data.map((payment: { amount: number }) => payment.amount),
    ).toEqual([10, total - 10]);
  });

  test.each([
    ['a negative amount', { payment_method: 'cash', amount: -5 }, 'AMOUNT_INVALID'],
    ['no amount', { payment_method: 'cash', amount: 0 }, 'AMOUNT_INVALID'],
    ['more than is due by card', { payment_method: 'card', amount: 999_999 }, 'AMOUNT_EXCEEDS_BALANCE'],
    ['an unknown method', { payment_method: 'shells', amount: 5 }, 'VALIDATION'],
    ['a third of a cent', { payment_method: 'cash', amount: 0.333 }, 'VALIDATION'],
  ])('refuses to take %s', async (_title, payload, code) => {
    const { id } = await create();
    const reply = await call('POST', `/payments/orders/${id}/pay`, payload);
    expect(reply.json()).toMatchObject({ success: false, code });
    expect((await call('GET', `/orders/${id}`)).json().data.paid).toBe(0);
  });

  test('prints what a payment notes on the invoice that it issues, and returns it', async () => {
    const { id, price } = await create();
    const paid = await call('POST', `/orders/${id}/payments`, {
      payment_method: 'card',
      amount: price,
      notes: 'Rinse with salt water for three days',
    });
    const { Invoice } = (await call('GET', `/orders/${id}`)).json().data;
    expect([paid.json().data.Invoice, Invoice.notes]).toMatchObject([
      { notes: 'Rinse with salt water for three days' },
      'Rinse with salt water for three days',
    ]);
    expect(JSON.stringify(Invoice.printed)).toContain('Rinse with salt water for three days');
  });

  test('adds the service charge to what other systems ask for, and none to a walk-in or to a fact', async () => {
    const admin = { authorization: `Bearer ${await server.login('admin')}` };
    const set = (rate: number) =>
      server.app.inject({
        method: 'PUT',
        url: '/api/settings',
        headers: admin,
        payload: { service_charge_rate: rate },
      });
    expect((await set(10)).statusCode).toBe(200);
    const items = [{ stock_id: item.id, quantity: 1 }];
    const [scheduled, walkIn, agreed] = [
      await create({ items, order_type: 'scheduled' }),
      await create({ items }),
      await create({ items, order_type: 'scheduled', service_charge: 0 }),
    ];
    const due = Math.round(item.cost_per_unit * 110) / 100;
    expect([scheduled.price, walkIn.price, agreed.price]).toEqual([due, item.cost_per_unit, item.cost_per_unit]);
    const paid = await call('POST', `/orders/${scheduled.id}/payments`, { payment_method: 'card', amount: due });
    expect(paid.json().data.Invoice).toMatchObject({ total_amount: due, service_charge_percentage: 10 });
    await set(0);
  });

  test('cancels an unpaid treatment and refuses to cancel a paid one', async () => {
    const unpaid = await create();
    expect((await call('PUT', `/orders/${unpaid.id}/status`, { status: 'cancelled' })).json().data.status).toBe(
      'cancelled',
    );
    const paid = await create();
    await call('POST', `/payments/orders/${paid.id}/pay`, { payment_method: 'cash', amount: paid.price });
    expect((await call('PUT', `/orders/${paid.id}/status`, { status: 'cancelled' })).json().code).toBe(
      'ORDER_HAS_PAYMENTS',
    );
    expect((await call('PUT', `/orders/${paid.id}/status`, { status: 'served' })).json().code).toBe(
      'STATUS_NOT_SETTABLE',
    );
  });

  test('returns 404 when the treatment does not exist', async () => {
    for (const [method, url, payload] of [
      ['GET', ''],
      ['GET', '/payments'],
      ['GET', '/payment-summary'],
      ['PATCH', '', { items: [{ stock_id: 1, quantity: 1 }] }],
      ['PUT', '/status', { status: 'cancelled' }],
      ['POST', '/payments', { payment_method: 'cash', amount: 1 }],
    ] as const) {
      const reply = await call(method, `/orders/${newId()}${url}`, payload);
      expect([reply.statusCode, reply.json().code]).toEqual([404, 'ORDER_NOT_FOUND']);
    }
  });
});

describe('a line that a treatment has already', () => {
  const state = async (id: string) => {
    const [row] = (
      await server.database.$client.query('select total_minor, subtotal_minor from orders where id = $1', [id])
    ).rows as { total_minor: string; subtotal_minor: string }[];
    const { data } = (await call('GET', `/orders/${id}`)).json();
    return {
      stored: [Number(row!.total_minor), Number(row!.subtotal_minor)],
      price: data.price,
      lines: data.OrderItems.length,
    };
  };

  test('is not added again by a request that repeats its id', async () => {
    const added = { stock_id: item.id, quantity: 1, line_id: newId() };
    const { id } = await create({ items: [{ stock_id: item.id, quantity: 1 }] });
    for (const _ of [1, 2]) {
      const reply = await call('PATCH', `/orders/${id}`, { items: [added] });
      expect([reply.statusCode, reply.json().data.price]).toEqual([200, item.cost_per_unit * 2]);
    }
    const minor = Math.round(item.cost_per_unit * 200);
    expect(await state(id)).toEqual({ stored: [minor, minor], price: item.cost_per_unit * 2, lines: 2 });
  });

  test('is not added again by a tablet, and the new ones beside it are', async () => {
    const [known, other] = [line({ unit_price: 50 }), line({ unit_price: 7 })];
    const created = tablet.create([known]);
    const { order_id } = created.payload;
    const results = await tablet.send(
      created,
      tablet.operation('order.add_services', { order_id, items: [{ ...known, unit_price: 90 }, other] }),
    );
    expect(results.map(({ status }) => status)).toEqual(['applied', 'applied']);
    expect(await state(order_id)).toEqual({ stored: [5700, 5700], price: 57, lines: 2 });
  });
});

describe('SYNC-4 the Idempotency-Key header', () => {
  test('is a space of each person, also for the treatments that they create', async () => {
    const other = await TestDevice.enrol(server, 'manager');
    const key = { 'idempotency-key': 'till 3, sale 18' };
    const body = { items: [{ stock_id: item.id, quantity: 1 }] };
    const [own, others] = [
      await call('POST', '/orders', body, key),
      await call('POST', '/orders', body, { ...key, ...other.headers }),
    ];
    expect([own.statusCode, others.statusCode]).toEqual([201, 201]);
    expect(others.json().data.id).not.toBe(own.json().data.id);
    expect((await call('POST', '/orders', body, key)).body).toBe(own.body);
  });

  test('creates and pays once when a request is repeated', async () => {
    const key = { 'idempotency-key': newId() };
    const body = { items: [{ stock_id: item.id, quantity: 1 }] };
    const first = await call('POST', '/orders', body, key);
    const again = await call('POST', '/orders', body, key);
    expect(again.statusCode).toBe(201);
    expect(again.body).toBe(first.body);
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(first.headers['idempotency-replayed']).toBeUndefined();
  });

  test('accepts any text as a key', async () => {
    const key = { 'idempotency-key': 'till 3, sale 17' };
    const first = await call('POST', '/orders', { items: [{ stock_id: item.id, quantity: 1 }] }, key);
    const again = await call('POST', '/orders', { items: [{ stock_id: item.id, quantity: 1 }] }, key);
    expect([first.statusCode, again.body]).toEqual([201, first.body]);
    expect(
      (
        await call(
          'POST',
          '/orders',
          { items: [{ stock_id: item.id, quantity: 1 }] },
          { 'idempotency-key': 'x'.repeat(201) },
        )
      ).statusCode,
    ).toBe(400);
  });

  test('returns 422 for other content under the same key', async () => {
    const key = { 'idempotency-key': newId() };
    await call('POST', '/orders', { items: [{ stock_id: item.id, quantity: 1 }] }, key);
    const reply = await call('POST', '/orders', { items: [{ stock_id: item.id, quantity: 2 }] }, key);
    expect([reply.statusCode, reply.json().code]).toEqual([422, 'IDEMPOTENCY_MISMATCH']);
  });

  test('returns a stored refusal again', async () => {
    const key = { 'idempotency-key': newId() };
    const first = await call('POST', '/orders', { items: [] }, key);
    const again = await call('POST', '/orders', { items: [] }, key);
    expect([again.statusCode, again.body]).toEqual([400, first.body]);
    expect(again.headers['idempotency-replayed']).toBe('true');
  });
});

describe('GET /orders', () => {
  test('filters by status, page by page', async () => {
    const reply = (await call('GET', '/orders?status=confirmed&per_page=2')).json();
    expect(reply.data.length).toBe(2);
    expect(reply.data.every((order: { status: string }) => order.status === 'confirmed')).toBe(true);
    expect(reply.pagination).toMatchObject({ page: 1, per_page: 2, total: expect.any(Number) });
  });

  test.each(['pending', 'preparing', 'ready', 'served'])(
    'finds no treatment that is %s, a status of single services only',
    async (status) => {
      const reply = await call('GET', `/orders?status=${status}`);
      expect([reply.statusCode, reply.json().pagination.total]).toEqual([200, 0]);
      expect((await call('GET', '/orders?status=lost')).statusCode).toBe(400);
    },
  );

  test('filters by type and by business day, in parts of a bounded size', async () => {
    await create({ items: [{ stock_id: item.id, quantity: 1 }], order_type: 'delivery' });
    const found = async (query: string) => (await call('GET', `/orders?${query}`)).json();
    const delivered = await found('type=delivery&limit=1');
    expect(delivered.data).toMatchObject([{ order_type: 'delivery' }]);
    expect(delivered.pagination).toMatchObject({ page: 1, per_page: 1 });
    const [day] = (delivered.data[0].created_at as string).split('T');
    expect((await found(`type=delivery&start_date=${day}&end_date=2999-01-01`)).pagination.total).toBe(
      delivered.pagination.total,
    );
    expect((await found('type=delivery&end_date=2001-01-01')).data).toEqual([]);
    expect(
      (await found('type=takeout')).data.every((one: { order_type: string }) => one.order_type === 'take_away'),
    ).toBe(true);
    for (const query of ['limit=201', 'limit=0', 'type=cruise', 'start_date=yesterday'])
      expect([query, (await found(query)).code]).toEqual([query, 'VALIDATION']);
  });

  test('treats wildcards in a search as text', async () => {
    expect((await call('GET', '/orders?search=%25')).json().pagination.total).toBe(0);
  });
});

describe('SYNC-10 stock follows treatments', () => {
  const level = async () => {
    const stock = (await call('GET', '/stock')).json().stocks.find((entry: { id: number }) => entry.id === item.id);
    return { quantity: stock.quantity, reserved: stock.reserved_quantity };
  };

  test('reserves supplies of open treatments, and deducts them once on completion', async () => {
    const before = await level();
    const order = await create({ items: [{ stock_id: item.id, quantity: 3 }] });
    expect(await level()).toEqual({ quantity: before.quantity, reserved: before.reserved + 3 });
    await call('POST', `/payments/orders/${order.id}/pay`, { payment_method: 'cash', amount: order.price });
    expect(await level()).toEqual({ quantity: before.quantity - 3, reserved: before.reserved });
    await call('PATCH', `/orders/${order.id}`, { items: [{ stock_id: item.id, quantity: 1 }] });
    await call('POST', `/payments/orders/${order.id}/pay`, { payment_method: 'cash', amount: item.cost_per_unit });
    expect(await level()).toEqual({ quantity: before.quantity - 4, reserved: before.reserved });
  });

  test('releases the reservation when a treatment is cancelled', async () => {
    const before = await level();
    const order = await create();
    await call('PUT', `/orders/${order.id}/status`, { status: 'cancelled' });
    expect(await level()).toEqual(before);
  });
});
