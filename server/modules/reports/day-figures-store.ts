/** The totals of business days in SQL, as defined in `domain/report/totals.ts`: one JSON document per day and currency. */
import { dayIn } from '#domain/report/totals.ts';
import type { CountedDay, DailyTotals } from '#domain/report/totals.ts';
import { isoOf } from '#domain/instant.ts';
import { rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';

/**
 * Returns the service charge within a paid amount, as `chargeWithin` of the domain, in numbers that cannot overflow.
 */
const chargeWithin = (paid: string) =>
  `floor((2 * least(greatest(${paid}, 0), o.total_minor)::numeric * o.charge_minor + o.total_minor) / (2 * o.total_minor))`;

const paidBefore = `(select coalesce(sum(e.amount_minor), 0) from payments e
  where e.clinic_id = p.clinic_id and e.order_id = p.order_id and (e.effective_at, e.position) < (p.effective_at, p.position))`;

const hourOf = (column: string) => `extract(hour from ${column} at time zone $3)::int`;

/**
 * Selects one row (`day`, `figures`) for each of the days `$2` of the clinic `$1` in the time zone `$3`: the totals in each
 * currency of the day; with products, which are most of the work, only when `$4`. `offset 0` makes PostgreSQL look up the few treatments of these days
 * instead of scanning all years. Sums stay `numeric`, so none can overflow.
 */
export const daysSql = `
  with asked as (select unnest($2::date[]) as day),
  o as materialized (
    select business_day as day, id, type, status, currency, total_minor - reduction_minor as owed_minor, discount_minor, created_at, status <> 'cancelled' as counts
    from orders where clinic_id = $1 and business_day = any($2::date[])),
  p as materialized (
    select p.business_day as day, o.type, o.currency, p.method, p.amount_minor, ${hourOf('p.effective_at')} as hour,
      greatest(p.amount_minor, 0) as gross, greatest(-p.amount_minor, 0) as refund,
      case when o.charge_minor > 0 and o.total_minor > 0
        then ${chargeWithin(`${paidBefore} + p.amount_minor`)} - ${chargeWithin(paidBefore)} else 0 end as charge
    from payments p, lateral (
      select type, currency, total_minor, charge_minor from orders where clinic_id = p.clinic_id and id = p.order_id offset 0) o
    where p.clinic_id = $1 and p.business_day = any($2::date[])),
  used as (select day, currency from o union select day, currency from p),
  order_sums as (
    select day, currency, count(*) filter (where counts) as orders, count(*) filter (where status = 'completed') as completed,
      sum(owed_minor) filter (where status = 'completed') as completed_amount,
      count(*) filter (where not counts) as cancelled, count(*) filter (where counts and discount_minor <> 0) as discounts,
      sum(discount_minor) filter (where counts) as discount
    from o group by day, currency),
  payment_sums as (
    select day, currency, sum(gross) as gross, count(*) filter (where refund > 0) as refunds, sum(refund) as refund, sum(charge) as charge
    from p group by day, currency),
  types as (
    select day, currency, json_agg(json_build_object('type', type, 'orders', orders, 'revenueMinor', revenue)) as parts from (
      select day, currency, type, sum(orders)::int as orders, sum(revenue) as revenue from (
        select day, currency, type, 1 as orders, 0 as revenue from o where counts
        union all select day, currency, type, 0, amount_minor from p) moved
      group by day, currency, type) sums group by day, currency),
  methods as (
    select day, currency, json_agg(json_build_object('method', method, 'count', payments, 'revenueMinor', revenue)) as parts from (
      select day, currency, method, count(*) as payments, sum(amount_minor) as revenue from p group by day, currency, method) sums
    group by day, currency),
  hours as (
    select day, currency, json_agg(json_build_object('hour', hour, 'orders', orders, 'grossMinor', gross, 'refundsMinor', refund, 'chargeMinor', charge)) as parts from (
      select day, currency, hour, sum(orders)::int as orders, sum(gross) as gross, sum(refund) as refund, sum(charge) as charge from (
        select day, currency, ${hourOf('created_at')} as hour, 1 as orders, 0 as gross, 0 as refund, 0 as charge from o where counts
        union all select day, currency, hour, 0, gross, refund, charge from p) moved
      group by day, currency, hour) sums group by day, currency),
  sold as (
    select day, currency, json_agg(json_build_object('item', item, 'name', name, 'quantityMilli', quantity, 'revenueMinor', revenue)) as parts from (
      select o.day, o.currency, coalesce('s' || l.stock_id, 'p' || l.product_id) as item, l.name, sum(l.quantity_milli) as quantity, sum(l.earned_minor) as revenue
      from o, lateral (select * from order_lines where clinic_id = $1 and order_id = o.id and not removed offset 0) l where o.status = 'completed' and $4
      group by o.day, o.currency, item, l.name) sums group by day, currency),
  totals as (
    select day, json_build_object(
      'currency', currency, 'orders', coalesce(order_sums.orders, 0), 'completed', coalesce(completed, 0), 'completedMinor', coalesce(completed_amount, 0), 'cancelled', coalesce(cancelled, 0),
      'discounts', coalesce(discounts, 0), 'discountMinor', coalesce(discount, 0), 'grossMinor', coalesce(payment_sums.gross, 0),
      'refunds', coalesce(refunds, 0), 'refundsMinor', coalesce(payment_sums.refund, 0), 'chargeMinor', coalesce(payment_sums.charge, 0),
      'byType', coalesce(types.parts, '[]'), 'byMethod', coalesce(methods.parts, '[]'), 'byHour', coalesce(hours.parts, '[]'),
      'products', coalesce(sold.parts, '[]')) as part
    from used left join order_sums using (day, currency) left join payment_sums using (day, currency) left join types using (day, currency)
      left join methods using (day, currency) left join hours using (day, currency) left join sold using (day, currency))
  select day, coalesce(json_agg(part) filter (where part is not null), '[]') as figures from asked left join totals using (day) group by day`;

/** Counts days as they are now. */
export async function countDays(
  sql: Sql,
  { clinicId, timeZone, currency }: { clinicId: number; timeZone: string; currency: string },
  days: readonly string[],
  { products }: { products: boolean },
): Promise<DailyTotals[]> {
  if (days.length === 0) return [];
  const counted = await rowsOf<CountedDay>(
    sql,
    'day figures',
    `select day::text, figures as totals from (${daysSql}) counted`,
    [clinicId, days, timeZone, products],
  );
  return counted.map((day) => dayIn(currency, day));
}

/** The revenue of a day up to a time of the day, in minor units. */
export interface RevenueUpTo {
  day: string;
  revenueMinor: number;
}

/** Returns the revenue in a currency up to the same time of each of these days; a day on which nothing was taken is missing. */
export async function revenueUpTo(
  sql: Sql,
  { clinicId, timeZone, currency }: { clinicId: number; timeZone: string; currency: string },
  { days, atMs }: { days: readonly string[]; atMs: number },
): Promise<RevenueUpTo[]> {
  const clockOf = (column: string) => `(${column} at time zone $3)::time`;
  return rowsOf<RevenueUpTo>(
    sql,
    'revenue up to',
    `select p.business_day::text as day,
       coalesce(sum(p.amount_minor) filter (where ${clockOf('p.effective_at')} <= ${clockOf('$4::timestamptz')}), 0)::float8 as "revenueMinor"
     from payments p join orders o on o.clinic_id = p.clinic_id and o.id = p.order_id
     where p.clinic_id = $1 and p.business_day = any($2::date[]) and o.currency = $5 group by p.business_day order by 1`,
    [clinicId, days, timeZone, isoOf(atMs), currency],
  );
}
