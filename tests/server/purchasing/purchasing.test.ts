import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PurchaseOrderResource, PurchaseSuggestion, StockTransactionResource } from '#domain/stock/resources.ts';
import { auditLog } from '#server/db/schema/access.ts';
import { stockItems, stockTransactions } from '#server/db/schema/catalogue.ts';
import { stockLots } from '#server/db/schema/supply.ts';
import { newId } from '#tests/support/unique.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';

const nowMs = Date.parse('2026-03-04T15:00:00Z');
let server: TestServer;
let token: string;

beforeAll(async () => {
  server = await startTestServer({ now: nowMs });
  token = await server.login('manager');
});
afterAll(() => server.close());

type Method = 'GET' | 'POST' | 'PUT';
const call = (method: Method, url: string, payload?: object, headers: Record<string, string> = {}) =>
  server.app.inject({
    method,
    url: `/api${url}`,
    headers: { authorization: `Bearer ${token}`, ...headers },
    ...(payload && { payload }),
  });

let named = 0;
async function addItem(over: Partial<typeof stockItems.$inferInsert> = {}): Promise<number> {
  const name = `Supply ${(named += 1)}`;
  const [item] = await server.database
    .insert(stockItems)
    .values({
      clinicId: server.clinicId,
      name,
      searchKey: name.toLowerCase(),
      unit: 'boxes',
      supplier: 'Henara Dental',
      costMinor: 950,
      ...over,
    })
    .returning();
  return item!.id;
}

const quantityOf = async (stockId: number) => {
  const [item] = await server.database.select().from(stockItems).where(eq(stockItems.id, stockId));
  return item!;
};
const ledgerOf = (stockId: number) =>
  server.database
    .select()
    .from(stockTransactions)
    .where(and(eq(stockTransactions.clinicId, server.clinicId), eq(stockTransactions.stockId, stockId)))
    .orderBy(stockTransactions.id);

async function order(items: object[], over: object = {}): Promise<PurchaseOrderResource> {
  const reply = await call('POST', '/stock/purchase-orders', { vendor: 'Henara Dental', items, ...over });
  expect([reply.statusCode, reply.json().code]).toEqual([201, undefined]);
  return reply.json().data;
}
const sent = async (items: object[]) => {
  const { id } = await order(items);
  return (await call('POST', `/purchase-orders/${id}/send`)).json().data as PurchaseOrderResource;
};
const outcome = (reply: { statusCode: number; json: () => { code?: string; data?: PurchaseOrderResource } }) => [
  reply.statusCode,
  reply.json().code ?? reply.json().data?.status,
];

const put = (stockId: number, body: object) => call('PUT', `/stock/${stockId}`, body);
const remove = (stockId: number) =>
  server.app.inject({ method: 'DELETE', url: `/api/stock/${stockId}`, headers: { authorization: `Bearer ${token}` } });

