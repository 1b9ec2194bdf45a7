/** Counts and sums of the treatments that match filters. */
import { daysAfter } from '../../../domain/business-day.ts';
import { monthOf } from '../../../domain/expense/periods.ts';
import type { DaySpan } from '../../../domain/expense/periods.ts';
import { minorFromWire, minorToWire } from '../../../domain/money.ts';
import type { ReportSums } from '../../../domain/report/resources.ts';
import type { ReportFilters } from '../../../domain/report/filters.ts';
import { rowsOf } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import type { Calendar } from './daily-totals-store.ts';
import { matching } from './filter-store.ts';
import type { Matching } from './filter-store.ts';
import { splitByMonth } from './monthly-totals-store.ts';

export interface Summary {
  count: number;
  sums: ReportSums;
}

/** Amounts in minor units. */
export interface Sums {
  orders: number;
  total: number;
  paid: number;
  refunded: number;
}

const isByAmount = ({ minAmount, maxAmount }: ReportFilters): boolean =>
  minAmount !== undefined || maxAmount !== undefined;

/** Returns whether stored totals can answer these filters: they do not know what was served, nor services by amount. */
const isOfDays = (filters: ReportFilters): boolean => {
  const { searchTerm, status } = filters;
  return status !== 'served' && status !== 'confirmed' && !(searchTerm !== undefined && isByAmount(filters));
};

/** Returns whether a summary reads the stored totals of months. */
export const readsMonths = (filters: ReportFilters): boolean => filters.searchTerm !== undefined || isByAmount(filters);

/** The years of stored totals. Older treatments, of which a clinic has few, are added one by one. */
const storedYears = 10;

/** Returns the days whose totals a summary adds up; null when it must add up treatments. */
export async function summedDays(
  sql: Sql,
  { clinicId, today }: Calendar,
  filters: ReportFilters,
): Promise<DaySpan | null> {
  if (!isOfDays(filters)) return null;
  const rows = await rowsOf<{ day: string | null }>(
    sql,
    'first day',
    'select min(business_day)::text as day from orders where clinic_id = $1',
    [clinicId],
  );
  const earliest = `${Number(today.slice(0, 4)) - storedYears}-01-01`;
  // A whole month, because months are stored as such.
  const stored = monthOf(rows[0]!.day ?? today).start;
  const first = stored > earliest ? stored : earliest;
  const { startDate = first, endDate = today } = filters;
  return { start: startDate > first ? startDate : first, end: endDate < today ? endDate : today };
}

/**
 * Counts and sums all matches of filters without a search term. Callers hold a snapshot and have stored the totals of the
 * span, which is that of `summedDays`.
 */
export async function summarise(sql: Sql, calendar: Calendar, filters: ReportFilters, span: DaySpan): Promise<Summary> {
  const { clinicId } = calendar;
  const isOfMonths = isByAmount(filters);
  const { kept, months, days, toCount } = await splitByMonth(sql, calendar, span);
  const stored = isOfMonths
    ? await addStoredAmounts(sql, clinicId, filters, months)
    : await addStoredOrders(sql, clinicId, filters, { kept, but: toCount });
  const counted = [stored];
  for (const part of countedParts(calendar, filters, span, isOfMonths ? [...days, ...toCount] : toCount))
    counted.push(await addMatching(sql, await matching(sql, clinicId, part)));
  return onWire(addUp(counted));
}

/** Counts and sums all matches, treatment by treatment. */
export async function summariseAll(sql: Sql, clinicId: number, filters: ReportFilters): Promise<Summary> {
  return onWire(await addMatching(sql, await matching(sql, clinicId, filters)));
}

export const onWire = (sums: Sums): Summary => ({
  count: sums.orders,
  sums: { total: minorToWire(sums.total), paid: minorToWire(sums.paid), refunded: minorToWire(sums.refunded) },
});

