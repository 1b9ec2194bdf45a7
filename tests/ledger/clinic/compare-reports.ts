/** Compares the dashboard, the analytics, the income report and the sums of the sales report. */
import { addDays, dayOf } from '../calendar.ts';
import { figuresOf } from '../figures.ts';
import type { Figures, Span } from '../figures.ts';
import { cents, sumOf } from '../integers.ts';
import { addedTaxes, stated } from '../taxes.ts';
import type { Treatment } from '../treatment.ts';
import type { TaxTotal } from '../wire.ts';
import { taxTexts } from './compare-drawers.ts';
import type { LedgerClinic } from './clinic.ts';
import { differences, sorted } from './differences.ts';

interface Amount {
  amount: number;
}
interface DayReply {
  day: string;
  orders: number;
  revenue: number;
}
interface AnalyticsReply {
  totalRevenue: Amount & { previous: number };
  totalRefunds: Amount & { count: number };
  totalDiscounts: Amount & { count: number };
  completedOrders: number;
  cancelledOrders: number;
  averageOrder: Amount;
  byType: { type: string; count: number; revenue: number }[];
  byMethod: { method: string; count: number; amount: number }[];
  byHour: { hour: number; amount: number }[];
  byDay: DayReply[];
  topProducts: { name: string; quantity: number; revenue: number }[];
}
interface DashboardReply {
  comparedDay: string;
  todaysOrders: { count: number; previous: number };
  todaysRevenue: Amount & { previous: number };
  activeOrders: number;
  week: DayReply[];
}
interface IncomeReply {
  summary: {
    totalOrders: number;
    grossIncome: number;
    refunds: number;
    discounts: number;
    serviceCharge: number;
    netIncome: number;
  };
}

type Period = 'today' | 'week' | 'month';

/** Returns the day that a day is compared with: the last in a week on which something was sold or paid, else the day before. */
function workedBefore(treatments: readonly Treatment[], today: string): string {
  for (let back = 1; back <= 7; back++) {
    const day = addDays(today, -back);
    const { orders, gross } = figuresOf(treatments, { start: day, end: day });
    if (orders > 0 || gross > 0) return day;
  }
  return addDays(today, -1);
}

/** Returns the span of a period, and the one that it is compared with. */
function spansOf(period: Period, today: string, treatments: readonly Treatment[]): { current: Span; previous: Span } {
  if (period === 'today') {
    const before = workedBefore(treatments, today);
    return { current: { start: today, end: today }, previous: { start: before, end: before } };
  }
  if (period === 'month') {
    const start = `${today.slice(0, 8)}01`;
    const before = addDays(start, -1);
    const sameDay = before.slice(0, 8) + today.slice(8);
    return {
      current: { start, end: today },
      previous: { start: `${before.slice(0, 8)}01`, end: sameDay < before ? sameDay : before },
    };
  }
  const start = addDays(today, -6);
  return { current: { start, end: today }, previous: { start: addDays(start, -7), end: addDays(start, -1) } };
}

/** Returns an entry for each day of a span. */
function everyDay({ days }: Figures, { start, end }: Span): string[] {
  const texts: string[] = [];
  for (let day = start; day <= end; day = addDays(day, 1)) {
    const { orders = 0, revenue = 0 } = days.find((known) => known.day === day) ?? {};
    texts.push(`${day}: ${orders}, ${revenue}`);
  }
  return texts;
}
const dayTexts = (days: readonly DayReply[]): string[] =>
  days.map(({ day, orders, revenue }) => `${day}: ${orders}, ${cents(revenue)}`);

/** Reports are of what is in the clinic's currency; lists count all. */
export const isIn =
  ({ currency }: LedgerClinic) =>
  (treatment: Treatment): boolean =>
    treatment.currency === currency;

/** @param all treatments of the clinic */
export async function compareReports(clinic: LedgerClinic, all: readonly Treatment[]): Promise<string[]> {
  const treatments = all.filter(isIn(clinic));
  const today = dayOf(clinic.nowMs);
  const active = all.filter(({ status }) => status === 'confirmed').length;
  const faults = await compareDashboard(clinic, treatments, { today, active });
  for (const period of ['today', 'week', 'month'] as const)
    faults.push(...(await comparePeriod(clinic, treatments, period, today)));
  return [...faults, ...(await comparePreviews(clinic, all))];
}

async function compareDashboard(
  clinic: LedgerClinic,
  treatments: readonly Treatment[],
  { today, active }: { today: string; active: number },
): Promise<string[]> {
  const { data } = await clinic.ask<DashboardReply>('GET', '/admin/dashboard/stats');
  const on = (day: string) => figuresOf(treatments, { start: day, end: day });
  const [now, before] = [on(today), on(workedBefore(treatments, today))];
  const week = spansOf('week', today, treatments).current;
  const shown = {
    orders: [data.todaysOrders.count, data.todaysOrders.previous],
    revenue: [data.todaysRevenue.amount, data.todaysRevenue.previous].map(cents),
    active: data.activeOrders,
    week: dayTexts(data.week),
  };
  return differences(`the dashboard of ${today}`, shown, {
    orders: [now.orders, before.orders],
    revenue: [now.revenue, before.revenue],
    active,
    week: everyDay(figuresOf(treatments, week), week),
  });
}

