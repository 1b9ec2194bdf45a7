import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type {
  LowStockReport,
  StockMovementsReport,
  StockSummaryReport,
  StockValuationReport,
} from '#domain/stock/reports.ts';
import { BackOffice } from './clinic.ts';

// Shortly after midnight of 4 March in Madrid, where it is still 3 March by UTC.
const nowMs = Date.parse('2026-03-03T23:30:00Z');
let office: BackOffice;
const ids: Record<string, number> = {};

beforeAll(async () => {
  office = await BackOffice.open({ now: nowMs });
  const { id: category_id } = await office.category('Implants');
  const add = async (name: string, over: object) => (ids[name] = (await office.item({ name, ...over })).id);
  await add('Implant', { supplier: 'Norte', quantity: 3, cost_per_unit: 200, category_id });
  await add('Gauze', { supplier: 'Sur', quantity: 10.5, cost_per_unit: 0.33, low_stock_threshold: 20 });
  await add('Bib', { supplier: 'Este', quantity: 100, cost_per_unit: 1 });
  await add('Mask', { supplier: 'Oeste', quantity: 0, cost_per_unit: 9, low_stock_threshold: 5, reserved_quantity: 2 });
  await add('Found', { quantity: 40, cost_per_unit: 10 });
  await office.rows(`update stock_items set supplier = ' ' where id = $1`, [ids['Found']]);
  await office.call('POST', `/stock/stock/subtract/${ids['Mask']}`, { amount: 4 });
});
afterAll(() => office.server.close());

describe('GET /stock/stats', () => {
  test('counts and values the stock, and values a quantity below zero at 0', async () => {
    expect(await office.get<object>('/stock/stats')).toEqual({
      success: true,
      data: {
        total: 5,
        inStock: 3,
        lowStock: 1,
        outOfStock: 1,
        totalValue: 600 + 3.47 + 100 + 400,
        topSuppliers: [
          { supplier: 'Norte', count: 1, value: 600, percent: 54.4 },
          { supplier: 'Unknown', count: 1, value: 400, percent: 36.2 },
          { supplier: 'Este', count: 1, value: 100, percent: 9.1 },
        ],
      },
    });
  });

  test('returns zeros for an empty clinic', async () => {
    const clinicId = await office.server.addClinic();
    const token = await office.server.login('manager', { clinicId });
    const reply = await office.server.app.inject({
      url: '/api/stock/stats',
      headers: { authorization: `Bearer ${token}` },
    });
    expect(reply.json().data).toEqual({
      total: 0,
      inStock: 0,
      lowStock: 0,
      outOfStock: 0,
      totalValue: 0,
      topSuppliers: [],
    });
  });
});

describe('GET /stock/inventory/report', () => {
  const report = async <T>(query: string) => (await office.get<{ data: T }>(`/stock/inventory/report${query}`)).data;

  test('sums up by category by default', async () => {
    const summary = await report<StockSummaryReport>('');
    expect(summary).toMatchObject({
      type: 'summary',
      generated_at: new Date(nowMs).toISOString(),
      stats: { total: 5 },
    });
    expect(summary.categories).toEqual([
      { category_id: expect.any(Number), category: 'Implants', items: 1, lowStock: 0, outOfStock: 0, value: 600 },
      { category_id: null, category: null, items: 4, lowStock: 1, outOfStock: 1, value: 503.47 },
    ]);
  });

  test('values each item', async () => {
    const { items, totalValue } = await report<StockValuationReport>('?type=valuation');
    expect(totalValue).toBe(1103.47);
    expect(items.map(({ name, value }) => [name, value])).toEqual([
      ['Implant', 600],
      ['Found', 400],
      ['Bib', 100],
      ['Gauze', 3.47],
      ['Mask', 0],
    ]);
    expect(items[0]).toMatchObject({
      category: 'Implants',
      supplier: 'Norte',
      quantity: 3,
      cost_per_unit: 200,
      percent: 54.4,
    });
  });

  test('sums up movements by the clinic’s business days', async () => {
    await office.call('POST', `/stock/stock/add/${ids['Bib']}`, { amount: 6 });
    const order = (await office.call('POST', '/orders', { items: [{ stock_id: ids['Implant'], quantity: 1 }] })).json()
      .data;
    await office.call('POST', `/payments/orders/${order.id}/pay`, { payment_method: 'card', amount: 200 });
    const { from, to, items } = await report<StockMovementsReport>('?type=movements');
    expect([from, to]).toEqual(['2026-02-03', '2026-03-04']);
    expect(items[0]).toEqual({
      id: ids['Implant'],
      name: 'Implant',
      unit: 'pcs',
      movements: 2,
      received: 0,
      used: 1,
      withdrawn: 0,
      corrected: 3,
      net: 2,
      usageCost: 200,
    });
    expect(items.find(({ name }) => name === 'Bib')).toMatchObject({ received: 6, corrected: 100, net: 106 });
    expect(items.find(({ name }) => name === 'Mask')).toMatchObject({ withdrawn: 4, net: -4 });
    expect((await report<StockMovementsReport>('?type=movements&to=2026-03-03')).items).toEqual([]);
    expect((await report<StockMovementsReport>('?type=movements&from=2026-03-04')).items.length).toBe(5);
  });

  test('lists the items to buy', async () => {
    const { items } = await report<LowStockReport>('?type=low_stock');
    expect(items).toEqual([
      {
        id: ids['Gauze'],
        name: 'Gauze',
        unit: 'pcs',
        supplier: 'Sur',
        supplier_contact: expect.any(String),
        quantity: 10.5,
        reserved_quantity: 0,
        low_stock_threshold: 20,
        last_restocked_at: null,
        state: 'low_stock',
        shortfall: 9.5,
      },
      expect.objectContaining({ name: 'Mask', quantity: -4, state: 'out_of_stock', shortfall: 11 }),
    ]);
  });

  test.each(['?type=everything', '?type=movements&from=yesterday', '?type=movements&from=2026-03-04&to=2026-03-03'])(
    'refuses %s',
    async (query) => {
      expect((await office.call('GET', `/stock/inventory/report${query}`)).statusCode).toBe(400);
    },
  );
});
