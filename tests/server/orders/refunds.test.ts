import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { linePrices } from '#domain/order/line-prices.ts';
import { orderResource } from '#domain/order/to-resource.ts';
import type { OrderResource } from '#domain/order/resource.ts';
import type { AnyOperation, PayloadOf } from '#domain/protocol/operations.ts';
import type { CreditNotePayload } from '#domain/order/order.ts';
import type { AttentionResource } from '#domain/protocol/sync.ts';
import { setListPrice } from '#tests/support/prices.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { line, TestDevice } from '#tests/support/device.ts';
import { newId } from '#tests/support/unique.ts';
import type { Created } from '#tests/support/device.ts';
import { insertStockItem } from '#tests/support/stock.ts';

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

const creditNote: CreditNotePayload = {
  issued_at: '2026-05-12T10:00:00.000Z',
  language: 'sp',
  total_amount: -60,
  printed: [
    { style: 'title', left: 'Factura rectificativa' },
    { style: 'total', left: 'Importe devuelto', right: 'EUR 60,00' },
  ],
};

const sameId = newId();

/** A treatment of 60.00 that each of the devices pays in full. */
async function paid(...payers: TestDevice[]): Promise<Created> {
  return await payInFull(clerk.create(), ...payers);
}

async function payInFull(create: Created, ...payers: TestDevice[]): Promise<Created> {
  await clerk.send(create);
  for (const payer of payers) await payer.send(payer.pay(create, 60, { invoice: payer.invoice(create.payload.items) }));
  return create;
}

function refunding(
  device: TestDevice,
  { payload: { order_id } }: Created,
  over: Partial<PayloadOf['order.refund']> = {},
): AnyOperation {
  const amount = over.amount ?? 60;
  return device.operation('order.refund', {
    order_id,
    refund_id: newId(),
    payment_method: 'cash',
    amount,
    reason: 'not satisfied',
    reduction: amount,
    credit_note_number: device.number('credit_note'),
    credit_note: { ...creditNote, total_amount: -amount },
    ...over,
  });
}

const orderOf = async ({ payload }: Created): Promise<OrderResource> =>
  (await server.app.inject({ url: `/api/orders/${payload.order_id}`, headers: clerk.headers })).json<{
    data: OrderResource;
  }>().data;
const concernsAbout = async ({ payload }: Created): Promise<AttentionResource[]> =>
  (await manager.pull()).rows.attention.filter(({ order_id }) => order_id === payload.order_id);
const open = (items: AttentionResource[]) =>
  items.filter(({ settled_at }) => settled_at === null).map(({ kind, details }) => [kind, details['surplus']]);
const call = (device: TestDevice, url: string, payload: object, headers: Record<string, string> = {}) =>
  server.app.inject({ method: 'POST', url: `/api${url}`, headers: { ...device.headers, ...headers }, payload });

