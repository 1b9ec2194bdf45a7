/** The month of `fixtures/report-month.ts`, told by tablets to a real server, against what was worked out on paper. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Analytics, SalesPreview } from '#domain/report/resources.ts';
import {
  aprilRefund,
  aprilRevenue,
  cancelledInMarch,
  endOfApril,
  endOfMarch,
  lastDayDashboard,
  lastDayIncome,
  march,
  marchAnalytics,
  marchExpenses,
  marchIncome,
  marchPreview,
  prices,
} from '#tests/fixtures/report-month.ts';
import type { Event, Item, Treatment } from '#tests/fixtures/report-month.ts';
import { newId } from '#tests/support/unique.ts';
import { lineOf, ReportClinic } from './clinic.ts';
import type { Told } from './clinic.ts';

let clinic: ReportClinic;
const ids = new Map(march.map(({ name }) => [name, newId()]));
const items = Object.keys(prices) as Item[];
const linesOf = (sold: readonly [Item, number][]) =>
  sold.map(([item, quantity]) => lineOf(items.indexOf(item) + 1, item, prices[item], quantity));
const ms = (at: string) => Date.parse(at);

function toldOf({ name, type, at, items: sold, discount = 0, charge = 0, events, arrives }: Treatment): Told[] {
  const create: Told = {
    do: 'create',
    order: ids.get(name)!,
    type,
    items: linesOf(sold),
    discount,
    charge,
    customer: `Patient ${name}`,
    atMs: ms(at),
    arrivesMs: ms(arrives ?? at),
  };
  return [create, ...events.map((event) => toldEvent(name, event, arrives))];
}

function toldEvent(name: string, event: Event, arrives = event.at): Told {
  const when = { order: ids.get(name)!, atMs: ms(event.at), arrivesMs: ms(arrives) };
  if ('pay' in event) return { do: 'pay', amount: event.pay, by: event.by, ...when };
  if ('refund' in event) return { do: 'refund', amount: event.refund, by: event.by, ...when };
  return 'add' in event ? { do: 'add', items: linesOf(event.add), ...when } : { do: 'cancel', ...when };
}

beforeAll(async () => {
  clinic = await ReportClinic.open(ms('2026-02-28T18:00:00Z'));
  const deeds = march.flatMap(toldOf).sort((a, b) => a.arrivesMs - b.arrivesMs);
  for (const [index, deed] of deeds.entries()) {
    await clinic.tell([deed]);
    // Somebody looks at the reports while the month goes on, so that its first days are kept before late work arrives.
    if (index % 3 === 0) await clinic.ask('/reports/analytics?period=month', deed.arrivesMs);
  }
  for (const expense of marchExpenses) await clinic.expense(expense, ms(endOfMarch));
});
afterAll(() => clinic.close());

const ask = <T>(url: string, at = endOfMarch) => clinic.ask<T>(url, ms(at));
const preview = (query: string, at?: string) => ask<SalesPreview>(`/reports/sales/preview?${query}`, at);

describe('a month computed by hand', () => {
  test('has these analytics', async () => {
    const { data, byDay, ...figures } = await ask<Analytics>('/reports/analytics?period=month');
    expect(figures).toEqual(marchAnalytics);
    expect(
      byDay
        .filter(({ orders, revenue }) => orders || revenue)
        .map(({ day, orders, revenue }) => [day.slice(8), orders, revenue]),
    ).toEqual([
      ['01', 1, 190],
      ['02', 2, 172.91],
      ['05', 1, 60],
      ['09', 2, 176],
      ['10', 1, 80],
      ['16', 0, 126],
      ['28', 1, 60],
      ['29', 3, 75.25],
      ['30', 1, 161.25],
      ['31', 4, 225.25],
    ]);
    expect(byDay).toHaveLength(31);
    expect(data.map(({ customer_name }) => customer_name.slice(8))).toEqual([
      'M18',
      'M17',
      'M15',
      'M14',
      'M13',
      'M12',
      'M11',
      'M10',
      'M9',
      'M8',
      'M7',
      'M6',
      'M5',
      'M16',
      'M4',
      'M3',
      'M2',
      'M1',
    ]);
  });

  test('has this income by day, and by hour on its last day', async () => {
    expect(await ask('/admin/dashboard/income-report?period=month')).toEqual(marchIncome);
    expect(await ask('/admin/dashboard/income-report')).toEqual(lastDayIncome);
  });

  test('shows this dashboard on its last evening', async () => {
    expect(await ask('/admin/dashboard/stats')).toEqual(lastDayDashboard);
  });

  test('has these treatments', async () => {
    const { data, ...summary } = await preview('startDate=2026-03-01&endDate=2026-03-31&size=50');
    expect(summary).toEqual(marchPreview);
    expect(data).toHaveLength(18);
    expect(data.find(({ customer_name }) => customer_name === 'Patient M2')).toMatchObject({
      order_type: 'scheduled',
      status: 'completed',
      business_day: '2026-03-02',
      created_at: '2026-03-02T09:30:00.000Z',
      currency: 'EUR',
      items_count: 1,
      total: 153.9,
      paid: 153.9,
      refunded: 0,
      discount: 17.1,
      invoice_numbers: [],
      items: [{ name: 'Filling', quantity: 2, unit_cost: 85.5, price: 171, notes: '' }],
    });
    expect(data.find(({ customer_name }) => customer_name === 'Patient M6')).toMatchObject({
      status: 'completed',
      total: 50,
      paid: 50,
      refunded: 20,
    });
  });

  test('keeps its income when a treatment is refunded in the next month', async () => {
    await clinic.tell([toldEvent('M13', aprilRefund)]);
    const { totalRevenue, totalRefunds } = await ask<Analytics>(
      '/reports/analytics?period=month&language=sp',
      endOfApril,
    );
    expect(totalRevenue).toEqual(aprilRevenue);
    expect(totalRefunds).toEqual({ amount: 100, count: 1 });
    const { data, ...summary } = await preview('startDate=2026-03-01&endDate=2026-03-31&status=cancelled', endOfApril);
    expect(summary).toEqual(cancelledInMarch);
    expect(data.map(({ customer_name }) => customer_name.slice(8))).toEqual(['M15', 'M13', 'M4']);
  });
});
