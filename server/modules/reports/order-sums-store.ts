/** Counts and sums of the treatments that match filters. */
import { daysAfter } from '../../../domain/business-day.ts';
import type { DaySpan } from '../../../domain/expense/periods.ts';
import { minorFromWire, minorToWire } from '../../../domain/money.ts';
import type { ReportSums } from '../../../domain/report/resources.ts';
import type { ReportFilters } from '../../../domain/report/filters.ts';
import { rowsOf } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { splitStored } from './daily-totals-store.ts';
import type { Calendar } from './daily-totals-store.ts';
import { matching } from './filter-store.ts';

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

/**
 * Returns whether stored daily totals can answer these filters: they know types and statuses, or amounts, but neither texts
 * nor what was served.
 */
const isOfDays = (filters: ReportFilters): boolean => {
  const { orderType, searchTerm, status } = filters;
  return (
    searchTerm === undefined &&
    status !== 'served' &&
    status !== 'confirmed' &&
    !(isByAmount(filters) && (orderType ?? status) !== undefined)
  );
};

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
  const stored = rows[0]!.day ?? today;
  const first = stored > earliest ? stored : earliest;
  const { startDate = first, endDate = today } = filters;
  return { start: startDate > first ? startDate : first, end: endDate < today ? endDate : today };
}

/** Counts and sums all matches. Callers hold a snapshot and have stored the totals of `summedDays`. */
export async function summarise(sql: Sql, calendar: Calendar, filters: ReportFilters): Promise<Summary> {
  const span = await summedDays(sql, calendar, filters);
  return onWire(span ? await addDays(sql, calendar, filters, span) : await addOrders(sql, calendar.clinicId, filters));
}

/** Counts and sums all matches, treatment by treatment. */
export async function summariseAll(sql: Sql, clinicId: number, filters: ReportFilters): Promise<Summary> {
  return onWire(await addOrders(sql, clinicId, filters));
}

export const onWire = (sums: Sums): Summary => ({
  count: sums.orders,
  sums: { total: minorToWire(sums.total), paid: minorToWire(sums.paid), refunded: minorToWire(sums.refunded) },
});

async function addOrders(sql: Sql, clinicId: number, filters: ReportFilters): Promise<Sums> {
  const { where, values } = await matching(sql, clinicId, filters);
  const { rows } = await sql.query(
    `with sums as (
       select count(*)::int as orders, coalesce(sum(o.total_minor), 0)::float8 as total, coalesce(sum(o.paid_minor), 0)::float8 as paid from orders o where ${where}),
     back as (
       select coalesce(sum(-p.amount_minor), 0)::float8 as refunded
       from payments p join orders o on o.clinic_id = p.clinic_id and o.id = p.order_id where p.clinic_id = $1 and p.amount_minor < 0 and ${where})
     select orders, total, paid + refunded as paid, refunded from sums, back`,
    values,
  );
  return rows[0] as Sums;
}

async function addDays(sql: Sql, calendar: Calendar, filters: ReportFilters, span: DaySpan): Promise<Sums> {
  const { kept, toCount } = await splitStored(sql, calendar, span);
  const within = { kept, but: toCount };
  const fromKept = isByAmount(filters)
    ? await addStoredAmounts(sql, calendar.clinicId, filters, within)
    : await addStoredOrders(sql, calendar.clinicId, filters, within);
  const live: ReportFilters[] = spansWithin(toCount).map(([startDate, endDate]) => ({
    ...filters,
    startDate,
    endDate,
  }));
  // Includes days after the current business day, which a clinic may have after a change of its time zone.
  const tomorrow = daysAfter(calendar.today, 1);
  const { startDate, endDate } = filters;
  if (endDate === undefined || endDate >= tomorrow)
    live.push({ ...filters, startDate: startDate && startDate > tomorrow ? startDate : tomorrow });
  const older = daysAfter(span.start, -1);
  if (startDate === undefined || startDate < span.start)
    live.push({ ...filters, endDate: endDate !== undefined && endDate < older ? endDate : older });
  const counted = [fromKept];
  for (const part of live) counted.push(await addOrders(sql, calendar.clinicId, part));
  const add = (sum: keyof Sums) => counted.reduce((total, sums) => total + sums[sum], 0);
  return { orders: add('orders'), total: add('total'), paid: add('paid'), refunded: add('refunded') };
}

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
    `select coalesce(sum(f.orders), 0)::int as orders, coalesce(sum(f.total_minor), 0)::float8 as total, coalesce(sum(f.paid_minor), 0)::float8 as paid,
       coalesce(sum(f.refunded_minor), 0)::float8 as refunded
     from day_orders f where f.clinic_id = $1 and f.day between $2 and $3 and f.day <> all($4::date[])
       and ($5::text is null or f.type = $5) and ($6::text is null or f.status = $6)`,
    [clinicId, kept.start, kept.end, but, orderType ?? null, status ?? null],
  );
  return sums!;
}

/** Adds, for each day, the totals up to the highest amount less those below the lowest. */
async function addStoredAmounts(
  sql: Sql,
  clinicId: number,
  { minAmount, maxAmount }: ReportFilters,
  { kept, but }: StoredDays,
): Promise<Sums> {
  const between = (column: string) =>
    `coalesce(sum(coalesce(f.${column}[highest], 0) - coalesce(f.${column}[below], 0)), 0)`;
  const [sums] = await rowsOf<Sums>(
    sql,
    'kept amounts',
    `select ${between('orders')}::int as orders, ${between('totals_minor')}::float8 as total, ${between('paid_minor')}::float8 as paid,
       ${between('refunded_minor')}::float8 as refunded
     from day_amounts f,
       lateral (select coalesce(width_bucket($5::bigint - 1, f.amounts_minor), 0) as below,
         coalesce(width_bucket($6::bigint, f.amounts_minor), cardinality(f.amounts_minor)) as highest) part
     where f.clinic_id = $1 and f.day between $2 and $3 and f.day <> all($4::date[])`,
    [
      clinicId,
      kept.start,
      kept.end,
      but,
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