describe('an item that a sent order waits for', () => {
  test('keeps the name and unit that were agreed, in the order and in the ledger', async () => {
    const id = await addItem({ name: 'Agreed gloves', unit: 'boxes' });
    const { id: orderId, items } = await sent([{ stock_id: id, quantity: 5 }]);
    expect((await put(id, { name: 'Renamed gloves' })).statusCode).toBe(200);
    const shown = async () => (await call('GET', `/purchase-orders/${orderId}`)).json().data.items;
    expect(await shown()).toMatchObject([{ name: 'Agreed gloves', unit: 'boxes' }]);
    await call('POST', `/purchase-orders/${orderId}/receive`, { items: [{ item_id: items[0]!.id, quantity: 5 }] });
    const counted = await put(id, { unit: 'pcs', quantity: 500 });
    expect([counted.statusCode, counted.json().data]).toMatchObject([200, { unit: 'pcs', quantity: 500 }]);
    expect(await shown()).toMatchObject([{ name: 'Agreed gloves', unit: 'boxes', received_quantity: 5 }]);
    const { transactions } = (await call('GET', `/stock/transactions?stock_id=${id}`)).json<{
      transactions: StockTransactionResource[];
    }>();
    expect(
      transactions.map(({ transaction_type, quantity, Stock: { unit } }) => [transaction_type, quantity, unit]),
    ).toEqual(
      expect.arrayContaining([
        ['manual_adjustment', 500, 'pcs'],
        ['purchase', 5, 'boxes'],
      ]),
    );
    const report = (await call('GET', '/stock/inventory/report?type=movements&from=2026-03-04&to=2026-03-04')).json();
    const rows = report.data.items.filter(({ id: each }: { id: number }) => each === id);
    expect(rows).toMatchObject([
      { unit: 'boxes', received: 5 },
      { unit: 'pcs', received: 0 },
    ]);
  });

  test.each([
    ['become unstocked', (id: number) => put(id, { is_stocked: false })],
    ['get another unit, even with a count', (id: number) => put(id, { unit: 'pcs', quantity: 500 })],
    ['be deleted', remove],
  ])('cannot %s, and the refusal names the order', async (_what, change) => {
    const id = await addItem();
    const { id: orderId, po_number, items } = await sent([{ stock_id: id, quantity: 5 }]);
    const refused = await change(id);
    expect([refused.statusCode, refused.json()]).toMatchObject([
      409,
      { code: 'STOCK_ON_ORDER', details: { orders: po_number } },
    ]);
    const line = { item_id: items[0]!.id, quantity: 2 };
    await call('POST', `/purchase-orders/${orderId}/receive`, { items: [line] });
    expect((await quantityOf(id)).quantityMilli).toBe(2000);
    expect((await change(id)).statusCode).toBe(409);
    await call('POST', `/purchase-orders/${orderId}/cancel`);
    expect((await change(id)).statusCode).toBe(200);
  });

  test('cannot become unstocked or get another unit by a table either', async () => {
    const id = await addItem({ quantityMilli: 3000 });
    await sent([{ stock_id: id, quantity: 5 }]);
    const problemOf = async (column: string, cell: string) => {
      const csv = `id,name,supplier,supplier_contact,quantity,${column}\n${id},Same,S,c,30,${cell}\n`;
      return (await call('POST', '/stock/import', { csv })).json().data.errors;
    };
    expect(await problemOf('is_stocked', 'false')).toMatchObject([{ column: 'is_stocked', problem: 'ITEM_ON_ORDER' }]);
    expect(await problemOf('unit', 'pcs')).toMatchObject([{ column: 'unit', problem: 'ITEM_ON_ORDER' }]);
  });
});

describe('an item of a draft', () => {
  test.each([
    ['become unstocked', (id: number) => put(id, { is_stocked: false })],
    ['been deleted', remove],
  ])('that has %s is neither sent nor delivered, and the refusal names it', async (_what, change) => {
    const id = await addItem({ name: 'Given up' });
    const draft = await order([{ stock_id: id, quantity: 5 }]);
    expect((await change(id)).statusCode).toBe(200);
    const line = { item_id: draft.items[0]!.id, quantity: 5 };
    for (const [path, body] of [
      ['send', undefined],
      ['receive', { items: [line] }],
    ] as const) {
      const refused = await call('POST', `/purchase-orders/${draft.id}/${path}`, body);
      expect([refused.statusCode, refused.json()]).toMatchObject([
        409,
        { code: 'PURCHASE_ITEM_GONE', details: { name: 'Given up' } },
      ]);
    }
    expect(await ledgerOf(id)).toEqual([]);
  });

  test('is shown and sent under its present name', async () => {
    const id = await addItem({ name: 'Old name', unit: 'boxes' });
    const draft = await order([{ stock_id: id, quantity: 5 }]);
    await put(id, { name: 'New name', unit: 'packets' });
    const now = { name: 'New name', unit: 'packets' };
    expect((await call('GET', `/purchase-orders/${draft.id}`)).json().data.items).toMatchObject([now]);
    const { data } = (await call('POST', `/purchase-orders/${draft.id}/send`)).json();
    await put(id, { name: 'Third name' });
    expect(data.items).toMatchObject([now]);
    expect((await call('GET', `/purchase-orders/${draft.id}`)).json().data.items).toMatchObject([now]);
  });
});

