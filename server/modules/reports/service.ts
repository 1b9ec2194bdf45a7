/** Reports: the totals of the clinic's days, and treatments as rows. */
import type { Pool } from 'pg';
import { businessDay, daysAfter, startOfDay } from '#domain/business-day.ts';
import type { DaySpan } from '#domain/expense/periods.ts';
import type { Language } from '#domain/language.ts';
import type { Analytics, DashboardStats, IncomeReport, ReportOrder, SalesPreview } from '#domain/report/resources.ts';
import { minorFromWire } from '#domain/money.ts';
import { removalsByPerson } from '#domain/report/removals.ts';
import type { RemovalFilters, RemovalsReport } from '#domain/report/removals.ts';
import { reportSummary } from '#domain/report/sums.ts';
import type { ReportSummary, SumGroup } from '#domain/report/sums.ts';
import type { DailyTotals } from '#domain/report/totals.ts';
import type { TaxTotalPayload } from '#domain/tax/wire.ts';
import type { ReportFilters } from '#domain/report/filters.ts';
import { sameWeekdays } from '#domain/report/now.ts';
import { spanOf, spanToCompare } from '#domain/report/periods.ts';
import { analytics, dashboardStats, incomeReport, spanOfDashboard, spanOfTarget } from '#domain/report/reports.ts';
import { newestOrderCount } from '#domain/report/vocabulary.ts';
import type { Comparison, ReportPeriod } from '#domain/report/vocabulary.ts';
import { isoOf } from '#domain/instant.ts';
import type { Sql } from '#server/db/sql.ts';
import { inTransaction } from '#server/db/transaction.ts';
import { reportWords } from '#server/translations.ts';
import { clinicSettings } from '../clinics/service.ts';
import { sumApproved } from '../expenses/service.ts';
import { readDailyTotals, storeDays, uncountedDays } from './daily-totals-store.ts';
import type { Calendar } from './daily-totals-store.ts';
import { revenueUpTo } from './day-figures-store.ts';
import type { RevenueUpTo } from './day-figures-store.ts';
import { itemsFound } from './filter-store.ts';
import { searchItems } from './item-search-store.ts';
import { storeMonths, unstoredMonths } from './monthly-totals-store.ts';
import { allRows, countOpenOrders, listFound, listRows } from './orders-store.ts';
import { readsMonths, summarise, summariseAll, summedDays } from './order-sums-store.ts';
import { listRemovals, sumRemovals } from './removals-store.ts';
import type { RemovalSpan } from './removals-store.ts';
import { taxesOf } from './taxes-store.ts';

export {
  bookPeriodSchema,
  removalFiltersSchema,
  reportFiltersSchema,
  soundFilters,
  soundPeriod,
} from './filter-schema.ts';
export { readBook, withBook } from './book.ts';
export type { Book } from './book.ts';
export { readBillable, readUninvoiced, uninvoicedSince } from './uninvoiced.ts';
export { taxesOfDay } from './taxes-store.ts';

/** The clinic, and now in milliseconds since 1970. */
export interface Asked {
  clinicId: number;
  atMs: number;
}

/** Returns the clinic's calendar, default language and target. */
async function ask(
  pool: Pool,
  { clinicId, atMs }: Asked,
): Promise<{ calendar: Calendar; language: Language; monthTargetMinor: number }> {
  const { time_zone, currency, default_language, month_target } = await clinicSettings(pool, clinicId);
  return {
    calendar: { clinicId, timeZone: time_zone, today: businessDay(atMs, time_zone), currency },
    language: default_language,
    monthTargetMinor: minorFromWire(month_target),
  };
}

/** The number of days that one transaction counts, so that none holds the lock for long. */
const chunkDays = 31;
/** The number of chunks that one reader counts, so that no reader waits for years of uncounted days. */
const chunksAtOnce = 4;

/** Counts and stores the finished days of a span that have no valid totals; of very many days, only the first ones. */
async function storeDailyTotals(pool: Pool, calendar: Calendar, span: DaySpan): Promise<void> {
  const days = await uncountedDays(pool, calendar, span);
  for (let next = 0; next < Math.min(days.length, chunksAtOnce * chunkDays); next += chunkDays) {
    const chunk = days.slice(next, next + chunkDays);
    await inTransaction(pool, (sql) => storeDays(sql, calendar, { start: chunk[0]!, end: chunk.at(-1)! }));
  }
}

