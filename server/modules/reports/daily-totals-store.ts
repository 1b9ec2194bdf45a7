/**
 * Totals of finished business days, counted once and stored. A day is finished after three days. A late fact that still
 * affects a finished day leaves a mark, set by a trigger, and the next reader counts the day again. The writer of
 * totals holds the clinic's lock and removes the marks first, so a fact missing from its count still has its mark.
 * Nobody else waits: a reader counts missing days itself.
 */
import { daysAfter } from '#domain/business-day.ts';
import { monthOf } from '#domain/expense/periods.ts';
import type { DaySpan } from '#domain/expense/periods.ts';
import { dayIn } from '#domain/report/totals.ts';
import type { CountedDay, DailyTotals } from '#domain/report/totals.ts';
import { daysOf } from '#domain/report/periods.ts';
import { rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';
import { countDays, daysSql } from './day-figures-store.ts';

/** A clinic and its calendar. */
export interface Calendar {
  clinicId: number;
  timeZone: string;
  /** The current business day. */
  today: string;
  /** The clinic's currency, which reports are in. */
  currency: string;
}

/** Returns the last finished day. */
const lastFinished = ({ today }: Calendar): string => daysAfter(today, -3);

/** SQL: true of stored totals `f` of a day that a late fact has invalidated. */
export const isStale = 'exists (select from stale_days s where s.clinic_id = f.clinic_id and s.day = f.day)';

/** Returns the days of a span without valid stored totals. */
async function uncounted(sql: Sql, clinicId: number, { start, end }: DaySpan): Promise<string[]> {
  const rows = await rowsOf<{ day: string }>(
    sql,
    'uncounted days',
    `select asked.day::text as day from (select $2::date + n as day from generate_series(0, $3::date - $2::date) n) asked
     where not exists (select from day_figures f where f.clinic_id = $1 and f.day = asked.day and not ${isStale}) order by 1`,
    [clinicId, start, end],
  );
  return rows.map(({ day }) => day);
}

const finishedPart = (calendar: Calendar, { start, end }: DaySpan): DaySpan => {
  const last = lastFinished(calendar);
  return { start, end: end < last ? end : last };
};

/** Returns the finished days of a span without valid stored totals. */
export const uncountedDays = (sql: Sql, calendar: Calendar, span: DaySpan): Promise<string[]> =>
  uncounted(sql, calendar.clinicId, finishedPart(calendar, span));

/** SQL: selects what the treatment `o` got back. */
export const refundedSql = `select coalesce(sum(-p.amount_minor), 0) as refunded from payments p where p.clinic_id = o.clinic_id and p.order_id = o.id and p.amount_minor < 0`;

/** SQL: the service of a line, as a group of `day_items` names it. */
const itemOf = 'coalesce(l.stock_id, -l.product_id)';

/** Takes the clinic's lock, which the writers of totals hold. */
export async function lockTotals(sql: Sql, clinicId: number): Promise<void> {
  await sql.query({
    name: 'lock day figures',
    text: `select pg_advisory_xact_lock(hashtext('day figures'), $1)`,
    values: [clinicId],
  });
}

/** Counts and stores the days of a span that still have no valid totals, under the clinic's lock. */
export async function storeDays(sql: Sql, { clinicId, timeZone }: Calendar, span: DaySpan): Promise<void> {
  await lockTotals(sql, clinicId);
  // Another reader may have counted the days in the meantime.
  const days = await uncounted(sql, clinicId, span);
  const months = [...new Set(days.map((day) => monthOf(day).start))];
  for (const table of ['stale_days', 'day_figures', 'day_orders', 'day_items'])
    await clear(sql, clinicId, { table, key: 'day', of: days });
  for (const table of ['stored_months', 'month_items', 'month_amounts'])
    await clear(sql, clinicId, { table, key: 'month', of: months });
  await sql.query({
    name: 'keep day figures',
    text: `insert into day_figures (clinic_id, day, figures) select $1, day, figures from (${daysSql}) counted`,
    values: [clinicId, days, timeZone, true],
  });
  await sql.query({
    name: 'keep day orders',
    text: `insert into day_orders (clinic_id, day, type, status, currency, orders, total_minor, paid_minor, refunded_minor)
      select $1, o.business_day, o.type, o.status, o.currency, count(*), sum(o.total_minor), sum(o.paid_minor + r.refunded), sum(r.refunded)
      from orders o, lateral (${refundedSql}) r
      where o.clinic_id = $1 and o.business_day = any($2::date[]) group by o.business_day, o.type, o.status, o.currency`,
    values: [clinicId, days],
  });
  await sql.query({
    name: 'keep day items',
    text: `insert into day_items (clinic_id, day, type, status, currency, items, orders, total_minor, paid_minor, refunded_minor)
      select $1, o.business_day, o.type, o.status, o.currency, sold.items, count(*), sum(o.total_minor), sum(o.paid_minor + r.refunded), sum(r.refunded)
      from orders o, lateral (${refundedSql}) r,
        lateral (select array_agg(distinct ${itemOf} order by ${itemOf}) as items from order_lines l
          where l.clinic_id = o.clinic_id and l.order_id = o.id and not l.removed and ${itemOf} is not null) sold
      where o.clinic_id = $1 and o.business_day = any($2::date[]) and sold.items is not null
      group by o.business_day, o.type, o.status, o.currency, sold.items`,
    values: [clinicId, days],
  });
}

async function clear(
  sql: Sql,
  clinicId: number,
  { table, key, of }: { table: string; key: 'day' | 'month'; of: readonly string[] },
): Promise<void> {
  await sql.query({
    name: `clear ${table}`,
    text: `delete from ${table} where clinic_id = $1 and ${key} = any($2::date[])`,
    values: [clinicId, of],
  });
}

/**
 * Splits a span into the part with stored totals and the days that the reader must count. Callers use both in one
 * snapshot.
 */
export async function splitStored(
  sql: Sql,
  calendar: Calendar,
  span: DaySpan,
): Promise<{ kept: DaySpan; toCount: string[] }> {
  const kept = finishedPart(calendar, span);
  const firstLive = daysAfter(lastFinished(calendar), 1);
  const live = daysOf({ start: span.start > firstLive ? span.start : firstLive, end: span.end });
  return { kept, toCount: [...(await uncounted(sql, calendar.clinicId, kept)), ...live] };
}

/**
 * Returns the totals of every day of a span, unordered. Callers hold a snapshot and have called `storeDailyTotals`.
 *
 * @param products whether to read the services sold, which are most of the data
 */
export async function readDailyTotals(
  sql: Sql,
  calendar: Calendar,
  span: DaySpan,
  { products }: { products: boolean },
): Promise<DailyTotals[]> {
  const { clinicId, currency } = calendar;
  const { kept, toCount } = await splitStored(sql, calendar, span);
  const rows = await rowsOf<CountedDay>(
    sql,
    'kept days',
    `select f.day::text, case when $4 then f.figures else (
       select coalesce(jsonb_agg(totals || '{"products": []}'), '[]') from jsonb_array_elements(f.figures) totals) end as totals
     from day_figures f where f.clinic_id = $1 and f.day between $2 and $3 and not ${isStale}`,
    [clinicId, kept.start, kept.end, products],
  );
  return [...rows.map((day) => dayIn(currency, day)), ...(await countDays(sql, calendar, toCount, { products }))];
}
