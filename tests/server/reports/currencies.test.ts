/** The reports of a clinic that changed its currency: nothing in the old one is added up with the new, and nothing is lost. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DayEnd } from '#domain/notification/day-end.ts';
import type { DashboardNow } from '#domain/report/now.ts';
import type { Analytics, DashboardStats, IncomeReport, SalesPreview } from '#domain/report/resources.ts';
import { defaultSettings } from '#domain/settings/settings.ts';
import type { ReportedDrawer } from '#server/modules/drawers/service.ts';
import { dayEndEmail } from '#server/modules/notifications/emails.ts';
import { newId } from '#tests/support/unique.ts';
import { lineOf, ReportClinic } from './clinic.ts';
import type { Told } from './clinic.ts';

const morning = Date.parse('2026-05-20T08:00:00Z');
const evening = Date.parse('2026-05-20T18:00:00Z');
const minuteMs = 60_000;
const weekMs = 7 * 86_400_000;
const drawer = newId();

let clinic: ReportClinic;
beforeAll(async () => {
  clinic = await ReportClinic.open(morning);
  const sale = (amount: number, currency: string, atMs: number): Told[] => {
    const when = { order: newId(), atMs, arrivesMs: evening };
    const items = [lineOf(1, 'Filling', amount, 1)];
    return [
      { do: 'create', type: 'walk_in', items, discount: 0, charge: 0, currency, ...when },
      { do: 'pay', amount, by: 'cash', ...when },
    ];
  };
  await clinic.tell([
    // A week before, the clinic still took euros.
    ...sale(500, 'EUR', morning - weekMs),
    ...sale(40, 'LKR', morning - weekMs),
    { do: 'open', drawer, atMs: morning, arrivesMs: evening },
    ...sale(100, 'EUR', morning + minuteMs),
    ...sale(7000, 'LKR', morning + 2 * minuteMs),
    { do: 'close', drawer, atMs: morning + 10 * minuteMs, arrivesMs: evening },
    ...sale(3, 'EUR', morning + 20 * minuteMs),
    ...sale(2000, 'LKR', morning + 30 * minuteMs),
  ]);
  await clinic.useCurrency('LKR');
});
afterAll(() => clinic.close());

const ask = <T>(url: string) => clinic.ask<T>(url, evening);
const others = [{ currency: 'EUR', orders: 2, revenue: 103 }];

test('the dashboard is in the clinic’s currency, and states what is in another', async () => {
  expect(await ask<DashboardStats>('/admin/dashboard/stats')).toMatchObject({
    todaysOrders: { count: 2 },
    todaysRevenue: { amount: 9000 },
    others,
  });
  expect(await ask<IncomeReport>('/admin/dashboard/income-report')).toMatchObject({
    summary: { totalOrders: 2, grossIncome: 9000, netIncome: 9000 },
    others,
  });
  const now = await ask<DashboardNow>('/admin/dashboard/now');
  expect(now.sameHour).toMatchObject({ today: 9000, usual: 40, days: [{ day: '2026-05-13', revenue: 40 }] });
  expect(now.drawers.outside).toEqual({ count: 1, amount: 2000 });
});

test('so are analytics and sales, in past days too', async () => {
  expect(await ask<Analytics>('/reports/analytics?period=month')).toMatchObject({
    totalRevenue: { amount: 9040 },
    completedOrders: 3,
    averageOrder: { amount: 3013.33 },
    topProducts: [{ name: 'Filling', quantity: 3, revenue: 9040 }],
    others: [{ currency: 'EUR', orders: 3, revenue: 603 }],
  });
  expect(await ask<SalesPreview>('/reports/sales/preview')).toMatchObject({
    total: 6,
    currency: 'LKR',
    sums: { count: 3, total: 9040 },
    others: [{ currency: 'EUR', sums: { count: 3, total: 603 } }],
  });
});

test('a Z report is in the currency of its drawer, whatever the clinic’s is now', async () => {
  const { currency, report } = await ask<ReportedDrawer>(`/drawers/${drawer}/report`);
  expect(currency).toBe('EUR');
  expect(report).toMatchObject({
    sales: { count: 1, amount: 100 },
    expected: { cash: 200 },
    difference: { cash: -200 },
    others: [{ currency: 'LKR', sales: { count: 1, amount: 7000 }, taken: { cash: 7000 } }],
  });
});

test('the day end is in the clinic’s currency, its drawers are in theirs', async () => {
  const end = await ask<DayEnd>('/reports/day-end?day=2026-05-20');
  expect(end).toMatchObject({
    revenue: 9000,
    byMethod: [{ method: 'cash', count: 2, amount: 9000 }],
    cash: { inDrawers: 7000, outside: 2000, outsideCount: 1 },
    drawers: [{ currency: 'EUR', expected: 200, difference: -200, cash: 7000 }],
    others,
  });
  const { sections } = dayEndEmail(end, { ...defaultSettings, currency: 'LKR' });
  const cells = sections.flatMap(({ rows }) => rows).map((row) => row.join(' '));
  expect(cells).toContain('Revenue, in none of the figures. Treatments: 2 EUR 103,00');
  expect(cells).toContainEqual(expect.stringContaining('EUR 200,00 EUR 0,00 EUR -200,00'));
  expect(cells).toContain('Revenue Rs 9.000,00');
});