describe('another unit of an item', () => {
  test('needs a count in it, unless nothing is there', async () => {
    const id = await addItem({ quantityMilli: 5000 });
    expect((await put(id, { unit: 'pcs' })).json()).toMatchObject({
      code: 'VALIDATION',
      details: { unit: 'Enter the quantity in the new unit: the stock is counted anew' },
    });
    expect((await put(id, { unit: 'pcs', quantity: 5, expected_quantity: 5 })).statusCode).toBe(400);
    // The same number is a count, too: it is one of other things.
    expect((await put(id, { unit: 'pcs', quantity: 5 })).statusCode).toBe(200);
    expect(await ledgerOf(id)).toMatchObject([{ isCount: true, unit: 'pcs', quantityMilli: 5000 }]);
    const empty = await addItem();
    expect((await put(empty, { unit: 'pcs' })).statusCode).toBe(200);
  });

  test('is refused while lots or reservations count in the old one', async () => {
    const held = await addItem({ quantityMilli: 5000, heldMilli: 1000 });
    const inLots = await addItem({ tracksLots: true });
    const { id: orderId, items } = await sent([{ stock_id: inLots, quantity: 5 }]);
    const line = { item_id: items[0]!.id, quantity: 5, lot_number: 'L1', expires_on: '2027-01-01' };
    await call('POST', `/purchase-orders/${orderId}/receive`, { items: [line] });
    for (const id of [held, inLots])
      expect((await put(id, { unit: 'pcs', quantity: 500 })).json()).toMatchObject({
        code: 'VALIDATION',
        details: { unit: expect.stringMatching(/^Lots, reservations or services/) },
      });
  });
});

