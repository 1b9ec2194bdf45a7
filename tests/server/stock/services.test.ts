import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StockResource, StockStats } from '#domain/stock/resources.ts';
import { TestDevice } from '#tests/support/device.ts';
import { BackOffice } from './clinic.ts';

let office: BackOffice;
beforeAll(async () => {
  office = await BackOffice.open();
});
afterAll(() => office.server.close());

const service = async (over: object = {}): Promise<StockResource> => {
  const reply = await office.call('POST', '/stock', {
    name: 'Cleaning',
    cost_per_unit: 60,
    is_stocked: false,
    ...over,
  });
  expect(reply.statusCode).toBe(201);
  return reply.json<{ data: StockResource }>().data;
};
const sell = async (...items: StockResource[]): Promise<void> => {
  const till = await TestDevice.enrol(office.server, 'counter');
  const create = await office.call('POST', '/orders', {
    order_type: 'walk_in',
    items: items.map(({ id }) => ({ stock_id: id, quantity: 2 })),
  });
  const { id, price } = create.json<{ data: { id: string; price: number } }>().data;
  const paid = await office.server.app.inject({
    method: 'POST',
    url: `/api/payments/orders/${id}/pay`,
    headers: till.headers,
    payload: { payment_method: 'card', amount: price },
  });
  expect(paid.statusCode).toBeLessThan(300);
};

describe('the list of services', () => {
  test('tells the true total on a page behind the last', async () => {
    await service({ name: 'Scaling' });
    const { pagination } = await office.get<{ pagination: { total: number } }>('/services?per_page=1');
    expect(pagination.total).toBeGreaterThan(0);
    expect(await office.get('/services?per_page=1&page=99')).toMatchObject({
      data: [],
      pagination: { total: pagination.total },
    });
  });
});

describe('a service that is not stocked', () => {
  test('needs no supplier, and has no numbers of the stock whatever the body says', async () => {
    const made = await service({ quantity: 1000, reserved_quantity: 3, low_stock_threshold: 50, tracks_lots: true });
    const noStock = { quantity: 0, reserved_quantity: 0, low_stock_threshold: 0, tracks_lots: false };
    expect(made).toMatchObject({ ...noStock, is_stocked: false, needs_preparation: true, is_favourite: false });
    const changed = await office.call('PUT', `/stock/${made.id}`, {
      quantity: 7,
      low_stock_threshold: 9,
      is_favourite: true,
    });
    expect([changed.statusCode, changed.json().data]).toMatchObject([200, { ...noStock, is_favourite: true }]);
    expect(await office.ledgerOf(made.id)).toEqual([]);
  });

  test('has no part in stock value, counts, low-stock lists, alerts and proposed purchases', async () => {
    const supply = await office.item({ name: 'Burs', quantity: 1, low_stock_threshold: 2, cost_per_unit: 5 });
    const { data: before } = await office.get<{ data: StockStats }>('/stock/stats');
    const made = await service({ name: 'Check-up' });
    expect((await office.get<{ data: StockStats }>('/stock/stats')).data).toEqual(before);
    const idsIn = async (url: string) => {
      const text = JSON.stringify(await office.get<object>(url));
      return [supply.id, made.id].filter((id) => new RegExp(`"(stock_)?id":${id}[,}]`).test(text));
    };
    expect(await idsIn('/stock?status=out_of_stock&per_page=100')).toEqual([]);
    for (const url of [
      '/stock?status=low_stock',
      '/stock?is_stocked=true',
      '/stock/inventory/alerts',
      '/stock/inventory/report?type=low_stock',
      '/stock/inventory/report?type=valuation',
      '/purchase-orders/suggestions',
    ])
      expect([url, await idsIn(url)]).toEqual([url, [supply.id]]);
    expect(await idsIn('/stock')).toEqual([supply.id, made.id]);
    expect(await idsIn('/stock?is_stocked=false')).toEqual([made.id]);
    const [counted] = await office.rows('select count(*)::int as alerts from stock_alerts where stock_id = $1', [
      made.id,
    ]);
    expect(counted).toEqual({ alerts: 0 });
  });

  test('is sold without a stock transaction, beside goods that have one', async () => {
    const made = await service({ name: 'Filling' });
    const goods = await office.item({ name: 'Toothbrush', quantity: 10, needs_preparation: false });
    await sell(made, goods);
    expect(await office.ledgerOf(made.id)).toEqual([]);
    expect((await office.ledgerOf(goods.id)).map(({ effect }) => effect)).toEqual([10_000, -2000]);
    expect((await office.itemNow(goods.id)).reserved_quantity).toBe(0);
  });

  test('is not adjusted, reserved or ordered, and a fact of a tablet about it has no effect', async () => {
    const { id } = await service({ name: 'Whitening' });
    const code = async (url: string, body: object) =>
      (await office.call('POST', url, body)).json<{ code: string }>().code;
    for (const verb of ['add', 'subtract', 'update'])
      expect(await code(`/stock/stock/${verb}/${id}`, { amount: 1 })).toBe('STOCK_NOT_STOCKED');
    expect(await code('/stock/reserve', { stock: [{ stock_id: id, quantity: 1 }] })).toBe('STOCK_NOT_STOCKED');
    expect(await code('/stock/purchase-orders', { vendor: 'V', items: [{ stock_id: id, quantity: 1 }] })).toBe(
      'STOCK_NOT_FOUND',
    );
    expect(await code('/stock/stock/bulk-update', { updates: [{ id, quantity: 1 }] })).toBe('VALIDATION');
    const [result] = await office.manager.send(
      office.manager.operation('stock.adjust', { stock_id: id, action: 'add', amount: 5 }),
    );
    expect(result!.status).toBe('applied');
    expect(await office.ledgerOf(id)).toEqual([]);
  });

  test('ends the alert of an item that becomes one, and the last level returns when it is stocked again', async () => {
    const { id } = await office.item({ name: 'Tray', quantity: 1, low_stock_threshold: 4 });
    const openAlerts = () =>
      office.rows('select type from stock_alerts where stock_id = $1 and ended_at is null', [id]);
    expect(await openAlerts()).toEqual([{ type: 'low_stock' }]);
    await office.call('PUT', `/stock/${id}`, { is_stocked: false });
    expect(await openAlerts()).toEqual([]);
    expect(await office.itemNow(id)).toMatchObject({ quantity: 0, is_stocked: false });
    await office.call('PUT', `/stock/${id}`, { is_stocked: true, low_stock_threshold: 3 });
    expect(await office.itemNow(id)).toMatchObject({ quantity: 1, is_stocked: true });
    expect(await openAlerts()).toEqual([{ type: 'low_stock' }]);
  });
});

test('preparation and favourites of stock items and products reach the tablets through the feed', async () => {
  const { cursor } = await office.counter.pull();
  const made = await service({ name: 'Polishing', is_favourite: true });
  const kit = await office.product({ name: 'Travel kit', needs_preparation: false, is_favourite: true });
  const { rows } = await office.counter.pull(cursor);
  expect(rows.stock).toMatchObject([{ id: made.id, is_stocked: false, needs_preparation: true, is_favourite: true }]);
  expect(rows.products).toMatchObject([{ id: kit.id, needs_preparation: false, is_favourite: true }]);
});
