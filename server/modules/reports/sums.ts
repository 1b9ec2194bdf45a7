/** All treatments that match some filters, counted and summed. */
import { daysAfter } from '../../../domain/business-day.ts';
import type { DaySpan } from '../../../domain/expense/periods.ts';
import { minorToWire } from '../../../domain/money.ts';
import type { ReportSums } from '../../../domain/report/documents.ts';
import type { ReportFilters } from '../../../domain/report/filters.ts';
import { rowsOf } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { splitSpan } from './kept.ts';
import type { Calendar } from './kept.ts';
import { matching } from './matching.ts';

export interface Summary {
  count: number;
  sums: ReportSums;
}

interface Sums {
  orders: number;
  total: number;
  paid: number;
  refunded: number;
}

/** Whether whole days answer for these filters: what does not narrow by amount or text is added up from what is kept of them. */
const isOfDays = ({ minAmount, maxAmount, searchTerm, status }: ReportFilters): boolean =>
  minAmount === undefined && maxAmount === undefined && searchTerm === undefined && status !== 'served';

/** The days whose figures a summary adds up; null when it adds up treatments. */
export async function summedDays(sql: Sql, { clinicId, today }: Calendar, filters: ReportFilters): Promise<DaySpan | null> {
  if (!isOfDays(filters)) return null;
  const rows = await rowsOf<{ day: string | null }>(sql, 'first day', 'select min(business_day)::text as day from orders where clinic_id = $1', [clinicId]);
  const first = rows[0]!.day ?? today;
  const { startDate = first, endDate = today } = filters;
  return { start: startDate > first ? startDate : first, end: endDate < today ? endDate : today };
}

/** All that match, counted and summed. Callers hold a snapshot, and have kept what can be kept of `summedDays`. */
export async function summarise(sql: Sql, calendar: Calendar, filters: ReportFilters): Promise<Summary> {
  const span = await summedDays(sql, calendar, filters);
  return onWire(span ? await addDays(sql, calendar, filters, span) : await addOrders(sql, calendar.clinicId, filters));
}

/** The same, treatment by treatment. */
export async function summariseAll(sql: Sql, clinicId: number, filters: ReportFilters): Promise<Summary> {
  return onWire(await addOrders(sql, clinicId, filters));
}

const onWire = (sums: Sums): Summary => ({
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
  const { kept, toCount } = await splitSpan(sql, calendar, span);
  const fromKept = await rowsOf<Sums>(
    sql,
    'kept orders',
    `select coalesce(sum(f.orders), 0)::int as orders, coalesce(sum(f.total_minor), 0)::float8 as total, coalesce(sum(f.paid_minor), 0)::float8 as paid,
       coalesce(sum(f.refunded_minor), 0)::float8 as refunded
     from day_orders f where f.clinic_id = $1 and f.day between $2 and $3 and f.day <> all($4::date[])
       and ($5::text is null or f.type = $5) and ($6::text is null or f.status = $6)`,
    [calendar.clinicId, kept.start, kept.end, toCount, filters.orderType ?? null, filters.status ?? null],
  );
  const live: ReportFilters[] = spansWithin(toCount).map(([startDate, endDate]) => ({ ...filters, startDate, endDate }));
  // What lies ahead of the business day: a clinic that moved to another time zone may have some.
  const tomorrow = daysAfter(calendar.today, 1);
  const { startDate, endDate } = filters;
  if (endDate === undefined || endDate >= tomorrow) live.push({ ...filters, startDate: startDate && startDate > tomorrow ? startDate : tomorrow });
  const counted = [...fromKept];
  for (const part of live) counted.push(await addOrders(sql, calendar.clinicId, part));
  const add = (sum: keyof Sums) => counted.reduce((total, sums) => total + sums[sum], 0);
  return { orders: add('orders'), total: add('total'), paid: add('paid'), refunded: add('refunded') };
}

/** Days in ascending order as spans of days that follow each other. */
function spansWithin(days: readonly string[]): [start: string, end: string][] {
  const spans: [string, string][] = [];
  for (const day of days) {
    const last = spans.at(-1);
    if (last && daysAfter(last[1], 1) === day) last[1] = day;
    else spans.push([day, day]);
  }
  return spans;
}