describe('a draft', () => {
  test("is numbered per clinic, and defaults to the item's cost", async () => {
    const [gloves, masks] = [await addItem(), await addItem({ costMinor: 620 })];
    const first = await order(
      [
        { stock_id: gloves, quantity: 3, unit_cost: 8.4 },
        { stock_id: masks, quantity: 0.001 },
      ],
      { vendor: '  Henara Dental ', notes: 'before Friday' },
    );
    expect(first).toMatchObject({
      vendor: 'Henara Dental',
      vendor_contact: '',
      status: 'draft',
      notes: 'before Friday',
      total: 25.21,
      created_by: 'manager',
      sent_at: null,
      closed_at: null,
      created_at: new Date(nowMs).toISOString(),
      items: [
        {
          stock_id: gloves,
          quantity: 3,
          received_quantity: 0,
          unit_cost: 8.4,
          total: 25.2,
          unit: 'boxes',
          tracks_lots: false,
        },
        { stock_id: masks, quantity: 0.001, unit_cost: 6.2, total: 0.01 },
      ],
    });
    const second = await call('POST', '/purchase-orders', {
      vendor: 'Composa',
      items: [{ stock_id: gloves, quantity: 1 }],
    });
    const count = (number: string) => Number(/^PO-(\d{6})$/.exec(number)![1]);
    expect(count(second.json().data.po_number)).toBe(count(first.po_number) + 1);
    const [written] = await server.database.select().from(auditLog).where(eq(auditLog.subject, first.po_number));
    expect(written).toMatchObject({
      clinicId: server.clinicId,
      action: 'purchase.create',
      details: { status: 'draft', total: 25.21 },
    });
  });

  test('is refused with a message per field when the form is invalid', async () => {
    const reply = await call('POST', '/purchase-orders', { vendor: '', items: [] });
    expect(reply.json()).toMatchObject({
      code: 'VALIDATION',
      details: { vendor: 'This field is required', items: 'Add at least one item' },
    });
  });

  test('gets a unique number when many are created at the same time', async () => {
    const stock_id = await addItem();
    const drafts = await Promise.all(Array.from({ length: 8 }, () => order([{ stock_id, quantity: 1 }])));
    expect(new Set(drafts.map(({ po_number }) => po_number)).size).toBe(8);
  });

  test.each([
    ['no vendor', { vendor: ' ' }, 400, 'VALIDATION'],
    ['no lines', { items: [] }, 400, 'VALIDATION'],
    ['a quantity of 0', { items: [{ stock_id: 1, quantity: 0 }] }, 400, 'VALIDATION'],
    ['a quantity below a thousandth', { items: [{ stock_id: 1, quantity: 0.0005 }] }, 400, 'VALIDATION'],
    ['a negative cost', { items: [{ stock_id: 1, quantity: 1, unit_cost: -1 }] }, 400, 'VALIDATION'],
    ['an unknown item', { items: [{ stock_id: 2_000_000_000, quantity: 1 }] }, 404, 'STOCK_NOT_FOUND'],
  ])('with %s is refused and uses no number', async (_title, over, status, code) => {
    const before = (await order([{ stock_id: await addItem(), quantity: 1 }])).po_number;
    const reply = await call('POST', '/stock/purchase-orders', {
      vendor: 'Henara Dental',
      items: [{ stock_id: await addItem(), quantity: 1 }],
      ...over,
    });
    expect(outcome(reply)).toEqual([status, code]);
    const after = (await order([{ stock_id: await addItem(), quantity: 1 }])).po_number;
    expect(Number(after.slice(3)) - Number(before.slice(3))).toBe(1);
  });

  test('can be changed until it is sent', async () => {
    const [gloves, masks] = [await addItem(), await addItem()];
    const { id, po_number } = await order([{ stock_id: gloves, quantity: 3 }]);
    const body = {
      vendor: 'Farmadent',
      vendor_contact: 'orders@farmadent.test',
      items: [{ stock_id: masks, quantity: 2, unit_cost: 5 }],
    };
    const changed = (await call('PUT', `/purchase-orders/${id}`, body)).json().data;
    expect(changed).toMatchObject({
      id,
      po_number,
      vendor: 'Farmadent',
      vendor_contact: 'orders@farmadent.test',
      total: 10,
    });
    expect(changed.items).toHaveLength(1);
    const sentNow = (await call('POST', `/purchase-orders/${id}/send`)).json().data;
    expect(sentNow).toMatchObject({ status: 'sent', sent_at: new Date(nowMs).toISOString(), items: changed.items });
    expect(outcome(await call('PUT', `/purchase-orders/${id}`, body))).toEqual([409, 'PURCHASE_ORDER_NOT_DRAFT']);
    expect(outcome(await call('POST', `/purchase-orders/${id}/send`))).toEqual([409, 'PURCHASE_ORDER_NOT_DRAFT']);
    expect((await call('GET', `/purchase-orders/${id}`)).json().data).toEqual(sentNow);
  });
});

