import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { businessDay, daysAfter } from '#domain/business-day.ts';
import type { LotResource, LotRecipient } from '#domain/stock/resources.ts';
import { productIngredients, products } from '#server/db/schema/catalogue.ts';
import { line, TestDevice } from '#tests/support/device.ts';
import { startTestServer } from '#tests/support/server.ts';
import type { TestServer } from '#tests/support/server.ts';
import { insertStockItem, itemOf, receive } from '#tests/support/stock.ts';

let server: TestServer;
let manager: TestDevice;

beforeAll(async () => {
  server = await startTestServer();
  manager = await TestDevice.enrol(server, 'manager');
});
afterAll(() => server.close());

const ask = async <T>(url: string) =>
  (await server.app.inject({ url: `/api/stock/lots${url}`, headers: manager.headers })).json<{ data: T }>().data;
const lotsOf = (stockId: number) => ask<LotResource[]>(`?stock_id=${stockId}&per_page=100`);
const left = async (stockId: number) =>
  Object.fromEntries((await lotsOf(stockId)).map(({ lot_number, remaining }) => [lot_number, remaining]));
const adjust = (stockId: number, action: 'add' | 'subtract' | 'set', amount: number, over = {}) =>
  manager.send(manager.operation('stock.adjust', { stock_id: stockId, action, amount }, over));

async function sell(
  item: { stock_id: number } | { product_id: number },
  quantity: number,
  customer_name: string,
): Promise<string> {
  const { stock_id: _, ...any } = line({ quantity, unit_price: 10 });
  const created = manager.create([{ ...any, ...item }]);
  created.payload.customer_name = customer_name;
  await manager.send(created, manager.pay(created, 10 * quantity));
  return created.payload.order_id;
}

const soon = () => daysAfter(businessDay(Date.now(), 'Europe/Madrid'), 5);
const later = () => daysAfter(soon(), 300);

describe('lots', () => {
  test('are filled by deliveries, and used from the first to expire', async () => {
    const id = await insertStockItem(server, { tracksLots: true });
    await receive(server, id, { quantity: 4, lot: 'EVER' });
    await receive(server, id, { quantity: 4, lot: 'LATE', expiresOn: later() });
    await receive(server, id, { quantity: 2, lot: 'SOON', expiresOn: soon() });
    await receive(server, id, { quantity: 1, lot: 'SOON', expiresOn: soon() });
    expect((await lotsOf(id)).map(({ lot_number, received, remaining }) => [lot_number, received, remaining])).toEqual([
      ['SOON', 3, 3],
      ['LATE', 4, 4],
      ['EVER', 4, 4],
    ]);
    await adjust(id, 'subtract', 5);
    expect(await left(id)).toEqual({ SOON: 0, LATE: 2, EVER: 4 });
    await adjust(id, 'set', 4.5);
    expect(await left(id)).toEqual({ SOON: 0, LATE: 0.5, EVER: 4 });
  });

  test('are not filled by deliveries without a lot, and do not block usage beyond their quantity', async () => {
    const id = await insertStockItem(server, { tracksLots: true, quantity: 3 });
    await adjust(id, 'add', 2);
    await receive(server, id, { quantity: 1, lot: 'ONE' });
    await sell({ stock_id: id }, 7, 'Nuria Campos');
    expect(await left(id)).toEqual({ ONE: 0 });
    expect((await itemOf(server, id)).quantityMilli).toBe(-1000);
    await adjust(id, 'set', 9);
    expect(await left(id)).toEqual({ ONE: 0 });
  });

  test('stay unchanged for an item that does not track lots', async () => {
    const id = await insertStockItem(server, { quantity: 3 });
    await receive(server, id, { quantity: 5, lot: 'KEPT' });
    await adjust(id, 'subtract', 4);
    expect(await left(id)).toEqual({ KEPT: 5 });
  });

  test('record the cost of the delivery or of the item, and the restocking time', async () => {
    const id = await insertStockItem(server, { cost: 2 });
    const atMs = Date.now() - 60_000;
    await receive(server, id, { quantity: 5, unitCost: 3, atMs });
    await receive(server, id, { quantity: 5, atMs: atMs - 60_000 });
    expect((await itemOf(server, id)).lastRestockedAt).toBe(atMs);
    const { rows } = await server.database.$client.query(
      'select cost_minor::int as cost from stock_transactions where stock_id = $1 order by id',
      [id],
    );
    expect(rows).toEqual([{ cost: 1500 }, { cost: 1000 }]);
  });

  test('are found by the beginning of their number and by their expiry', async () => {
    const id = await insertStockItem(server, { tracksLots: true });
    await receive(server, id, { quantity: 1, lot: 'Ab_12', expiresOn: soon() });
    await receive(server, id, { quantity: 1, lot: 'AB712', expiresOn: later() });
    const numbers = async (query: string) =>
      (await ask<LotResource[]>(`?stock_id=${id}${query}`)).map(({ lot_number }) => lot_number);
    expect(await numbers('&search=ab_')).toEqual(['Ab_12']);
    expect(await numbers('&search=AB')).toEqual(['Ab_12', 'AB712']);
    expect(await numbers('&expiring=5')).toEqual(['Ab_12']);
    expect(await numbers('&expiring=4')).toEqual([]);
  });
});