/** Stores the totals of the months of a span whose days are stored. */
async function storeMonthlyTotals(pool: Pool, calendar: Calendar, span: DaySpan): Promise<void> {
  if ((await unstoredMonths(pool, calendar, span)).length > 0)
    await inTransaction(pool, (sql) => storeMonths(sql, calendar, span));
}

/** Stores missing daily totals, then reads in one snapshot. */
async function ofDays<T>(pool: Pool, calendar: Calendar, span: DaySpan, read: (sql: Sql) => Promise<T>): Promise<T> {
  await storeDailyTotals(pool, calendar, span);
  return inTransaction(pool, read, 'report');
}

export async function readDashboard(pool: Pool, asked: Asked, language?: Language): Promise<DashboardStats> {
  const { calendar, language: own, monthTargetMinor } = await ask(pool, asked);
  const span = spanOfDashboard(calendar.today, monthTargetMinor > 0);
  return ofDays(pool, calendar, span, async (sql) => {
    const days = await readDailyTotals(sql, calendar, span, { products: false });
    const activeOrders = await countOpenOrders(sql, calendar.clinicId);
    return dashboardStats(
      days,
      { asOf: isoOf(asked.atMs), today: calendar.today, activeOrders, monthTargetMinor },
      reportWords[language ?? own],
    );
  });
}

/** Returns the revenue of today so far, and of the last four same weekdays up to the same time. */
export async function revenueUpToNow(
  sql: Sql,
  calendar: Calendar,
  atMs: number,
): Promise<{ todayMinor: number; days: RevenueUpTo[] }> {
  const { today } = calendar;
  const all = await revenueUpTo(sql, calendar, { days: [...sameWeekdays(today), today], atMs });
  return {
    todayMinor: all.find(({ day }) => day === today)?.revenueMinor ?? 0,
    days: all.filter(({ day }) => day !== today),
  };
}

/** Returns the totals of single days, including the services sold. A day without activity may be missing. */
export async function readDayFigures(pool: Pool, asked: Asked, span: DaySpan): Promise<DailyTotals[]> {
  const { calendar } = await ask(pool, asked);
  return ofDays(pool, calendar, span, (sql) => readDailyTotals(sql, calendar, span, { products: true }));
}

export async function readIncome(pool: Pool, asked: Asked, period: ReportPeriod): Promise<IncomeReport> {
  const { calendar } = await ask(pool, asked);
  const current = spanOf(period, calendar.today);
  return ofDays(pool, calendar, current, async (sql) =>
    incomeReport(await readDailyTotals(sql, calendar, current, { products: false }), period, calendar.today),
  );
}

export async function readAnalytics(
  pool: Pool,
  asked: Asked,
  { period, comparison }: { period: ReportPeriod; comparison: Comparison },
  language?: Language,
): Promise<Analytics> {
  const { calendar, language: own, monthTargetMinor } = await ask(pool, asked);
  const { clinicId, today } = calendar;
  const current = spanOf(period, today);
  const others = [spanToCompare(period, comparison, today), ...(monthTargetMinor > 0 ? [spanOfTarget(today)] : [])].map(
    ({ start, end }) => ({ start, end: end < current.start ? end : daysAfter(current.start, -1) }),
  );
  for (const span of others) await storeDailyTotals(pool, calendar, span);
  return ofDays(pool, calendar, current, async (sql) => {
    const days = new Map<string, DailyTotals>();
    for (const span of others)
      for (const figures of await readDailyTotals(sql, calendar, span, { products: false }))
        days.set(figures.day, figures);
    for (const figures of await readDailyTotals(sql, calendar, current, { products: true }))
      days.set(figures.day, figures);
    const expensesMinor = await sumApproved(sql, clinicId, current);
    const newest = await listRows(
      sql,
      clinicId,
      { startDate: current.start, endDate: current.end },
      { limit: newestOrderCount, offset: 0 },
    );
    return analytics(
      { days: [...days.values()], period, comparison, today, monthTargetMinor, expensesMinor, newest },
      reportWords[language ?? own],
    );
  });
}

export interface Page {
  page: number;
  size: number;
}