describe('a delivery', () => {
  test('records a part, then the rest, in the ledger at its cost, and keeps the selling price', async () => {
    const stock_id = await addItem({ unit: 'kg' });
    const { id, items, po_number } = await sent([{ stock_id, quantity: 2.5, unit_cost: 4 }]);
    const line = items[0]!.id;
    const part = await call('POST', `/stock/purchase-orders/items/${line}/receive`, {
      quantity: 0.001,
      notes: 'a sample',
    });
    expect(outcome(part)).toEqual([200, 'partial']);
    const rest = await call('POST', `/stock/purchase-orders/items/${line}/receive`, { quantity: 2.499, unit_cost: 5 });
    expect(rest.json().data).toMatchObject({
      status: 'received',
      closed_at: new Date(nowMs).toISOString(),
      items: [{ received_quantity: 2.5, unit_cost: 4 }],
    });
    expect(await ledgerOf(stock_id)).toMatchObject([
      {
        type: 'purchase',
        quantityMilli: 1,
        effectMilli: 1,
        newMilli: 1,
        referenceType: 'purchase_order',
        referenceId: po_number,
        notes: 'a sample',
      },
      { type: 'purchase', quantityMilli: 2499, newMilli: 2500, costMinor: 1250, isCount: false },
    ]);
    expect(await quantityOf(stock_id)).toMatchObject({ quantityMilli: 2500, costMinor: 950, lastRestockedAt: nowMs });
    expect(outcome(await call('POST', `/stock/purchase-orders/items/${line}/receive`, { quantity: 1 }))).toEqual([
      409,
      'PURCHASE_ORDER_CLOSED',
    ]);
    expect((await call('POST', `/purchase-orders/${id}/cancel`)).json().code).toBe('PURCHASE_ORDER_CLOSED');
  });

  test('marks a draft as sent', async () => {
    const { items } = await order([{ stock_id: await addItem(), quantity: 2 }]);
    const reply = await call('POST', `/stock/purchase-orders/items/${items[0]!.id}/receive`, { quantity: 1 });
    expect(reply.json().data).toMatchObject({ status: 'partial', sent_at: new Date(nowMs).toISOString() });
  });

  test('is refused, and writes nothing, when it far exceeds the order', async () => {
    const stock_id = await addItem();
    const { items } = await sent([{ stock_id, quantity: 10 }]);
    const reply = await call('POST', `/stock/purchase-orders/items/${items[0]!.id}/receive`, { quantity: 100 });
    expect(reply.json()).toMatchObject({ code: 'DELIVERY_EXCEEDS_ORDER', details: { ordered: 10, most: 11 } });
    expect(await ledgerOf(stock_id)).toEqual([]);
    expect(
      (await call('POST', `/stock/purchase-orders/items/${items[0]!.id}/receive`, { quantity: 11 })).json().data.status,
    ).toBe('received');
  });

  test('records all of its lines or none', async () => {
    const [gloves, masks] = [await addItem(), await addItem({ tracksLots: true })];
    const { id, items } = await sent([
      { stock_id: gloves, quantity: 4 },
      { stock_id: masks, quantity: 6 },
    ]);
    const [first, second] = items.map((item) => item.id);
    const all = (over: object) =>
      call('POST', `/purchase-orders/${id}/receive`, {
        items: [
          { item_id: first, quantity: 4 },
          { item_id: second, quantity: 6, ...over },
        ],
      });
    expect(outcome(await all({}))).toEqual([400, 'LOT_REQUIRED']);
    expect(outcome(await all({ lot_number: 'M-7', expires_on: '2026-03-03' }))).toEqual([409, 'LOT_EXPIRED']);
    expect(
      outcome(
        await call('POST', `/purchase-orders/${id}/receive`, {
          items: [
            { item_id: first, quantity: 4 },
            { item_id: 2_000_000_000, quantity: 1 },
          ],
        }),
      ),
    ).toEqual([404, 'PURCHASE_ITEM_NOT_FOUND']);
    expect(await ledgerOf(gloves)).toEqual([]);
    expect(outcome(await all({ lot_number: 'M-7', expires_on: '2027-09-30' }))).toEqual([200, 'received']);
    expect([(await quantityOf(gloves)).quantityMilli, (await quantityOf(masks)).quantityMilli]).toEqual([4000, 6000]);
  });

  test('can contain one line in several lots', async () => {
    const stock_id = await addItem({ tracksLots: true });
    const { id, items } = await sent([{ stock_id, quantity: 5 }]);
    const lots = [
      { lot_number: ' A-1 ', expires_on: '2027-01-31', quantity: 2 },
      { lot_number: 'B-2', expires_on: '2027-06-30', quantity: 3 },
    ];
    const reply = await call('POST', `/purchase-orders/${id}/receive`, {
      items: lots.map((lot) => ({ item_id: items[0]!.id, ...lot })),
    });
    expect(reply.json().data).toMatchObject({ status: 'received', items: [{ received_quantity: 5 }] });
    expect(await ledgerOf(stock_id)).toMatchObject([{ quantityMilli: 2000 }, { quantityMilli: 3000, newMilli: 5000 }]);
    const kept = await server.database
      .select()
      .from(stockLots)
      .where(eq(stockLots.stockId, stock_id))
      .orderBy(stockLots.lotNumber);
    expect(kept).toMatchObject([
      { lotNumber: 'A-1', expiresOn: '2027-01-31', receivedMilli: 2000, remainingMilli: 2000 },
      { lotNumber: 'B-2', expiresOn: '2027-06-30', receivedMilli: 3000, remainingMilli: 3000 },
    ]);
  });

  test('SYNC-4 takes effect once when it is repeated under one key, with the same reply', async () => {
    const stock_id = await addItem();
    const { items } = await sent([
      { stock_id, quantity: 10 },
      { stock_id, quantity: 10 },
    ]);
    const [url, otherUrl] = items.map(({ id }) => `/stock/purchase-orders/items/${id}/receive`) as [string, string];
    const key = { 'idempotency-key': newId() };
    const replies = await Promise.all(Array.from({ length: 5 }, () => call('POST', url, { quantity: 4 }, key)));
    expect(new Set(replies.map(({ body }) => body)).size).toBe(1);
    expect(replies.filter(({ headers }) => headers['idempotency-replayed'] === 'true')).toHaveLength(4);
    await call('POST', url, { quantity: 1 });
    const late = await call('POST', url, { quantity: 4 }, key);
    expect([late.body, late.headers['idempotency-replayed']]).toEqual([replies[0]!.body, 'true']);
    expect((await quantityOf(stock_id)).quantityMilli).toBe(5000);
    // The same key for another quantity, or for another line, is another request.
    expect(outcome(await call('POST', url, { quantity: 5 }, key))).toEqual([422, 'IDEMPOTENCY_MISMATCH']);
    expect(outcome(await call('POST', otherUrl, { quantity: 4 }, key))).toEqual([422, 'IDEMPOTENCY_MISMATCH']);
  });

  test('keeps the received quantities exact when many deliveries arrive at the same time', async () => {
    const stock_id = await addItem();
    const orders = await Promise.all([sent([{ stock_id, quantity: 10 }]), sent([{ stock_id, quantity: 10 }])]);
    const urls = orders.map(({ items }) => `/stock/purchase-orders/items/${items[0]!.id}/receive`);
    const replies = await Promise.all(
      Array.from({ length: 16 }, (_, index) => call('POST', urls[index % 2]!, { quantity: 3 })),
    );
    // Three times three is nine, a fourth would be twelve, and eleven is the most that an order of ten takes.
    expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(6);
    expect(new Set(replies.filter(({ statusCode }) => statusCode !== 200).map((reply) => reply.json().code))).toEqual(
      new Set(['DELIVERY_EXCEEDS_ORDER']),
    );
    const entries = await ledgerOf(stock_id);
    expect(entries.map(({ newMilli }) => newMilli)).toEqual([3000, 6000, 9000, 12_000, 15_000, 18_000]);
    expect(entries.reduce((sum, { effectMilli }) => sum + effectMilli, 0)).toBe(
      (await quantityOf(stock_id)).quantityMilli,
    );
    for (const { id } of orders)
      expect((await call('GET', `/purchase-orders/${id}`)).json().data).toMatchObject({
        status: 'partial',
        items: [{ received_quantity: 9 }],
      });
  });
});

