/** Builds the reports from daily totals. */
import type { DaySpan } from '../expense/periods.ts';
import { minorToWire, shareOf } from '../money.ts';
import { milliToWire } from '../quantity.ts';
import type { Analytics, DashboardStats, IncomeReport, IncomeRow, OtherRevenue, ReportOrder } from './resources.ts';
import { averageOrder, changeOf, sumDays, netOf, revenueOf } from './totals.ts';
import type { DailyTotals, ReportTotals } from './totals.ts';
import { daysOf, spansOf } from './periods.ts';
import { newestOrderCount, topProductCount } from './vocabulary.ts';
import type { ReportPeriod } from './vocabulary.ts';

/** The localised texts of a report. */
export interface ReportWords {
  /** A percentage with one decimal and its sign; of null, that it is new. */
  percentage(value: number | null): string;
  /** The percentage, with the period it is compared with. */
  comparison(period: ReportPeriod, value: number | null): string;
}

const within = (days: readonly DailyTotals[], { start, end }: DaySpan): DailyTotals[] =>
  days.filter(({ day }) => day >= start && day <= end);

/** @param days at least the last seven days */
export function dashboardStats(
  days: readonly DailyTotals[],
  now: { asOf: string; today: string; activeOrders: number },
  words: ReportWords,
): DashboardStats {
  const { current, previous } = spansOf('today', now.today);
  const { current: week } = spansOf('week', now.today);
  const [today, yesterday] = [sumDays(within(days, current)), sumDays(within(days, previous))];
  const percentageChange = changeOf(revenueOf(today), revenueOf(yesterday));
  return {
    asOf: now.asOf,
    todaysOrders: {
      count: today.orders,
      yesterday: yesterday.orders,
      comparisonText: words.comparison('today', changeOf(today.orders, yesterday.orders)),
    },
    todaysRevenue: {
      amount: minorToWire(revenueOf(today)),
      yesterday: minorToWire(revenueOf(yesterday)),
      comparisonText: words.comparison('today', percentageChange),
      percentageChange,
    },
    activeOrders: now.activeOrders,
    week: byDay(days, week),
    others: otherRevenue(sumDays(within(days, week))),
  };
}

/** @param days at least the days of the period */
export function incomeReport(days: readonly DailyTotals[], period: ReportPeriod, today: string): IncomeReport {
  const { current } = spansOf(period, today);
  const ofPeriod = within(days, current);
  const figures = sumDays(ofPeriod);
  const rows =
    period === 'today'
      ? figures.byHour.map((hour) => incomeRow(hourLabel(hour.hour), hour))
      : ofPeriod.map((day) => incomeRow(day.day, day));
  return {
    period,
    dateRange: current,
    summary: {
      totalOrders: figures.orders,
      grossIncome: minorToWire(figures.grossMinor),
      refunds: minorToWire(figures.refundsMinor),
      discounts: minorToWire(figures.discountMinor),
      serviceCharge: minorToWire(figures.chargeMinor),
      netIncome: minorToWire(netOf(figures)),
    },
    breakdown: rows.filter(hasContent).sort((a, b) => (a.period < b.period ? 1 : -1)),
    others: otherRevenue(figures),
  };
}

/** Returns what a report states of other currencies. */
export const otherRevenue = ({ others }: ReportTotals): OtherRevenue[] =>
  others.map((other) => ({
    currency: other.currency,
    orders: other.orders,
    revenue: minorToWire(revenueOf(other)),
  }));

const hourLabel = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

function incomeRow(
  period: string,
  figures: Pick<ReportTotals, 'orders' | 'grossMinor' | 'refundsMinor' | 'chargeMinor'>,
): IncomeRow {
  const { orders, grossMinor, refundsMinor, chargeMinor } = figures;
  return {
    period,
    orders,
    gross: minorToWire(grossMinor),
    refunds: minorToWire(refundsMinor),
    service_charge: minorToWire(chargeMinor),
    net: minorToWire(netOf(figures)),
  };
}