async function comparePeriod(
  clinic: LedgerClinic,
  treatments: readonly Treatment[],
  period: Period,
  today: string,
): Promise<string[]> {
  const { current, previous } = spansOf(period, today, treatments);
  const figures = figuresOf(treatments, current);
  const { data } = await clinic.ask<AnalyticsReply>('GET', `/reports/analytics?period=${period}`);
  const shown = {
    revenue: [cents(data.totalRevenue.amount), cents(data.totalRevenue.previous)],
    refunds: [cents(data.totalRefunds.amount), data.totalRefunds.count],
    discounts: [cents(data.totalDiscounts.amount), data.totalDiscounts.count],
    completed: data.completedOrders,
    cancelled: data.cancelledOrders,
    average: cents(data.averageOrder.amount),
    types: sorted(data.byType.map(({ type, count, revenue }) => `${type} ${count} ${cents(revenue)}`)),
    methods: sorted(data.byMethod.map(({ method, count, amount }) => `${method} ${count} ${cents(amount)}`)),
    hours: sorted(data.byHour.map(({ hour, amount }) => `${hour} ${cents(amount)}`)),
    days: dayTexts(data.byDay),
    products: data.topProducts.map(({ name, quantity, revenue }) => `${name} ${quantity} ${cents(revenue)}`),
  };
  const faults = differences(`the analytics of ${period} on ${today}`, shown, {
    revenue: [figures.revenue, figuresOf(treatments, previous).revenue],
    refunds: [figures.refunds, figures.refundCount],
    discounts: [figures.discounts.amount, figures.discounts.count],
    completed: figures.completed,
    cancelled: figures.cancelled,
    average: figures.average,
    types: sorted(figures.types.map(({ type, count, revenue }) => `${type} ${count} ${revenue}`)),
    methods: sorted(figures.methods.map(({ method, count, amount }) => `${method} ${count} ${amount}`)),
    hours: sorted(figures.hours.map(({ hour, amount }) => `${hour} ${amount}`)),
    days: everyDay(figures, current),
    products: figures.products
      .slice(0, 5)
      .map(({ name, quantity, revenue }) => `${name} ${quantity / 1000} ${revenue}`),
  });
  const { summary } = (await clinic.ask<IncomeReply>('GET', `/admin/dashboard/income-report?period=${period}`)).data;
  const { totalOrders: orders, ...sums } = summary;
  const income = { orders, ...Object.fromEntries(Object.entries(sums).map(([name, amount]) => [name, cents(amount)])) };
  return [
    ...faults,
    ...differences(`the income of ${period} on ${today}`, income, {
      orders: figures.orders,
      grossIncome: figures.gross,
      refunds: figures.refunds,
      discounts: figures.discounts.amount,
      serviceCharge: figures.charge,
      netIncome: figures.net,
    }),
  ];
}

export interface SumsReply {
  count: number;
  total: number;
  paid: number;
  refunded: number;
}

/** What was agreed, and all that was paid and given back; cancelled treatments apart. */
export function salesSums(treatments: readonly Treatment[]): Record<'sums' | 'cancelled', string> {
  const textOf = (own: readonly Treatment[]) => {
    const moved = own.flatMap(({ movements }) => movements);
    return [
      own.length,
      sumOf(own, ({ total }) => total),
      sumOf(moved, ({ amount }) => Math.max(0, amount)),
      sumOf(moved, ({ amount }) => Math.max(0, -amount)),
    ].join(' ');
  };
  const isCancelled = ({ status }: Treatment) => status === 'cancelled';
  return {
    sums: textOf(treatments.filter((one) => !isCancelled(one))),
    cancelled: textOf(treatments.filter(isCancelled)),
  };
}

const shownSums = ({ count, total, paid, refunded }: SumsReply): string =>
  [count, cents(total), cents(paid), cents(refunded)].join(' ');

/** Compares the sums of the sales report and its taxes, with filters. */
async function comparePreviews(clinic: LedgerClinic, all: readonly Treatment[]): Promise<string[]> {
  const today = dayOf(clinic.nowMs);
  const start = addDays(today, -2);
  const isSince = ({ createdMs }: Treatment) => dayOf(createdMs) >= start;
  const cases: [query: string, isMeant: (treatment: Treatment) => boolean][] = [
    ['', () => true],
    [`startDate=${start}&endDate=${today}`, isSince],
    ['status=cancelled', ({ status }) => status === 'cancelled'],
    ['status=completed', ({ status }) => status === 'completed'],
    ['orderType=emergency', ({ type }) => type === 'emergency'],
    ['minAmount=50&maxAmount=300', ({ total }) => total >= 50_00 && total <= 300_00],
    ['searchTerm=gil', ({ customer }) => /\bGil\b/.test(customer)],
    ['searchTerm=crown', ({ lines }) => lines.some(({ name }) => name === 'Crown')],
  ];
  const faults: string[] = [];
  for (const [query, isMeant] of cases) {
    const listed = all.filter(isMeant);
    const found = listed.filter(isIn(clinic));
    const { data } = await clinic.ask<{ total: number; sums: SumsReply; cancelled: SumsReply }>(
      'GET',
      `/reports/sales/preview?size=1&${query}`,
    );
    const shown = { total: data.total, sums: shownSums(data.sums), cancelled: shownSums(data.cancelled) };
    faults.push(...differences(`the preview ${query}`, shown, { total: listed.length, ...salesSums(found) }));
    const taxes = await clinic.ask<TaxTotal[]>('GET', `/reports/sales/taxes?${query}`);
    faults.push(
      ...differences(`the taxes ${query}`, { taxes: taxTexts(stated(taxes.data)) }, { taxes: salesTaxes(found) }),
    );
  }
  return faults;
}

/** Adds up what the documents of treatments state. */
export const salesTaxes = (treatments: readonly Treatment[]): string[] =>
  taxTexts(addedTaxes(treatments.flatMap(({ reported }) => reported.flatMap(({ taxes }) => taxes))));