describe('a delivery that two people enter', () => {
  test('is booked once: the second is told what was received meanwhile', async () => {
    const stockId = await addItem();
    const { id, items, status } = await sent([{ stock_id: stockId, quantity: 10 }]);
    const body = { items: [{ item_id: items[0]!.id, quantity: 5 }], seen: { items, status } };
    const replies = await Promise.all([1, 2].map(() => call('POST', `/purchase-orders/${id}/receive`, body)));
    expect(new Set(replies.map(({ statusCode }) => statusCode))).toEqual(new Set([200, 409]));
    const refused = replies.find(({ statusCode }) => statusCode === 409)!.json();
    expect(refused).toMatchObject({
      code: 'CHANGED_MEANWHILE',
      details: { items: [{ received_quantity: 5 }], status: 'partial' },
    });
    expect((await quantityOf(stockId)).quantityMilli).toBe(5000);
    const again = { ...body, seen: refused.details };
    expect(outcome(await call('POST', `/purchase-orders/${id}/receive`, again))).toEqual([200, 'received']);
  });

  test.each(['one order', 'two orders'])(
    "is asked back where the vendor's number was booked before, on %s",
    async (where) => {
      const stockId = await addItem();
      const vendor = `Vendor with ${where}`;
      const [first, second] = [
        await order([{ stock_id: stockId, quantity: 10 }], { vendor }),
        await order([{ stock_id: stockId, quantity: 10 }], { vendor: ` ${vendor.toUpperCase()}` }),
      ];
      const receive = (of: PurchaseOrderResource, delivery_note: string, more: object = {}) =>
        call('POST', `/purchase-orders/${of.id}/receive`, {
          items: [{ item_id: of.items[0]!.id, quantity: 5 }],
          delivery_note,
          ...more,
        });
      const other = where === 'one order' ? first : second;
      const replies = await Promise.all([receive(first, 'DN-1'), receive(other, ' dn-1 ')]);
      expect(new Set(replies.map(outcome))).toEqual(
        new Set([
          [200, 'partial'],
          [409, 'DELIVERY_NOTE_BOOKED'],
        ]),
      );
      expect((await quantityOf(stockId)).quantityMilli).toBe(5000);
      expect(outcome(await receive(other, 'dn-1', { is_another_delivery: true }))[0]).toBe(200);
      expect((await quantityOf(stockId)).quantityMilli).toBe(10_000);
      const elsewhere = await order([{ stock_id: stockId, quantity: 10 }], { vendor: `Besides ${where}` });
      const received = await receive(elsewhere, 'DN-1');
      expect(received.json().data.delivery_notes).toEqual(['DN-1']);
      const line = { quantity: 1, delivery_note: 'DN-1' };
      const ofLine = await call('POST', `/stock/purchase-orders/items/${elsewhere.items[0]!.id}/receive`, line);
      expect(outcome(ofLine)).toEqual([409, 'DELIVERY_NOTE_BOOKED']);
    },
  );
});

