/** Counts and sums of the treatments that match filters, by currency and apart for cancelled ones (`sums.ts` of the domain). */
import { daysAfter } from '#domain/business-day.ts';
import { monthOf } from '#domain/expense/periods.ts';
import type { DaySpan } from '#domain/expense/periods.ts';
import { minorFromWire } from '#domain/money.ts';
import type { SumGroup } from '#domain/report/sums.ts';
import type { ReportFilters } from '#domain/report/filters.ts';
import { rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';
import type { Calendar } from './daily-totals-store.ts';
import { matching } from './filter-store.ts';
import type { Matching } from './filter-store.ts';
import { splitByMonth } from './monthly-totals-store.ts';

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
 * span of `summedDays`.
 */
export async function summarise(
  sql: Sql,
  calendar: Calendar,
  filters: ReportFilters,
  span: DaySpan,
): Promise<SumGroup[]> {
  const { clinicId } = calendar;
  const isOfMonths = isByAmount(filters);
  const { kept, months, days, toCount } = await splitByMonth(sql, calendar, span);
  const counted = isOfMonths
    ? await addStoredAmounts(sql, clinicId, filters, months)
    : await addStoredOrders(sql, clinicId, filters, { kept, but: toCount });
  for (const part of countedParts(calendar, filters, span, isOfMonths ? [...days, ...toCount] : toCount))
    counted.push(...(await addMatching(sql, await matching(sql, clinicId, part))));
  return counted;
}

/** Counts and sums all matches, treatment by treatment. */
export const summariseAll = async (sql: Sql, clinicId: number, filters: ReportFilters): Promise<SumGroup[]> =>
  addMatching(sql, await matching(sql, clinicId, filters));

/** SQL: the columns that a table of matches has for `foundGroups`, from treatments `o`. */
export const groupedColumns = `o.id, o.currency, o.status = 'cancelled' as cancelled, o.total_minor, o.paid_minor`;

/** SQL: the groups of the matches, which `found` has with the columns `groupedColumns`, in the clinic `$1`. */
export const foundGroups = `select currency, cancelled as "isCancelled", orders, total, paid + coalesce(refunded, 0) as paid, coalesce(refunded, 0) as refunded
  from (
    select currency, cancelled, count(*)::int as orders, sum(total_minor)::float8 as total, sum(paid_minor)::float8 as paid
    from found group by 1, 2) sums
  left join (
    select f.currency, f.cancelled, sum(-p.amount_minor)::float8 as refunded
    from found f join payments p on p.clinic_id = $1 and p.order_id = f.id and p.amount_minor < 0 group by 1, 2) back
    using (currency, cancelled)`;

/** Counts and sums the treatments that meet conditions. */
export async function addMatching(sql: Sql, { where, values }: Matching): Promise<SumGroup[]> {
  const { rows } = await sql.query(
    `with found as materialized (select ${groupedColumns} from orders o where ${where}) ${foundGroups}`,
    values,
  );
  return rows as SumGroup[];
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

/** SQL: the columns of `SumGroup` over rows `f` of stored totals, which the query groups by the first two. */
export const storedSums = `f.currency, f.status = 'cancelled' as "isCancelled", sum(f.orders)::int as orders, sum(f.total_minor)::float8 as total,
  sum(f.paid_minor)::float8 as paid, sum(f.refunded_minor)::float8 as refunded`;

/** A span of stored days, and the days in it whose totals are not valid. */
interface StoredDays {
  kept: DaySpan;
  but: readonly string[];
}

function addStoredOrders(
  sql: Sql,
  clinicId: number,
  { orderType, status }: ReportFilters,
  { kept, but }: StoredDays,
): Promise<SumGroup[]> {
  return rowsOf<SumGroup>(
    sql,
    'kept orders',
    `select ${storedSums}
     from day_orders f where f.clinic_id = $1 and f.day between $2 and $3 and f.day <> all($4::date[])
       and ($5::text is null or f.type = $5) and ($6::text is null or f.status = $6) group by 1, 2`,
    [clinicId, kept.start, kept.end, but, orderType ?? null, status ?? null],
  );
}

function addStoredAmounts(
  sql: Sql,
  clinicId: number,
  { minAmount, maxAmount, orderType, status }: ReportFilters,
  months: readonly string[],
): Promise<SumGroup[]> {
  return rowsOf<SumGroup>(
    sql,
    'kept amounts',
    `select ${storedSums} from month_amounts f
     where f.clinic_id = $1 and f.month = any($2::date[]) and ($3::text is null or f.type = $3) and ($4::text is null or f.status = $4)
       and ($5::bigint is null or f.amount_minor >= $5) and ($6::bigint is null or f.amount_minor <= $6) group by 1, 2`,
    [
      clinicId,
      months,
      orderType ?? null,
      status ?? null,
      ...[minAmount, maxAmount].map((amount) => (amount === undefined ? null : minorFromWire(amount))),
    ],
  );
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