/** Returns one page of the matching treatments, and the counts and sums of all. */
export async function readPreview(
  pool: Pool,
  asked: Asked,
  filters: ReportFilters,
  { page, size }: Page,
): Promise<SalesPreview> {
  const { clinicId } = asked;
  const window = { limit: size, offset: (page - 1) * size };
  const { calendar } = await ask(pool, asked);
  const items = await itemsFound(pool, clinicId, filters);
  const isText = filters.searchTerm !== undefined;
  // Only treatments themselves say whose customers or numbers match.
  const span = isText && !items ? null : await summedDays(pool, calendar, filters);
  if (!span) {
    const { data, sums } = await inTransaction(pool, (sql) => listFound(sql, clinicId, filters, window), 'report');
    return previewOf(data, sums, calendar);
  }
  await storeDailyTotals(pool, calendar, span);
  if (readsMonths(filters)) await storeMonthlyTotals(pool, calendar, span);
  const read = async (sql: Sql) => {
    if (items) {
      const { data, sums } = await searchItems(sql, calendar, { filters, items, span }, window);
      return previewOf(data, sums, calendar);
    }
    const sums = await summarise(sql, calendar, filters, span);
    return previewOf(await listRows(sql, clinicId, filters, window), sums, calendar);
  };
  return inTransaction(pool, read, 'report');
}

/** Returns the amounts by tax of the documents of all matching treatments; none without a tax profile. */
export async function readTaxes(pool: Pool, { clinicId }: Asked, filters: ReportFilters): Promise<TaxTotalPayload[]> {
  const { tax_profile, currency } = await clinicSettings(pool, clinicId);
  if (tax_profile === 'none') return [];
  return inTransaction(pool, (sql) => taxesOf(sql, { clinicId, currency }, filters), 'report');
}

function previewOf(data: ReportOrder[], groups: readonly SumGroup[], { currency }: Calendar): SalesPreview {
  const { count, ...sums } = reportSummary(groups, currency);
  return { data, total: count, ...sums };
}

/** Returns who removed what: the sums of all, and one page of events. */
export async function readRemovals(
  pool: Pool,
  { clinicId }: Pick<Asked, 'clinicId'>,
  { startDate, endDate, person }: RemovalFilters,
  { page, size }: Page,
): Promise<RemovalsReport> {
  const { time_zone: timeZone, currency } = await clinicSettings(pool, clinicId);
  const span: RemovalSpan = {
    clinicId,
    currency,
    from: startDate === undefined ? null : isoOf(startOfDay(startDate, timeZone)),
    until: endDate === undefined ? null : isoOf(startOfDay(daysAfter(endDate, 1), timeZone)),
    startDate: startDate ?? null,
    endDate: endDate ?? null,
    person: person ?? null,
  };
  const read = async (sql: Sql) => {
    const groups = await sumRemovals(sql, span);
    const total = groups.reduce((sum, { count }) => sum + count, 0);
    return {
      people: removalsByPerson(groups),
      events: await listRemovals(sql, span, { limit: size, offset: (page - 1) * size }),
      total,
    };
  };
  return inTransaction(pool, read, 'report');
}

/** The treatments that match filters, read in one snapshot. */
export interface OrderReport extends ReportSummary {
  /** Of the documents of all matches; empty without a tax profile. */
  taxes: readonly TaxTotalPayload[];
  /** Newest first. Rows are read in batches as the consumer takes them, once only. */
  rows: AsyncIterable<ReportOrder>;
}

/**
 * Runs work on a report. Its snapshot and its connection are held until the work ends.
 *
 * @param filters valid filters, see `soundFilters`
 * @param signal ends the work at the next batch: `rows` then throws the signal's reason
 * @throws DatabaseUnavailable
 */
export async function withOrderReport<T>(
  pool: Pool,
  { clinicId, filters, signal }: { clinicId: number; filters: ReportFilters; signal: AbortSignal },
  work: (report: OrderReport) => Promise<T>,
): Promise<T> {
  const read = async (sql: Sql) => {
    const { currency, tax_profile } = await clinicSettings(sql, clinicId);
    return work({
      ...reportSummary(await summariseAll(sql, clinicId, filters), currency),
      taxes: tax_profile === 'none' ? [] : await taxesOf(sql, { clinicId, currency }, filters),
      rows: allRows(sql, clinicId, filters, signal),
    });
  };
  return inTransaction(pool, read, 'report');
}