describe('a refund uploaded as a fact', () => {
  test('SYNC-11 cancels the treatment when it is full, and every device gets its credit note unchanged', async () => {
    const create = await paid(clerk);
    const refund = refunding(manager, create);
    expect((await manager.send(refund))[0]).toMatchObject({
      status: 'applied',
      reply: { data: { status: 'cancelled' } },
    });
    const pulled = (await clerk.pull()).rows.orders.find(({ id }) => id === create.payload.order_id)!;
    const order = orderResource(pulled);
    expect(order).toMatchObject({ status: 'cancelled', price: 60, reduction: 60, owed: 0, paid: 0, balance: 0 });
    expect(order.Payments[1]).toMatchObject({
      amount: -60,
      credit_note_number: (refund.payload as PayloadOf['order.refund']).credit_note_number,
      reason: 'not satisfied',
    });
    expect(order.Payments[1]!.credit_note).toEqual(creditNote);
    expect(order.Payments[0]!.credit_note).toBeNull();
  });

  test('SYNC-4 takes effect once, and a replay returns the stored reply byte for byte', async () => {
    const create = await paid(clerk);
    const refund = refunding(manager, create, { amount: 20 });
    const first = await manager.send(refund);
    const again = await manager.send(refund);
    expect(again[0]!.replayed).toBe(true);
    expect(JSON.stringify(again[0]!.reply)).toBe(JSON.stringify(first[0]!.reply));
    expect(await orderOf(create)).toMatchObject({ paid: 40, balance: 0, status: 'completed' });
  });

  test('SYNC-8 is refused when a clerk gave it, whoever uploads it', async () => {
    const create = await paid(clerk);
    for (const sender of [clerk, manager]) {
      const [result] = await sender.send(refunding(clerk, create));
      expect(result).toMatchObject({ status: 'refused', reply: { code: 'FORBIDDEN' } });
    }
    expect((await orderOf(create)).paid).toBe(60);
  });

  test.each([
    ['no reason', { reason: '  a ' }],
    ['an amount of 0', { amount: 0 }],
    ['a negative amount', { amount: -60 }],
    ['a reduction above its amount', { reduction: 60.01 }],
    ['services above its reduction', { lines: [{ line_id: newId(), amount: 10 }], reduction: 9.99 }],
    ['a service twice', { lines: Array.from({ length: 2 }, () => ({ line_id: sameId, amount: 10 })) }],
    ['a reduction although it is still owed', { still_owed: true as const }],
    [
      'services although it is still owed',
      { still_owed: true as const, reduction: 0, lines: [{ line_id: sameId, amount: 1 }] },
    ],
    [
      'an invalid credit note',
      { credit_note: { ...creditNote, printed: [{ style: 'title' as const, left: 'a\u0000' }] } },
    ],
  ])('is refused with %s', async (_title, over) => {
    const create = await paid(clerk);
    expect((await manager.send(refunding(manager, create, over)))[0]).toMatchObject({
      status: 'refused',
      reply: { code: 'VALIDATION' },
    });
  });

  test('SYNC-11 counts twice when two offline tablets gave it, and the excess is raised until it is paid back', async () => {
    const create = await paid(clerk);
    await manager.send(refunding(manager, create));
    expect(open(await concernsAbout(create))).toEqual([]);
    await other.send(refunding(other, create, { amount: 45.5 }));
    expect(await orderOf(create)).toMatchObject({ paid: -45.5 });
    expect(open(await concernsAbout(create))).toEqual([['over_refunded', 45.5]]);
    await clerk.send(clerk.pay(create, 45.5));
    expect(await orderOf(create)).toMatchObject({ paid: 0, status: 'cancelled' });
    expect(open(await concernsAbout(create))).toEqual([]);
  });

  test('SYNC-11 settles a surplus when it covers it, and updates the item when it covers a part', async () => {
    const create = await paid(clerk, other);
    expect(open(await concernsAbout(create))).toEqual([['overpaid', 60]]);
    await manager.send(refunding(manager, create, { amount: 25, reduction: 0 }));
    expect(open(await concernsAbout(create))).toEqual([['overpaid', 35]]);
    await manager.send(refunding(manager, create, { amount: 35, reduction: 0 }));
    expect(open(await concernsAbout(create))).toEqual([]);
    expect(await orderOf(create)).toMatchObject({ status: 'completed', paid: 60, balance: 0 });
  });

  test('SYNC-11 settles the item of a cancel that a payment overruled', async () => {
    const create = clerk.create();
    await clerk.send(
      create,
      clerk.operation('order.cancel', { order_id: create.payload.order_id, status: 'cancelled' }),
      clerk.pay(create, 60, { invoice: clerk.invoice(create.payload.items) }),
    );
    expect(open(await concernsAbout(create)).map(([kind]) => kind)).toEqual(['cancel_overruled']);
    await manager.send(refunding(manager, create));
    expect(open(await concernsAbout(create))).toEqual([]);
    expect((await orderOf(create)).status).toBe('cancelled');
  });

  test('SYNC-12 is accepted and raised when its number is a duplicate', async () => {
    const [one, two] = [await paid(clerk), await paid(clerk)];
    const number = manager.number('credit_note');
    await manager.send(
      refunding(manager, one, { credit_note_number: number }),
      refunding(manager, two, { credit_note_number: number }),
    );
    expect(await concernsAbout(two)).toMatchObject([
      { kind: 'duplicate_number', details: { number, document: 'credit_note' } },
    ]);
  });

  test('SYNC-12 advances the counter of its device', async () => {
    const device = await TestDevice.enrol(server, 'manager');
    await device.send(refunding(device, await paid(clerk)));
    expect((await device.pull()).counters).toMatchObject({ [device.info.code]: { credit_note: 1 } });
  });

  test('SYNC-10 keeps used supplies used, and reserves nothing for a cancelled treatment', async () => {
    const stockId = await insertStockItem(server, { quantity: 5 });
    const level = async () =>
      (await server.app.inject({ url: '/api/stock?per_page=200', headers: manager.headers }))
        .json<{ stocks: { id: number; quantity: number; reserved_quantity: number }[] }>()
        .stocks.find(({ id }) => id === stockId)!;
    const before = await level();
    const create = await payInFull(clerk.create([line({ stock_id: stockId })]), clerk);
    await manager.send(refunding(manager, create));
    const after = await level();
    expect([after.quantity, after.reserved_quantity]).toEqual([before.quantity - 1, before.reserved_quantity]);
  });
});