/** Counts and sums the treatments that meet conditions. */
export async function addMatching(sql: Sql, { where, values }: Matching): Promise<Sums> {
  const { rows } = await sql.query(
    `with found as materialized (select o.id, o.total_minor, o.paid_minor from orders o where ${where}),
     back as (
       select coalesce(sum(-p.amount_minor), 0)::float8 as refunded
       from payments p where p.clinic_id = $1 and p.amount_minor < 0 and p.order_id in (select id from found))
     select count(*)::int as orders, coalesce(sum(total_minor), 0)::float8 as total, coalesce(sum(paid_minor), 0)::float8 + (select refunded from back) as paid,
       (select refunded from back) as refunded
     from found`,
    values,
  );
  return rows[0] as Sums;
}

/** Returns the filters by which a summary counts what no stored total contains. @param days of the span */
export function countedParts(
  { today }: Calendar,
  filters: ReportFilters,
  span: DaySpan,
  days: readonly string[],
): ReportFilters[] {
  const parts: ReportFilters[] = spansWithin(days.toSorted()).map(([startDate, endDate]) => ({
    ...filters,
    startDate,
    endDate,
  }));
  // Includes days after the current business day, which a clinic may have after a change of its time zone.
  const tomorrow = daysAfter(today, 1);
  const { startDate, endDate } = filters;
  if (endDate === undefined || endDate >= tomorrow)
    parts.push({ ...filters, startDate: startDate && startDate > tomorrow ? startDate : tomorrow });
  const older = daysAfter(span.start, -1);
  if (startDate === undefined || startDate < span.start)
    parts.push({ ...filters, endDate: endDate !== undefined && endDate < older ? endDate : older });
  return parts;
}

export function addUp(parts: readonly Sums[]): Sums {
  const add = (sum: keyof Sums) => parts.reduce((total, sums) => total + sums[sum], 0);
  return { orders: add('orders'), total: add('total'), paid: add('paid'), refunded: add('refunded') };
}

/** SQL: the columns of `Sums` over rows `f` of stored totals. */
export const storedSums = `coalesce(sum(f.orders), 0)::int as orders, coalesce(sum(f.total_minor), 0)::float8 as total,
  coalesce(sum(f.paid_minor), 0)::float8 as paid, coalesce(sum(f.refunded_minor), 0)::float8 as refunded`;

/** A span of stored days, and the days in it whose totals are not valid. */
interface StoredDays {
  kept: DaySpan;
  but: readonly string[];
}

async function addStoredOrders(
  sql: Sql,
  clinicId: number,
  { orderType, status }: ReportFilters,
  { kept, but }: StoredDays,
): Promise<Sums> {
  const [sums] = await rowsOf<Sums>(
    sql,
    'kept orders',
    `select ${storedSums}
     from day_orders f where f.clinic_id = $1 and f.day between $2 and $3 and f.day <> all($4::date[])
       and ($5::text is null or f.type = $5) and ($6::text is null or f.status = $6)`,
    [clinicId, kept.start, kept.end, but, orderType ?? null, status ?? null],
  );
  return sums!;
}

async function addStoredAmounts(
  sql: Sql,
  clinicId: number,
  { minAmount, maxAmount, orderType, status }: ReportFilters,
  months: readonly string[],
): Promise<Sums> {
  const [sums] = await rowsOf<Sums>(
    sql,
    'kept amounts',
    `select ${storedSums} from month_amounts f
     where f.clinic_id = $1 and f.month = any($2::date[]) and ($3::text is null or f.type = $3) and ($4::text is null or f.status = $4)
       and ($5::bigint is null or f.amount_minor >= $5) and ($6::bigint is null or f.amount_minor <= $6)`,
    [
      clinicId,
      months,
      orderType ?? null,
      status ?? null,
      ...[minAmount, maxAmount].map((amount) => (amount === undefined ? null : minorFromWire(amount))),
    ],
  );
  return sums!;
}

/** Groups ascending days into spans of consecutive days. */
function spansWithin(days: readonly string[]): [start: string, end: string][] {
  const spans: [string, string][] = [];
  for (const day of days) {
    const last = spans.at(-1);
    if (last && daysAfter(last[1], 1) === day) last[1] = day;
    else spans.push([day, day]);
  }
  return spans;
}
