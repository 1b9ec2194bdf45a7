/** Treatments as rows of a report, in SQL: a page of documents in one round trip. */
import type { ReportOrder } from '../../../domain/report/documents.ts';
import type { ReportFilters } from '../../../domain/report/filters.ts';
import type { Sql } from '../../db/sql.ts';
import { amountOf, isoText, quantityOf } from '../../db/wire.ts';
import { matching } from './matching.ts';
import type { Matching } from './matching.ts';

const refundedOf = `(select coalesce(sum(-p.amount_minor), 0) from payments p where p.clinic_id = o.clinic_id and p.order_id = o.id and p.amount_minor < 0)`;

const orderJson = `json_build_object(
  'id', o.id, 'number', o.number, 'order_type', o.type, 'status', o.status, 'customer_name', o.customer_name,
  'created_at', ${isoText('o.created_at')}, 'business_day', o.business_day, 'currency', o.currency,
  'items_count', (select count(*) from order_lines l where l.clinic_id = o.clinic_id and l.order_id = o.id),
  'total', ${amountOf('o.total_minor')}, 'paid', ${amountOf('(o.paid_minor + r.refunded)')}, 'refunded', ${amountOf('r.refunded')},
  'discount', ${amountOf('o.discount_minor')},
  'invoice_numbers', (select coalesce(json_agg(i.number order by i.position), '[]'::json)
    from invoices i where i.clinic_id = o.clinic_id and i.order_id = o.id),
  'items', (select coalesce(json_agg(json_build_object('name', l.name, 'quantity', ${quantityOf('l.quantity_milli')},
      'unit_cost', ${amountOf('l.unit_price_minor')}, 'price', ${amountOf('l.total_minor')}, 'notes', l.notes) order by l.position), '[]'::json)
    from order_lines l where l.clinic_id = o.clinic_id and l.order_id = o.id))`;

const newestFirst = (table: string) => `order by ${table}.business_day desc, ${table}.created_at desc, ${table}.id desc`;

/** The place of a row in the order of reports, to go on behind it. */
interface Place {
  business_day: string;
  created_at: string;
  id: string;
}

type Page = { limit: number } & ({ offset: number } | { after: Place | null });

async function pageOf(sql: Sql, { where, values }: Matching, page: Page): Promise<{ row: ReportOrder; place: Place }[]> {
  const place = 'after' in page && page.after;
  const behind = place ? ` and (o.business_day, o.created_at, o.id) < ($${values.length + 1}, $${values.length + 2}, $${values.length + 3})` : '';
  const { rows } = await sql.query(
    `with page as (
       select o.business_day, o.created_at, o.id from orders o where ${where}${behind} ${newestFirst('o')}
       limit ${page.limit} offset ${'offset' in page ? page.offset : 0})
     select ${orderJson} as row, json_build_object('business_day', o.business_day, 'created_at', o.created_at, 'id', o.id) as place
     from page join orders o on o.clinic_id = $1 and o.id = page.id, lateral (select ${refundedOf} as refunded) r ${newestFirst('page')}`,
    place ? [...values, place.business_day, place.created_at, place.id] : values,
  );
  return rows as { row: ReportOrder; place: Place }[];
}

/** One page of those that match, the newest first. */
export async function listRows(sql: Sql, clinicId: number, filters: ReportFilters, page: { limit: number; offset: number }): Promise<ReportOrder[]> {
  const rows = await pageOf(sql, await matching(sql, clinicId, filters), page);
  return rows.map(({ row }) => row);
}

/** How many rows are read at a time where all of them are gone through. */
const batchSize = 500;

/**
 * All that match, the newest first. Callers hold a snapshot, so that no treatment is met twice or missed.
 *
 * @throws the signal's reason once it is aborted
 */
export async function* allRows(sql: Sql, clinicId: number, filters: ReportFilters, signal: AbortSignal): AsyncGenerator<ReportOrder> {
  const matches = await matching(sql, clinicId, filters);
  let after: Place | null = null;
  for (;;) {
    signal.throwIfAborted();
    const page: { row: ReportOrder; place: Place }[] = await pageOf(sql, matches, { limit: batchSize, after });
    for (const { row } of page) yield row;
    if (page.length < batchSize) return;
    after = page.at(-1)!.place;
  }
}
