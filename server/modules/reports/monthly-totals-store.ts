/**
 * Totals of finished months: the sums of their days, and the counts by amount. A report over years reads a few
 * months instead of a thousand days. A month is stored when each of its days is, and belongs to them: a new count of one
 * of the days removes it, and it does not count while one of the days is marked.
 */
import { monthOf } from '#domain/expense/periods.ts';
import type { DaySpan } from '#domain/expense/periods.ts';
import { daysOf } from '#domain/report/periods.ts';
import { rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';
import { isStale, lockTotals, refundedSql, splitStored } from './daily-totals-store.ts';
import type { Calendar } from './daily-totals-store.ts';

const endOfMonth = `(m.month + interval '1 month - 1 day')::date`;

/** Returns the months within a span whose days are stored, but not their own totals. */
export async function unstoredMonths(sql: Sql, { clinicId }: Calendar, { start, end }: DaySpan): Promise<string[]> {
  const rows = await rowsOf<{ month: string }>(
    sql,
    'unstored months',
    `select m.month::text from (
       select month::date from generate_series(date_trunc('month', $2::timestamp), $3::timestamp, '1 month') month) m
     where m.month >= $2::date and ${endOfMonth} <= $3::date
       and not exists (select from stored_months s where s.clinic_id = $1 and s.month = m.month)
       and ${endOfMonth} - m.month + 1 = (
         select count(*) from day_figures f where f.clinic_id = $1 and f.day between m.month and ${endOfMonth} and not ${isStale})
     order by 1`,
    [clinicId, start, end],
  );
  return rows.map(({ month }) => month);
}

/** Stores the totals of months, under the clinic's lock. A month that does not qualify at this moment is left out. */
export async function storeMonths(sql: Sql, calendar: Calendar, span: DaySpan): Promise<void> {
  const { clinicId } = calendar;
  await lockTotals(sql, clinicId);
  // Another reader may have stored some in the meantime.
  const months = await unstoredMonths(sql, calendar, span);
  await sql.query({
    name: 'keep month items',
    text: `insert into month_items (clinic_id, month, type, status, currency, items, orders, total_minor, paid_minor, refunded_minor)
      select $1, m.month, i.type, i.status, i.currency, i.items, sum(i.orders), sum(i.total_minor), sum(i.paid_minor), sum(i.refunded_minor)
      from unnest($2::date[]) as m(month) join day_items i on i.clinic_id = $1 and i.day between m.month and ${endOfMonth}
      group by m.month, i.type, i.status, i.currency, i.items`,
    values: [clinicId, months],
  });
  await sql.query({
    name: 'keep month amounts',
    text: `insert into month_amounts (clinic_id, month, type, status, currency, amount_minor, orders, total_minor, paid_minor, refunded_minor)
      select $1, m.month, o.type, o.status, o.currency, o.total_minor, count(*), sum(o.total_minor), sum(o.paid_minor + r.refunded), sum(r.refunded)
      from unnest($2::date[]) as m(month) join orders o on o.clinic_id = $1 and o.business_day between m.month and ${endOfMonth},
        lateral (${refundedSql}) r
      group by m.month, o.type, o.status, o.currency, o.total_minor`,
    values: [clinicId, months],
  });
  await sql.query({
    name: 'keep months',
    text: 'insert into stored_months (clinic_id, month) select $1, unnest($2::date[])',
    values: [clinicId, months],
  });
}

/** A span in parts: months and days with stored totals, and the days that the reader must count. All in order. */
export interface StoredParts {
  /** From the first to the last day with stored totals. */
  kept: DaySpan;
  months: string[];
  days: string[];
  toCount: string[];
}

/** Splits a span into whole months, the other stored days, and the rest. Callers use all parts in one snapshot. */
export async function splitByMonth(sql: Sql, calendar: Calendar, span: DaySpan): Promise<StoredParts> {
  const { kept, toCount } = await splitStored(sql, calendar, span);
  const rows = await rowsOf<{ month: string }>(
    sql,
    'stored months',
    `select m.month::text from stored_months m where m.clinic_id = $1 and m.month >= $2 and ${endOfMonth} <= $3 order by 1`,
    [calendar.clinicId, kept.start, kept.end],
  );
  const broken = new Set(toCount.map((day) => monthOf(day).start));
  const months = rows.flatMap(({ month }) => (broken.has(month) ? [] : month));
  const elsewhere = new Set([...months.flatMap((month) => daysOf(monthOf(month))), ...toCount]);
  return { kept, months, days: daysOf(kept).filter((day) => !elsewhere.has(day)), toCount };
}