const hasContent = ({ orders, gross, refunds }: IncomeRow): boolean => orders !== 0 || gross !== 0 || refunds !== 0;

export interface AnalyticsInput {
  /** At least the days of the period and of the one before. */
  days: readonly DailyTotals[];
  period: ReportPeriod;
  today: string;
  /** The approved expenses of the period. */
  expensesMinor: number;
  /** The newest treatments of the period. */
  newest: readonly ReportOrder[];
}

export function analytics(
  { days, period, today, expensesMinor, newest }: AnalyticsInput,
  words: ReportWords,
): Analytics {
  const { current, previous } = spansOf(period, today);
  const figures = sumDays(within(days, current));
  const [revenueMinor, previousMinor] = [revenueOf(figures), revenueOf(sumDays(within(days, previous)))];
  const profitMinor = revenueMinor - expensesMinor;
  const percentage = changeOf(revenueMinor, previousMinor);
  return {
    period,
    dateRange: current,
    totalRevenue: {
      amount: minorToWire(revenueMinor),
      previous: minorToWire(previousMinor),
      comparisonText: words.comparison(period, percentage),
    },
    totalRefunds: { amount: minorToWire(figures.refundsMinor), count: figures.refunds },
    totalDiscounts: { amount: minorToWire(figures.discountMinor), count: figures.discounts },
    totalExpenses: { amount: minorToWire(expensesMinor) },
    netProfit: {
      amount: minorToWire(profitMinor),
      isPositive: profitMinor >= 0,
      margin: shareOf(profitMinor, revenueMinor, 2),
    },
    growthRate: { percentage, formattedPercentage: words.percentage(percentage) },
    completedOrders: figures.completed,
    cancelledOrders: figures.cancelled,
    averageOrder: { amount: minorToWire(averageOrder(figures)) },
    ...breakdowns(figures),
    byDay: byDay(days, current),
    others: otherRevenue(figures),
    data: newest.slice(0, newestOrderCount),
  };
}

function breakdowns(figures: ReportTotals): Pick<Analytics, 'byType' | 'byMethod' | 'byHour' | 'topProducts'> {
  const { byType, byMethod, byHour, products } = figures;
  return {
    byType: largestFirst(byType, ({ type }) => type).map(({ type, orders, revenueMinor }) => ({
      type,
      count: orders,
      revenue: minorToWire(revenueMinor),
      share: shareOf(revenueMinor, revenueOf(figures), 1),
    })),
    byMethod: largestFirst(byMethod, ({ method }) => method).map(({ method, count, revenueMinor }) => ({
      method,
      count,
      amount: minorToWire(revenueMinor),
    })),
    byHour: byHour
      .filter(({ grossMinor, refundsMinor }) => grossMinor !== 0 || refundsMinor !== 0)
      .map((hour) => ({ hour: hour.hour, amount: minorToWire(revenueOf(hour)) }))
      .sort((a, b) => a.hour - b.hour),
    topProducts: largestFirst(products, ({ item, name }) => `${name} ${item}`)
      .slice(0, topProductCount)
      .map(({ name, quantityMilli, revenueMinor }) => ({
        name,
        quantity: milliToWire(quantityMilli),
        revenue: minorToWire(revenueMinor),
      })),
  };
}

/** Sorts by revenue; the name breaks ties, so that the order is stable. */
function largestFirst<Part extends { revenueMinor: number }>(
  parts: readonly Part[],
  nameOf: (part: Part) => string,
): Part[] {
  return [...parts].sort((a, b) => b.revenueMinor - a.revenueMinor || (nameOf(a) < nameOf(b) ? -1 : 1));
}

/** Returns one entry per day of the span, including days without treatments. */
function byDay(days: readonly DailyTotals[], span: DaySpan): { day: string; orders: number; revenue: number }[] {
  const known = new Map(days.map((figures) => [figures.day, figures]));
  return daysOf(span).map((day) => {
    const figures = known.get(day);
    return { day, orders: figures?.orders ?? 0, revenue: figures ? minorToWire(revenueOf(figures)) : 0 };
  });
}
