/** Builds the reports from daily totals. */
import type { DaySpan } from '../expense/periods.ts';
import { minorToWire, shareOf } from '../money.ts';
import { milliToWire } from '../quantity.ts';
import type {
  Analytics,
  DashboardStats,
  DayFigures,
  IncomeReport,
  IncomeRow,
  OtherRevenue,
  ReportOrder,
  RevenueTarget,
} from './resources.ts';
import { averageOrder, changeOf, isOpenDay, sumDays, netOf, revenueOf } from './totals.ts';
import type { DailyTotals, ReportTotals } from './totals.ts';
import { comparedSpan, daysOf, spanOf, spanToCompare } from './periods.ts';
import { dayTarget, spanOfHabit, workingWeekdays } from './target.ts';
import { newestOrderCount, topProductCount } from './vocabulary.ts';
import type { Comparison, ReportPeriod } from './vocabulary.ts';

/** The localised texts of a report. */
export interface ReportWords {
  /** A percentage with one decimal and its sign; of null, that it is new. */
  percentage(value: number | null): string;
  /** The percentage, with what it is compared with. */
  comparison(value: number | null, compared: Compared): string;
}

/** What a period is compared with. */
export interface Compared {
  period: ReportPeriod;
  comparison: Comparison;
  span: DaySpan;
  today: string;
}

const within = (days: readonly DailyTotals[], { start, end }: DaySpan): DailyTotals[] =>
  days.filter(({ day }) => day >= start && day <= end);

/** Tells of daily totals whether the clinic worked on a day. */
function openDays(days: readonly DailyTotals[]): (day: string) => boolean {
  const open = new Set(days.filter(isOpenDay).map(({ day }) => day));
  return (day) => open.has(day);
}

/** Returns the days that the dashboard reads. @param hasTarget whether the clinic has a month's target */
export function spanOfDashboard(today: string, hasTarget: boolean): DaySpan {
  const starts = [spanToCompare('week', 'before', today).start, ...(hasTarget ? [spanOfTarget(today).start] : [])];
  return { start: starts.sort()[0]!, end: today };
}

/** Returns the days that a target needs: the month, and the days that show when the clinic works. */
export function spanOfTarget(today: string): DaySpan {
  const [month, habit] = [spanOf('month', today), spanOfHabit(today)];
  return { start: month.start < habit.start ? month.start : habit.start, end: today };
}

/** @param days at least those of `spanOfTarget`, if there is a target */
function targetOf(days: readonly DailyTotals[], today: string, monthMinor: number): RevenueTarget | null {
  if (monthMinor <= 0) return null;
  const reachedMinor = revenueOf(sumDays(within(days, spanOf('month', today))));
  return {
    month: minorToWire(monthMinor),
    day: minorToWire(dayTarget(monthMinor, today, workingWeekdays(today, openDays(days)))),
    reached: minorToWire(reachedMinor),
  };
}

/** @param days at least those of `spanOfDashboard` */
export function dashboardStats(
  days: readonly DailyTotals[],
  now: { asOf: string; today: string; activeOrders: number; monthTargetMinor: number },
  words: ReportWords,
): DashboardStats {
  const { today: day } = now;
  const span = comparedSpan('today', 'before', { today: day, isOpen: openDays(days) });
  const compared: Compared = { period: 'today', comparison: 'before', span, today: day };
  const week = spanOf('week', day);
  const [today, before] = [sumDays(within(days, spanOf('today', day))), sumDays(within(days, span))];
  const percentageChange = changeOf(revenueOf(today), revenueOf(before));
  return {
    asOf: now.asOf,
    comparedDay: span.start,
    todaysOrders: {
      count: today.orders,
      previous: before.orders,
      comparisonText: words.comparison(changeOf(today.orders, before.orders), compared),
    },
    todaysRevenue: {
      amount: minorToWire(revenueOf(today)),
      previous: minorToWire(revenueOf(before)),
      comparisonText: words.comparison(percentageChange, compared),
      percentageChange,
    },
    activeOrders: now.activeOrders,
    week: byDay(days, week, spanToCompare('week', 'before', day)),
    target: targetOf(days, day, now.monthTargetMinor),
    others: otherRevenue(sumDays(within(days, week))),
  };
}

/** @param days at least the days of the period */
export function incomeReport(days: readonly DailyTotals[], period: ReportPeriod, today: string): IncomeReport {
  const current = spanOf(period, today);
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
  /** At least those of `spanOfAnalytics`. */
  days: readonly DailyTotals[];
  period: ReportPeriod;
  comparison: Comparison;
  today: string;
  /** 0 without a target. */
  monthTargetMinor: number;
  /** The approved expenses of the period. */
  expensesMinor: number;
  /** The newest treatments of the period. */
  newest: readonly ReportOrder[];
}

export function analytics(
  { days, period, comparison, today, monthTargetMinor, expensesMinor, newest }: AnalyticsInput,
  words: ReportWords,
): Analytics {
  const current = spanOf(period, today);
  const previous = comparedSpan(period, comparison, { today, isOpen: openDays(days) });
  const compared: Compared = { period, comparison, span: previous, today };
  const figures = sumDays(within(days, current));
  const [revenueMinor, previousMinor] = [revenueOf(figures), revenueOf(sumDays(within(days, previous)))];
  const profitMinor = revenueMinor - expensesMinor;
  const percentage = changeOf(revenueMinor, previousMinor);
  return {
    period,
    dateRange: current,
    comparison,
    comparedRange: previous,
    totalRevenue: {
      amount: minorToWire(revenueMinor),
      previous: minorToWire(previousMinor),
      comparisonText: words.comparison(percentage, compared),
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
    byDay: byDay(days, current, previous),
    target: targetOf(days, today, monthTargetMinor),
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

/** Returns one entry per day of the span, including days without treatments, each with the day in its place of another span. */
function byDay(days: readonly DailyTotals[], span: DaySpan, compared: DaySpan): DayFigures[] {
  const known = new Map(days.map((figures) => [figures.day, figures]));
  const revenueOn = (day: string) => {
    const figures = known.get(day);
    return figures ? minorToWire(revenueOf(figures)) : 0;
  };
  const others = daysOf(compared);
  return daysOf(span).map((day, index) => {
    const other = others[index];
    return {
      day,
      orders: known.get(day)?.orders ?? 0,
      revenue: revenueOn(day),
      compared: other === undefined ? null : { day: other, revenue: revenueOn(other) },
    };
  });
}
