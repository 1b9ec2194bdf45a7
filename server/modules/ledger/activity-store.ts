/** The movements on the stock dashboard, read in one index scan. */
import { businessDay, daysAfter, startOfDay } from '#domain/business-day.ts';
import { minorToWire } from '#domain/money.ts';
import type { StockActivity } from '#domain/stock/resources.ts';
import { isoOf } from '#domain/instant.ts';
import { rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';

const daysShown = 7;

/**
 * Returns totals over all movements and over the last seven business days. Needs a transaction of its own, because of
 * `set local`.
 */
export async function stockActivity(
  sql: Sql,
  clinicId: number,
  nowMs: number,
  timeZone: string,
): Promise<StockActivity> {
  const today = businessDay(nowMs, timeZone);
  const days = Array.from({ length: daysShown }, (_, index) => daysAfter(today, index - daysShown + 1));
  const starts = [...days, daysAfter(today, 1)].map((day) => isoOf(startOfDay(day, timeZone)));
  // Without the hint PostgreSQL scans the table, although an index covers the query.
  await sql.query('set local random_page_cost = 1');
  const [sums] = await rowsOf<{ count: number; usageCostMinor: number; movementsIn: number; movementsOut: number }>(
    sql,
    'stock activity',
    `select count(*)::int as count, coalesce(sum(cost_minor) filter (where type in ('usage', 'stock_out')), 0)::float8 as "usageCostMinor",
       count(*) filter (where effect_milli > 0)::int as "movementsIn", count(*) filter (where effect_milli < 0)::int as "movementsOut"
     from stock_transactions where clinic_id = $1`,
    [clinicId],
  );
  const counted = await rowsOf<{ count: number }>(
    sql,
    'stock activity by day',
    `select (select count(*)::int from stock_transactions t
             where t.clinic_id = $1 and t.effective_at >= d.start and t.effective_at < d.until) as count
     from unnest($2::timestamptz[], $3::timestamptz[]) with ordinality as d(start, until, position) order by position`,
    [clinicId, starts.slice(0, -1), starts.slice(1)],
  );
  const perDay = days.map((day, index) => ({ day, count: counted[index]!.count }));
  const { count, usageCostMinor, movementsIn, movementsOut } = sums!;
  return {
    count,
    last7Days: perDay.reduce((sum, one) => sum + one.count, 0),
    usageCost: minorToWire(usageCostMinor),
    today: perDay.at(-1)!.count,
    movementsIn,
    movementsOut,
    days: perDay,
  };
}