describe('what is owed after a refund', () => {
  /** A paid treatment of two services of 40 and 60, of which 10 are taken off. */
  async function discounted(): Promise<Created> {
    const items = [line({ unit_price: 40 }), line({ unit_price: 60 })];
    const create = clerk.create(items);
    const agreed = { ...create, payload: { ...create.payload, discount: 10, total: 90 } };
    const invoice = { ...clerk.invoice(items), discount_amount: 10, total_amount: 90 };
    await clerk.send(agreed, clerk.pay(agreed, 90, { invoice }));
    return agreed;
  }
  const idsOf = ({ payload }: Created) => payload.items.map(({ line_id }) => line_id);
  const stored = async ({ payload }: Created) => {
    const read = async (text: string) =>
      (await server.database.$client.query<Record<string, unknown>>(text, [payload.order_id])).rows;
    const lines = await read('select id, earned_minor from order_lines where order_id = $1');
    const [order] = await read('select reduction_minor, balance_minor from orders where id = $1');
    const payments = await read(
      'select reduction_minor, still_owed, refunded_lines from payments where order_id = $1 order by position',
    );
    const earned = new Map(lines.map(({ id, earned_minor }) => [String(id), Number(earned_minor)]));
    return { earned: idsOf({ payload } as Created).map((id) => earned.get(id)), order, payments };
  };

  test('SYNC-11 is stored, and what each line earns, and every device gets it', async () => {
    const create = await discounted();
    const [, two] = idsOf(create);
    expect(await stored(create)).toMatchObject({ earned: [36_00, 54_00] });
    const lines = [{ line_id: two!, amount: 54 }];
    await manager.send(refunding(manager, create, { amount: 60, lines, reduction: 60 }));
    expect(await stored(create)).toMatchObject({
      earned: [30_00, 0],
      order: { reduction_minor: '6000', balance_minor: '0' },
      payments: [
        { reduction_minor: '0', still_owed: false, refunded_lines: [] },
        { reduction_minor: '6000', still_owed: false, refunded_lines: [{ lineId: two, amountMinor: 54_00 }] },
      ],
    });
    const pulled = (await clerk.pull()).rows.orders.find(({ id }) => id === create.payload.order_id)!;
    const shown = orderResource(pulled);
    expect(shown).toMatchObject({ status: 'completed', price: 90, reduction: 60, owed: 30, paid: 30, balance: 0 });
    expect(shown.Payments[1]).toMatchObject({ refunded_lines: lines, reduction: 60, still_owed: false });
    expect(linePrices(pulled).map(({ earnedMinor }) => earnedMinor)).toEqual([30_00, 0]);
    // Services that are added later earn their price.
    const added = line({ unit_price: 7 });
    await clerk.send(
      clerk.operation('order.add_services', { order_id: create.payload.order_id, items: [added] }),
      clerk.operation('order.change', { order_id: create.payload.order_id, removed_line_ids: [added.line_id] }),
    );
    const removed = 'select earned_minor, removed from order_lines where id = $1';
    expect((await server.database.$client.query(removed, [added.line_id])).rows).toEqual([
      { earned_minor: '0', removed: true },
    ]);
    expect(await stored(create)).toMatchObject({ earned: [30_00, 0] });
  });

  test('SYNC-11 opens the treatment again when the refund is still owed, and the next payment is invoiced', async () => {
    const create = await paid(clerk);
    await manager.send(refunding(manager, create, { reduction: 0, still_owed: true }));
    expect(await orderOf(create)).toMatchObject({ status: 'confirmed', owed: 60, paid: 0, balance: 60 });
    const pay = { payment_method: 'cash', amount: 60 };
    const reply = await call(clerk, `/payments/orders/${create.payload.order_id}/pay`, pay);
    const order = reply.json<{ data: OrderResource }>().data;
    expect(order).toMatchObject({ status: 'completed', balance: 0 });
    expect(order.Invoices[1]).toMatchObject({ total_amount: 60, line_ids: [] });
    expect(open(await concernsAbout(create))).toEqual([]);
  });

  test('SYNC-11 raises a service that two tablets gave back, and asks for the other one', async () => {
    const create = await discounted();
    const [, two] = idsOf(create);
    const given = { amount: 45, lines: [{ line_id: two!, amount: 45 }] };
    const twice = async () =>
      (await concernsAbout(create)).filter(({ kind, settled_at }) => kind === 'refunded_twice' && settled_at === null);
    await manager.send(refunding(manager, create, given));
    expect(await twice()).toEqual([]);
    await other.send(refunding(other, create, given));
    expect(await orderOf(create)).toMatchObject({ status: 'confirmed', owed: 36, paid: 0, balance: 36 });
    expect(await twice()).toMatchObject([{ details: { surplus: 36, services: create.payload.items[1]!.name } }]);
  });

  test('raises money that is on no invoice, which an invoice settles', async () => {
    const create = clerk.create();
    await clerk.send(create, clerk.pay(create, 30));
    expect(open(await concernsAbout(create))).toEqual([]);
    const ask = () => call(clerk, `/orders/${create.payload.order_id}/invoices`, {});
    expect((await ask()).json()).toMatchObject({ code: 'NOTHING_TO_INVOICE' });
    await other.send(other.pay(create, 30));
    expect(open(await concernsAbout(create))).toEqual([['under_invoiced', 60]]);
    const { data } = (await ask()).json<{ data: OrderResource }>();
    expect(data.Invoices).toMatchObject([{ total_amount: 60, line_ids: idsOf(create) }]);
    expect(data.Invoices[0]).not.toHaveProperty('document_type');
    expect(open(await concernsAbout(create))).toEqual([]);
    expect((await ask()).json()).toMatchObject({ code: 'NOTHING_TO_INVOICE' });
  });

  test('raises invoices above what is owed, once a surplus no longer explains them', async () => {
    const create = await paid(clerk, other);
    expect(open(await concernsAbout(create))).toEqual([['overpaid', 60]]);
    // The refund of a device that knew of one payment and one invoice takes the whole treatment back.
    await manager.send(refunding(manager, create));
    await other.send(refunding(other, create, { reduction: 0, credit_note: { ...creditNote, total_amount: 0 } }));
    expect(open(await concernsAbout(create))).toEqual([['over_invoiced', 60]]);
    const cancelled = await server.app.inject({
      method: 'PUT',
      url: `/api/orders/${create.payload.order_id}/status`,
      headers: clerk.headers,
      payload: { status: 'cancelled' },
    });
    expect(cancelled.json<{ data: OrderResource }>().data.Cancels[0]!.correction).toMatchObject({
      credit_note: { total_amount: -60 },
    });
    expect(open(await concernsAbout(create))).toEqual([]);
  });

  test('GET /orders/:id/payment-summary says what was agreed, taken off, owed and paid', async () => {
    const create = await discounted();
    await manager.send(refunding(manager, create, { amount: 30 }));
    const url = `/api/orders/${create.payload.order_id}/payment-summary`;
    expect((await server.app.inject({ url, headers: clerk.headers })).json()).toMatchObject({
      data: { total: 90, reduction: 30, owed: 60, paid: 60, balance: 0 },
    });
  });

  const asked = async (create: Created, body: object) =>
    (await call(manager, `/orders/${create.payload.order_id}/refunds`, { reason: 'moved away', ...body })).json<{
      data: OrderResource;
      code?: string;
    }>();

  test('a request is filled in: services get what they earn, or their part of a smaller amount', async () => {
    const create = await discounted();
    const [one, two] = idsOf(create);
    const { data } = await asked(create, { amount: 27, lines: [{ line_id: two }] });
    expect(data.Payments[1]).toMatchObject({
      refunded_lines: [{ line_id: two, amount: 27 }],
      reduction: 27,
      credit_note: { total_amount: -27 },
    });
    const both = await asked(create, { amount: 50, lines: [{ line_id: one, amount: 30 }, { line_id: two }] });
    expect(both.data.Payments[2]).toMatchObject({
      refunded_lines: [
        { line_id: one, amount: 30 },
        { line_id: two, amount: 20 },
      ],
      reduction: 50,
    });
    expect(both.data).toMatchObject({ owed: 13, balance: 0, status: 'completed' });
  });

  test('what a request takes off the treatment as a whole is of the services that it has, whatever its key', async () => {
    const create = await discounted();
    const { order_id } = create.payload;
    const added = line({ unit_price: 90 });
    await clerk.send(clerk.operation('order.add_services', { order_id, items: [added] }));
    await call(clerk, `/payments/orders/${order_id}/pay`, { payment_method: 'card', amount: 90 });
    const body = { amount: 60, reason: 'moved away' };
    // Sorts before the ids of all operations.
    const key = { 'idempotency-key': '00000000-0000-7000-8000-000000000000' };
    const { data } = (await call(manager, `/orders/${order_id}/refunds`, body, key)).json<{ data: OrderResource }>();
    const [one, two] = idsOf(create);
    expect(data.Payments[2]!.allowances).toEqual([
      { line_id: one, amount: 12 },
      { line_id: two, amount: 18 },
      { line_id: added.line_id, amount: 30 },
    ]);
    expect((await stored(create)).earned).toEqual([24_00, 36_00]);
    const later = line({ unit_price: 50 });
    await clerk.send(clerk.operation('order.add_services', { order_id, items: [later] }));
    expect((await stored(create)).earned).toEqual([24_00, 36_00]);
  });

  test('a request that is still owed lowers nothing', async () => {
    const { data } = await asked(await discounted(), { amount: 90, still_owed: true });
    expect(data).toMatchObject({ status: 'confirmed', owed: 90, paid: 0, balance: 90 });
    expect(data.Payments[1]).toMatchObject({ refunded_lines: [], reduction: 0, still_owed: true });
  });

  test.each([
    ['a service that is not there', () => ({ amount: 10, lines: [{ line_id: newId() }] }), 'LINE_GONE'],
    [
      'more than a service earns',
      ([one]: string[]) => ({ amount: 40, lines: [{ line_id: one, amount: 36.01 }] }),
      'REFUND_EXCEEDS_SERVICE',
    ],
    [
      'a service twice',
      ([one]: string[]) => ({ amount: 10, lines: [{ line_id: one }, { line_id: one }] }),
      'VALIDATION',
    ],
    ['a reduction above the amount', () => ({ amount: 10, reduction: 10.01 }), 'VALIDATION'],
    [
      'services that are still owed',
      ([one]: string[]) => ({ amount: 10, still_owed: true, lines: [{ line_id: one }] }),
      'VALIDATION',
    ],
  ])('a request is refused with %s', async (_title, body, code) => {
    const create = await discounted();
    expect((await asked(create, body(idsOf(create)))).code).toBe(code);
    expect((await orderOf(create)).paid).toBe(90);
  });

  test('a fact over REST keeps what it says, and gets what it does not say', async () => {
    const create = await discounted();
    const [one, two] = idsOf(create);
    const fact = () => ({
      refund_id: newId(),
      payment_method: 'card',
      credit_note_number: manager.number('credit_note'),
      credit_note: { ...creditNote, total_amount: -10 },
    });
    const first = await asked(create, { ...fact(), amount: 10, lines: [{ line_id: two }] });
    expect(first.data.Payments[1]).toMatchObject({ refunded_lines: [{ line_id: two, amount: 10 }], reduction: 10 });
    const lines = [{ line_id: one, amount: 1 }];
    const second = await asked(create, { ...fact(), amount: 10, lines, reduction: 4 });
    expect(second.data.Payments[2]).toMatchObject({ refunded_lines: lines, reduction: 4 });
    expect(second.data).toMatchObject({ owed: 76, paid: 70, balance: 6, status: 'confirmed' });
  });
});