describe('cancelling', () => {
  test('cancels an order without deliveries', async () => {
    const { id, items } = await sent([{ stock_id: await addItem(), quantity: 2 }]);
    expect((await call('POST', `/purchase-orders/${id}/cancel`)).json().data).toMatchObject({
      status: 'cancelled',
      closed_at: new Date(nowMs).toISOString(),
    });
    expect(
      outcome(await call('POST', `/stock/purchase-orders/items/${items[0]!.id}/receive`, { quantity: 1 })),
    ).toEqual([409, 'PURCHASE_ORDER_CLOSED']);
  });

  test('closes a partly delivered order', async () => {
    const { id, items } = await sent([{ stock_id: await addItem(), quantity: 2 }]);
    await call('POST', `/stock/purchase-orders/items/${items[0]!.id}/receive`, { quantity: 1 });
    expect((await call('POST', `/purchase-orders/${id}/cancel`)).json().data).toMatchObject({
      status: 'received',
      items: [{ quantity: 2, received_quantity: 1 }],
    });
  });
});

test.each([
  ['GET', '/purchase-orders/2000000000', undefined, 'PURCHASE_ORDER_NOT_FOUND'],
  [
    'PUT',
    '/purchase-orders/2000000000',
    { vendor: 'x', items: [{ stock_id: 1, quantity: 1 }] },
    'PURCHASE_ORDER_NOT_FOUND',
  ],
  ['POST', '/purchase-orders/2000000000/send', undefined, 'PURCHASE_ORDER_NOT_FOUND'],
  ['POST', '/purchase-orders/2000000000/cancel', undefined, 'PURCHASE_ORDER_NOT_FOUND'],
  ['POST', '/purchase-orders/2000000000/receive', { items: [{ item_id: 1, quantity: 1 }] }, 'PURCHASE_ORDER_NOT_FOUND'],
  ['POST', '/stock/purchase-orders/items/2000000000/receive', { quantity: 1 }, 'PURCHASE_ITEM_NOT_FOUND'],
  ['GET', '/stock/2000000000/purchase-orders', undefined, 'STOCK_NOT_FOUND'],
] as const)('%s %s does not exist', async (method, url, payload, code) => {
  expect(outcome(await call(method, url, payload))).toEqual([404, code]);
});

