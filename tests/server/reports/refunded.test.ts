/** A treatment after a refund, as every report states it. The numbers are those of decision 042. */
import readSheets from 'read-excel-file/node';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { DayEnd } from '#domain/notification/day-end.ts';
import type { Analytics, DashboardStats, IncomeReport, SalesPreview } from '#domain/report/resources.ts';
import type { ReportedDrawer } from '#server/modules/drawers/service.ts';
import { dayFigures, staleDays } from '#server/db/schema/reports.ts';
import { newId } from '#tests/support/unique.ts';
import { lineOf, ReportClinic } from './clinic.ts';
import type { Told } from './clinic.ts';

const morning = Date.parse('2026-05-04T08:00:00Z');
const minuteMs = 60_000;
const dayMs = 86_400_000;
const evening = morning + 600 * minuteMs;
const day = '2026-05-04';

const clinics: ReportClinic[] = [];
let clinic: ReportClinic;
beforeEach(async () => {
  clinic = await ReportClinic.open(morning);
  clinics.push(clinic);
});
afterAll(() => Promise.all(clinics.map((each) => each.close())));

const order = newId();
const [filling, crown] = [lineOf(1, 'Filling', 100, 1), lineOf(2, 'Crown', 100, 1)];

function treatment({ discount = 0, charge = 0, items = [filling, crown] } = {}): Told {
  const when = { order, atMs: morning + minuteMs, arrivesMs: morning + minuteMs };
  return { do: 'create', type: 'walk_in', items, discount, charge, ...when };
}
const paid = (amount: number, atMs = morning + 2 * minuteMs): Told => ({
  do: 'pay',
  order,
  amount,
  by: 'cash',
  atMs,
  arrivesMs: atMs,
});
const refunded = (
  amount: number,
  atMs = morning + 60 * minuteMs,
  more: Partial<Extract<Told, { do: 'refund' }>> = {},
): Told => ({ do: 'refund', order, amount, by: 'cash', atMs, arrivesMs: atMs, ...more });

const analytics = (period: 'today' | 'month' = 'today', atMs = evening) =>
  clinic.ask<Analytics>(`/reports/analytics?period=${period}`, atMs);

describe('a treatment of 200 of which 50 is refunded', () => {
  const drawer = newId();
  const opened: Told = { do: 'open', drawer, atMs: morning, arrivesMs: morning };

  test('is worth 150 in each report, and its rows state the agreed price and what was given back', async () => {
    await clinic.tell([opened, treatment(), paid(200), refunded(50)]);
    expect(await analytics()).toMatchObject({
      totalRevenue: { amount: 150 },
      totalRefunds: { amount: 50, count: 1 },
      completedOrders: 1,
      cancelledOrders: 0,
      averageOrder: { amount: 150 },
      byType: [{ count: 1, revenue: 150 }],
      byMethod: [{ method: 'cash', count: 2, amount: 150 }],
      byDay: [{ day, orders: 1, revenue: 150, compared: { revenue: 0 } }],
      topProducts: [
        { name: 'Crown', quantity: 1, revenue: 75 },
        { name: 'Filling', quantity: 1, revenue: 75 },
      ],
      data: [{ status: 'completed', total: 200, paid: 200, refunded: 50 }],
    });
    expect(await clinic.ask<DashboardStats>('/admin/dashboard/stats', evening)).toMatchObject({
      todaysOrders: { count: 1 },
      todaysRevenue: { amount: 150 },
      activeOrders: 0,
    });
    expect((await clinic.ask<IncomeReport>('/admin/dashboard/income-report', evening)).summary).toMatchObject({
      totalOrders: 1,
      grossIncome: 200,
      refunds: 50,
      netIncome: 150,
    });
    expect(await clinic.ask<DayEnd>(`/reports/day-end?day=${day}`, evening)).toMatchObject({
      completed: 1,
      gross: 200,
      refunds: 50,
      revenue: 150,
      averageOrder: 150,
      cash: { inDrawers: 150, outside: 0 },
      topServices: [{ revenue: 75 }, { revenue: 75 }],
    });
    const { report } = await clinic.ask<ReportedDrawer>(`/drawers/${drawer}/report`, evening);
    expect(report).toMatchObject({
      sales: { count: 1, amount: 200 },
      refunds: { count: 1, amount: -50 },
      expected: { cash: 250 },
    });
    const preview = await clinic.ask<SalesPreview>('/reports/sales/preview', evening);
    expect(preview).toMatchObject({
      total: 1,
      sums: { count: 1, total: 200, paid: 200, refunded: 50 },
      cancelled: { count: 0 },
      data: [{ status: 'completed', total: 200, paid: 200, refunded: 50 }],
    });
    const headers = { authorization: `Bearer ${await clinic.server.login('manager')}` };
    const url = '/api/reports/sales/export/excel';
    const file = await clinic.server.app.inject({ method: 'POST', url, headers, payload: {} });
    const [, row, sums] = (await readSheets(file.rawPayload))[0]!.data;
    expect([row![4], row![8], row![10], row![11]]).toEqual(['Completed', 200, 200, 50]);
    expect([sums![0], sums![8], sums![10], sums![11]]).toEqual(['Total', 200, 200, 50]);
  });

  test('counts in no average and no product while it is still to be paid', async () => {
    await clinic.tell([treatment(), paid(200), refunded(50, undefined, { stillOwed: true })]);
    expect(await analytics()).toMatchObject({
      totalRevenue: { amount: 150 },
      completedOrders: 0,
      averageOrder: { amount: 0 },
      topProducts: [],
      data: [{ status: 'confirmed', total: 200, paid: 200, refunded: 50 }],
    });
  });

  test('stands among the cancelled once the rest is refunded', async () => {
    await clinic.tell([treatment(), paid(200), refunded(50), refunded(150, morning + 90 * minuteMs)]);
    expect(await analytics()).toMatchObject({ completedOrders: 0, cancelledOrders: 1, topProducts: [] });
    expect(await clinic.ask<SalesPreview>('/reports/sales/preview', evening)).toMatchObject({
      sums: { count: 0, total: 0, paid: 0, refunded: 0 },
      cancelled: { count: 1, total: 200, paid: 200, refunded: 200 },
    });
  });
});