describe('POST /orders/:id/refunds as a request', () => {
  const asked = async (body: object, headers = {}) => {
    const create = await paid(clerk);
    return { create, reply: await call(manager, `/orders/${create.payload.order_id}/refunds`, body, headers) };
  };

  test('pays back by the method of the payment, with a credit note under a number of the server', async () => {
    const { reply } = await asked({ amount: 60, reason: 'moved away' });
    expect(reply.statusCode).toBe(200);
    const order = reply.json<{ data: OrderResource }>().data;
    expect(order).toMatchObject({ status: 'cancelled', paid: 0 });
    const { credit_note, credit_note_number, method } = order.Payments[1]!;
    expect([method, credit_note_number]).toEqual(['cash', expect.stringMatching(/^R-S0-\d{6}$/)]);
    const texts = credit_note!.printed.map(({ left, right }) => `${left ?? ''} ${right ?? ''}`).join('\n');
    for (const text of [
      credit_note_number!,
      order.number,
      order.Invoices[0]!.invoice_number,
      'moved away',
      'EUR 60,00',
    ])
      expect(texts).toContain(text);
  });

  test('takes effect once under an idempotency key', async () => {
    const key = { 'idempotency-key': newId() };
    const { create, reply } = await asked({ amount: 10, reason: 'moved away' }, key);
    const again = await call(
      manager,
      `/orders/${create.payload.order_id}/refunds`,
      { amount: 10, reason: 'moved away' },
      key,
    );
    expect([again.body, again.headers['idempotency-replayed']]).toEqual([reply.body, 'true']);
    expect((await orderOf(create)).paid).toBe(50);
  });

  test.each([
    ['more than was paid', { amount: 60.01, reason: 'moved away' }, 409, 'REFUND_EXCEEDS_PAYMENTS'],
    ['nothing', { amount: 0, reason: 'moved away' }, 400, 'VALIDATION'],
    ['no reason', { amount: 10 }, 400, 'VALIDATION'],
    ['a reason that is too short', { amount: 10, reason: ' a ' }, 400, 'VALIDATION'],
    ['an unknown method', { amount: 10, reason: 'moved away', payment_method: 'shells' }, 400, 'VALIDATION'],
  ])('refuses %s', async (_title, body, status, code) => {
    const { create, reply } = await asked(body);
    expect([reply.statusCode, reply.json<{ code: string }>().code]).toEqual([status, code]);
    expect((await orderOf(create)).paid).toBe(60);
  });

  test('returns 404 when the treatment does not exist', async () => {
    expect(
      (await call(manager, `/orders/${newId()}/refunds`, { amount: 10, reason: 'moved away' })).json(),
    ).toMatchObject({ code: 'ORDER_NOT_FOUND' });
  });
});

