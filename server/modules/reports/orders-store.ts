/** Treatments as report rows in SQL. */
import type { ReportOrder } from '#domain/report/resources.ts';
import type { ReportFilters } from '#domain/report/filters.ts';
import type { SumGroup } from '#domain/report/sums.ts';
import { amountOf, isoText, quantityOf, rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';
import { matching, reportStatus } from './filter-store.ts';
import { foundGroups, groupedColumns } from './order-sums-store.ts';

const refundedOf = `(select coalesce(sum(-p.amount_minor), 0) from payments p where p.clinic_id = o.clinic_id and p.order_id = o.id and p.amount_minor < 0)`;

const orderJson = `json_build_object(
  'id', o.id, 'number', o.number, 'order_type', o.type, 'status', ${reportStatus}, 'customer_name', o.customer_name,
  'created_at', ${isoText('o.created_at')}, 'business_day', o.business_day, 'currency', o.currency,
  'items_count', (select count(*) from order_lines l where l.clinic_id = o.clinic_id and l.order_id = o.id and not l.removed),
  'total', ${amountOf('o.total_minor')}, 'paid', ${amountOf('(o.paid_minor + r.refunded)')}, 'refunded', ${amountOf('r.refunded')},
  'discount', ${amountOf('o.discount_minor')},
  'invoice_numbers', (select coalesce(json_agg(i.number order by i.position), '[]'::json)
    from invoices i where i.clinic_id = o.clinic_id and i.order_id = o.id),
  'items', (select coalesce(json_agg(json_build_object('name', l.name, 'quantity', ${quantityOf('l.quantity_milli')},
      'unit_cost', ${amountOf('l.unit_price_minor')}, 'price', ${amountOf('l.total_minor')}, 'notes', l.notes) order by l.position), '[]'::json)
    from order_lines l where l.clinic_id = o.clinic_id and l.order_id = o.id and not l.removed))`;

export const newestFirst = (table: string) =>
  `order by ${table}.business_day desc, ${table}.created_at desc, ${table}.id desc`;

/** Returns report rows, newest first. */
export async function documentsOf(sql: Sql, clinicId: number, ids: readonly string[]): Promise<ReportOrder[]> {
  if (ids.length === 0) return [];
  const rows = await rowsOf<{ row: ReportOrder }>(
    sql,
    'report rows',
    `select ${orderJson} as row from orders o, lateral (select ${refundedOf} as refunded) r
     where o.clinic_id = $1 and o.id = any($2::uuid[]) ${newestFirst('o')}`,
    [clinicId, ids],
  );
  return rows.map(({ row }) => row);
}

/** A page of rows. */
export interface Window {
  limit: number;
  offset: number;
}

/** Returns one page of the matches, newest first. */
export async function listRows(
  sql: Sql,
  clinicId: number,
  filters: ReportFilters,
  { limit, offset }: Window,
): Promise<ReportOrder[]> {
  const { where, values } = await matching(sql, clinicId, filters);
  const { rows } = await sql.query(
    `select o.id from orders o where ${where} ${newestFirst('o')} limit ${limit} offset ${offset}`,
    values,
  );
  return documentsOf(
    sql,
    clinicId,
    (rows as { id: string }[]).map(({ id }) => id),
  );
}

/** Returns one page of the matches, and the counts and sums of all: the matches are found once for both. */
export async function listFound(
  sql: Sql,
  clinicId: number,
  filters: ReportFilters,
  { limit, offset }: Window,
): Promise<{ data: ReportOrder[]; sums: SumGroup[] }> {
  const { where, values } = await matching(sql, clinicId, filters);
  const { rows } = await sql.query(
    `with found as materialized (select o.business_day, o.created_at, ${groupedColumns} from orders o where ${where}),
     page as (select * from found ${newestFirst('found')} limit ${limit} offset ${offset})
     select array(select id from page) as ids, (select coalesce(json_agg(g), '[]') from (${foundGroups}) g) as sums`,
    values,
  );
  const { ids, sums } = rows[0] as { ids: string[]; sums: SumGroup[] };
  return { data: await documentsOf(sql, clinicId, ids), sums };
}

/** The number of rows that `allRows` reads at a time. */
const batchSize = 500;

/**
 * Yields all matches, newest first, through a cursor; a snapshot has only one. Callers hold the snapshot, so no
 * treatment appears twice or is missed.
 *
 * @throws the signal's reason once it is aborted
 */
export async function* allRows(
  sql: Sql,
  clinicId: number,
  filters: ReportFilters,
  signal: AbortSignal,
): AsyncGenerator<ReportOrder> {
  const { where, values } = await matching(sql, clinicId, filters);
  await sql.query(
    `declare report no scroll cursor for select o.id from orders o where ${where} ${newestFirst('o')}`,
    values,
  );
  for (;;) {
    signal.throwIfAborted();
    const { rows } = await sql.query(`fetch ${batchSize} from report`);
    yield* await documentsOf(
      sql,
      clinicId,
      (rows as { id: string }[]).map(({ id }) => id),
    );
    if (rows.length < batchSize) return;
  }
}

/** Returns the number of open treatments. */
export async function countOpenOrders(sql: Sql, clinicId: number): Promise<number> {
  const [row] = await rowsOf<{ active: number }>(
    sql,
    'active orders',
    `select count(*)::int as active from orders where clinic_id = $1 and status = 'confirmed'`,
    [clinicId],
  );
  return row!.active;
}