describe('a refund on a later day', () => {
  const later = evening + 6 * dayMs;
  const marks = () => clinic.server.database.$count(staleDays);

  test('leaves the money of the past day as it was, and takes its part out of what the day has completed', async () => {
    await clinic.tell([treatment({ charge: 10 }), paid(210)]);
    const before = await analytics('month', later);
    expect(before).toMatchObject({ averageOrder: { amount: 210 }, totalRevenue: { amount: 210 } });
    expect(await clinic.server.database.$count(dayFigures)).toBeGreaterThan(0);
    const charged = async () => {
      const { summary, breakdown } = await clinic.ask<IncomeReport>(
        '/admin/dashboard/income-report?period=month',
        later,
      );
      return [
        summary.serviceCharge,
        ...breakdown.map(({ period, service_charge, net }) => [period, service_charge, net]),
      ];
    };
    expect(await charged()).toEqual([10, [day, 10, 200]]);

    await clinic.tell([refunded(105, later, { lines: [{ line_id: crown.line_id, amount: 105 }] })]);
    expect(await marks()).toBeGreaterThan(0);
    const after = await analytics('month', later);
    expect(await marks()).toBe(0);
    expect(after).toMatchObject({
      totalRevenue: { amount: 105 },
      completedOrders: 1,
      averageOrder: { amount: 105 },
      topProducts: [
        { name: 'Filling', quantity: 1, revenue: 105 },
        { name: 'Crown', quantity: 1, revenue: 0 },
      ],
    });
    const revenueOf = ({ byDay }: Analytics) => byDay.find((each) => each.day === day);
    expect(revenueOf(after)).toEqual(revenueOf(before));
    expect(await charged()).toEqual([5, ['2026-05-10', -5, -100], [day, 10, 200]]);
  });

  test('that still is to be paid takes the treatment out of the past day’s completed ones', async () => {
    await clinic.tell([treatment(), paid(200)]);
    expect(await analytics('month', later)).toMatchObject({ completedOrders: 1 });
    await clinic.tell([refunded(50, later, { stillOwed: true })]);
    expect(await analytics('month', later)).toMatchObject({ completedOrders: 0, averageOrder: { amount: 0 } });
  });
});

test('the top products state what was taken for them: nothing for a service that was given away', async () => {
  const gift = lineOf(3, 'Veneers', 77_777, 1);
  await clinic.tell([treatment({ items: [gift], discount: 77_777 }), paid(0.01)]);
  const whole = newId();
  const when = { order: whole, atMs: morning + 3 * minuteMs, arrivesMs: morning + 3 * minuteMs };
  await clinic.tell([
    { do: 'create', type: 'walk_in', items: [filling, crown], discount: 20, charge: 0, ...when },
    { do: 'pay', amount: 180, by: 'card', ...when },
  ]);
  expect((await analytics()).topProducts).toEqual([
    { name: 'Crown', quantity: 1, revenue: 90 },
    { name: 'Filling', quantity: 1, revenue: 90 },
    { name: 'Veneers', quantity: 1, revenue: 0 },
  ]);
});