describe('an expired lot', () => {
  const gone = () => daysAfter(businessDay(Date.now(), 'Europe/Madrid'), -3);
  const told = async (name: string) =>
    (
      await server.database.$client.query(
        `select order_id, details from attention_items where kind = 'lot_expired' and details ->> 'name' = $1`,
        [name],
      )
    ).rows;

  test('is left on the shelf by a sale while another lot is there', async () => {
    const id = await insertStockItem(server, { name: 'Fresh first', tracksLots: true });
    await receive(server, id, { quantity: 2, lot: 'OLD', expiresOn: gone() });
    await receive(server, id, { quantity: 2, lot: 'TODAY', expiresOn: daysAfter(gone(), 3) });
    await receive(server, id, { quantity: 2, lot: 'LATE', expiresOn: later() });
    await receive(server, id, { quantity: 2, lot: 'EVER' });
    await sell({ stock_id: id }, 5, 'Nuria Campos');
    expect(await left(id)).toEqual({ OLD: 2, TODAY: 0, LATE: 0, EVER: 1 });
    expect(await told('Fresh first')).toEqual([]);
  });

  test('is told to a manager when a sale uses it because nothing else is there', async () => {
    const id = await insertStockItem(server, { name: 'Last resort', tracksLots: true });
    await receive(server, id, { quantity: 2, lot: 'OLD', expiresOn: gone() });
    await receive(server, id, { quantity: 1, lot: 'LATE', expiresOn: later() });
    const orderId = await sell({ stock_id: id }, 2, 'Nuria Campos');
    expect(await left(id)).toEqual({ OLD: 1, LATE: 0 });
    expect(await told('Last resort')).toEqual([
      {
        order_id: orderId,
        details: {
          actor_id: manager.userId,
          actor: expect.any(String),
          device: manager.info.code,
          number: expect.stringMatching(/^T-/),
          name: 'Last resort',
          lot: 'OLD',
          day: gone(),
        },
      },
    ]);
  });

  test('had not expired for a sale of an earlier day that arrives late', async () => {
    const id = await insertStockItem(server, { name: 'Sold in time', tracksLots: true });
    const soldAtMs = Date.now() - 4 * 86_400_000;
    await receive(server, id, { quantity: 2, lot: 'THEN', expiresOn: gone(), atMs: soldAtMs - 86_400_000 });
    await receive(server, id, { quantity: 2, lot: 'LATE', expiresOn: later(), atMs: soldAtMs - 86_400_000 });
    const created = manager.create([{ ...line({ quantity: 1, unit_price: 10 }), stock_id: id }], {
      occurred_at: new Date(soldAtMs).toISOString(),
    });
    await manager.send(created, manager.pay(created, 10, {}, { occurred_at: new Date(soldAtMs).toISOString() }));
    expect(await left(id)).toEqual({ THEN: 1, LATE: 2 });
    expect(await told('Sold in time')).toEqual([]);
  });

  test('is what people throw away, and what a count finds missing', async () => {
    const id = await insertStockItem(server, { name: 'Thrown away', tracksLots: true });
    await receive(server, id, { quantity: 3, lot: 'OLD', expiresOn: gone() });
    await receive(server, id, { quantity: 3, lot: 'LATE', expiresOn: later() });
    await adjust(id, 'subtract', 2);
    await adjust(id, 'set', 3);
    expect(await left(id)).toEqual({ OLD: 0, LATE: 3 });
    expect(await told('Thrown away')).toEqual([]);
  });
});

describe('the recipients of a lot', () => {
  test('are all treatments that used it, also through a product', async () => {
    const id = await insertStockItem(server, { name: 'Implant', tracksLots: true });
    const [product] = await server.database
      .insert(products)
      .values({ clinicId: server.clinicId, name: 'Implantation', searchKey: 'implantation', priceMinor: 1000 })
      .returning();
    await server.database
      .insert(productIngredients)
      .values({ clinicId: server.clinicId, productId: product!.id, stockId: id, quantityMilli: 2000 });
    await receive(server, id, { quantity: 3, lot: 'IMP-1', expiresOn: soon() });
    await receive(server, id, { quantity: 9, lot: 'IMP-2', expiresOn: later() });
    await sell({ stock_id: id }, 2, 'Marta Gil');
    const second = await sell({ product_id: product!.id }, 1, 'Hugo Prieto');
    await adjust(id, 'subtract', 1);

    const [one, two] = await lotsOf(id).then((lots) =>
      ['IMP-1', 'IMP-2'].map((number) => lots.find(({ lot_number }) => lot_number === number)!),
    );
    const recipients = async (lotId: number) =>
      (await ask<LotRecipient[]>(`/${lotId}/recipients`)).map(
        ({ customer_name, quantity }) => `${customer_name} ${quantity}`,
      );
    expect((await recipients(one!.id)).sort()).toEqual(['Hugo Prieto 1', 'Marta Gil 2']);
    expect(await recipients(two!.id)).toEqual(['Hugo Prieto 1']);
    expect(two).toMatchObject({ received: 9, remaining: 7 });

    const recalled = await ask<(LotResource & { recipients: LotRecipient[] })[]>('/recipients?lot=imp-2');
    expect(recalled).toHaveLength(1);
    expect(recalled[0]).toMatchObject({
      id: two!.id,
      lot_number: 'IMP-2',
      recipients: [{ order_id: second, customer_name: 'Hugo Prieto', quantity: 1 }],
    });
    expect(await ask('/recipients?lot=IMP')).toEqual([]);
  });

  test('are hidden from another clinic', async () => {
    const id = await insertStockItem(server, { tracksLots: true });
    await receive(server, id, { quantity: 1, lot: 'OWN' });
    const [lot] = await lotsOf(id);
    const headers = { authorization: `Bearer ${await server.login('admin', { clinicId: await server.addClinic() })}` };
    const foreign = await server.app.inject({ url: `/api/stock/lots/${lot!.id}/recipients`, headers });
    expect([foreign.statusCode, foreign.json().code]).toEqual([404, 'LOT_NOT_FOUND']);
    expect((await server.app.inject({ url: '/api/stock/lots/recipients?lot=OWN', headers })).json().data).toEqual([]);
  });
});