describe('a discount', () => {
  const discounted = (device: TestDevice, discount: number, discount_reason?: string) => {
    const create = device.create();
    const payload = {
      ...create.payload,
      discount,
      total: 60 - discount,
      ...(discount_reason !== undefined && { discount_reason }),
    };
    return { ...create, payload };
  };

  test('SYNC-2 is recorded with its reason as a fact', async () => {
    const create = discounted(clerk, 6, 'regular patient');
    await clerk.send(create);
    expect(await orderOf(create)).toMatchObject({
      subtotal: 60,
      discount: 6,
      discount_reason: 'regular patient',
      price: 54,
    });
    expect(await concernsAbout(create)).toEqual([]);
  });

  test('SYNC-2 is recorded and raised when it exceeds the limit', async () => {
    const create = discounted(clerk, 6.01);
    expect((await clerk.send(create))[0]!.status).toBe('applied');
    expect(await concernsAbout(create)).toMatchObject([
      {
        kind: 'discount_over_limit',
        op_id: create.op_id,
        details: {
          discount: 6.01,
          limit: 10,
          currency: 'EUR',
          number: create.payload.number,
          actor: expect.any(String),
        },
      },
    ]);
  });

  test('is compared with the sum of the services, whatever total the device sends', async () => {
    const honest = discounted(clerk, 6.01);
    const inflated = { ...honest, payload: { ...honest.payload, total: 900 } };
    await clerk.send(inflated);
    expect(await concernsAbout(inflated)).toMatchObject([
      { kind: 'discount_over_limit', details: { discount: 6.01 } },
      { kind: 'sum_differs', details: { stated: 900 } },
    ]);
  });

  test('raises nothing when a manager exceeds the limit', async () => {
    const create = discounted(manager, 60, 'our fault');
    await manager.send(create);
    expect(await orderOf(create)).toMatchObject({ price: 0, discount: 60 });
    expect(await concernsAbout(create)).toEqual([]);
  });

  test('is also recorded and raised when it arrives as a fact over REST', async () => {
    const { payload } = discounted(clerk, 30);
    const reply = await call(clerk, '/orders', payload);
    expect(reply.statusCode).toBe(201);
    const found = (await manager.pull()).rows.attention.find(({ order_id }) => order_id === payload.order_id);
    expect(found).toMatchObject({ kind: 'discount_over_limit', details: { discount: 30 } });
  });

  const requested = async (device: TestDevice, part: number, discount_reason?: string) => {
    const { stocks } = (await server.app.inject({ url: '/api/stock', headers: device.headers })).json<{
      stocks: { id: number; is_available: boolean; cost_per_unit: number }[];
    }>();
    const item = stocks.find(({ is_available, cost_per_unit }) => is_available && cost_per_unit >= 1)!;
    const discount = Math.round(item.cost_per_unit * part * 100) / 100;
    const reply = await call(device, '/orders', {
      items: [{ stock_id: item.id, quantity: 1 }],
      discount,
      ...(discount_reason !== undefined && { discount_reason }),
    });
    return { reply, item, discount };
  };

  test('is granted to any request within the limit', async () => {
    const { reply, item, discount } = await requested(clerk, 0.1);
    expect(reply.statusCode).toBe(201);
    expect(reply.json<{ data: OrderResource }>().data).toMatchObject({
      discount,
      subtotal: item.cost_per_unit,
      balance: Math.round((item.cost_per_unit - discount) * 100) / 100,
    });
  });

  test.each([
    ['above the limit by a clerk', () => clerk, 0.2, 'a friend', 409, 'DISCOUNT_OVER_LIMIT'],
    ['above the limit by a manager without a reason', () => manager, 0.2, undefined, 400, 'REASON_REQUIRED'],
    ['above the subtotal', () => manager, 1.1, 'a friend', 400, 'DISCOUNT_ABOVE_SUBTOTAL'],
  ])('is refused to a request %s', async (_title, device, part, reason, status, code) => {
    const { reply } = await requested(device(), part, reason);
    expect([reply.statusCode, reply.json<{ code: string }>().code]).toEqual([status, code]);
  });

  test('is granted above the limit to a manager who gives a reason', async () => {
    const { reply } = await requested(manager, 0.5, 'our fault');
    expect(reply.json<{ data: OrderResource }>().data).toMatchObject({ discount_reason: 'our fault' });
  });
});

test('SYNC-12 finds a treatment by the number of its invoice', async () => {
  const create = await paid(clerk);
  const [invoice] = (await orderOf(create)).Invoices;
  const reply = await server.app.inject({
    url: `/api/orders?search=${invoice!.invoice_number.toLowerCase()}`,
    headers: manager.headers,
  });
  expect(reply.json<{ data: OrderResource[] }>().data.map(({ id }) => id)).toEqual([create.payload.order_id]);
});

test('SYNC-11 returns an old treatment with an open attention item to a new device', async () => {
  const [noted, plain] = [await paid(clerk, other), await paid(clerk)];
  const ids = [noted.payload.order_id, plain.payload.order_id];
  // The treatment must be closed long before the new device's first page.
  await server.database.$client.query(
    `update orders set updated_at = $2::timestamptz - interval '30 days' where id = any($1::uuid[])`,
    [ids, new Date()],
  );
  const fresh = await TestDevice.enrol(server, 'manager');
  const told = (await fresh.pull()).rows.orders.map(({ id }) => id);
  expect(ids.map((id) => told.includes(id))).toEqual([true, false]);
});