describe('lists', () => {
  test('are paged, newest first, searched by number and vendor, and filtered by status', async () => {
    const stock_id = await addItem();
    const made = [];
    for (const vendor of ['100% Dental', 'Zahnbedarf Nord', 'Zahnbedarf Süd'])
      made.push(await order([{ stock_id, quantity: 1 }], { vendor }));
    await call('POST', `/purchase-orders/${made[1]!.id}/send`);
    const list = async (query: string, url = '/purchase-orders') => (await call('GET', `${url}?${query}`)).json();
    const vendors = async (query: string) =>
      (await list(query)).data.map(({ vendor }: PurchaseOrderResource) => vendor);
    expect(await vendors('search=zahnbedarf')).toEqual(['Zahnbedarf Süd', 'Zahnbedarf Nord']);
    expect(await vendors('search=zahnbedarf&status=sent')).toEqual(['Zahnbedarf Nord']);
    expect(await vendors(`search=${made[0]!.po_number.toLowerCase()}`)).toEqual(['100% Dental']);
    expect(await vendors('search=%25')).toEqual(['100% Dental']);
    expect(await list('search=zahnbedarf&per_page=1&page=2')).toMatchObject({
      success: true,
      data: [{ vendor: 'Zahnbedarf Nord', items: [{ stock_id, name: expect.any(String) }] }],
      pagination: { total: 2, page: 2, per_page: 1, totalPages: 2 },
    });
    const ofItem = await list('per_page=2', `/stock/${stock_id}/purchase-orders`);
    expect([ofItem.data.length, ofItem.pagination.total]).toEqual([2, 3]);
  });

  test('suggest low items by supplier, less the quantity on order, at the last cost', async () => {
    const supplier = 'Suggested Supplies';
    const low = { supplier, lowStockThresholdMilli: 6000, quantityMilli: 2000 };
    const [fresh, onOrder, covered, gone, unknown] = [
      await addItem({ ...low, name: 'A fresh', supplierContact: 'orders@suggested.test' }),
      await addItem({ ...low, name: 'B on order' }),
      await addItem({ ...low, name: 'C covered' }),
      await addItem({ ...low, name: 'D gone', deletedAt: nowMs }),
      await addItem({ ...low, name: 'E enough', quantityMilli: 6001 }),
    ];
    await sent([
      { stock_id: onOrder, quantity: 7, unit_cost: 8 },
      { stock_id: covered, quantity: 10 },
    ]);
    const given = await sent([{ stock_id: fresh, quantity: 10, unit_cost: 99 }]);
    await call('POST', `/purchase-orders/${given.id}/cancel`);
    const { data } = (await call('GET', '/purchase-orders/suggestions')).json<{ data: PurchaseSuggestion[] }>();
    expect(data.find((one) => one.supplier === supplier)).toEqual({
      supplier,
      supplier_contact: 'orders@suggested.test',
      items: [
        {
          stock_id: fresh,
          name: 'A fresh',
          unit: 'boxes',
          current: 2,
          threshold: 6,
          on_order: 0,
          suggested: 10,
          unit_cost: 9.5,
        },
        {
          stock_id: onOrder,
          name: 'B on order',
          unit: 'boxes',
          current: 2,
          threshold: 6,
          on_order: 7,
          suggested: 3,
          unit_cost: 8,
        },
      ],
    });
    expect(JSON.stringify(data)).not.toMatch(new RegExp(`"stock_id":(${gone}|${unknown}),`));
  });
});
