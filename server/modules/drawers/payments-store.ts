/** Reads what treatments bring into drawers. */
import { drawerPayments } from '#domain/drawer/drawer-payments.ts';
import type { PaidOrder } from '#domain/drawer/drawer-payments.ts';
import type { CashPayment, DrawerPayment } from '#domain/drawer/report.ts';
import { msOf, rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';

/** Returns the payments and refunds in cash of a business day in a currency. */
export async function cashPayments(
  sql: Sql,
  clinicId: number,
  { day, currency }: { day: string; currency: string },
): Promise<CashPayment[]> {
  const rows = await rowsOf<{ payment: CashPayment }>(
    sql,
    'cash of a day',
    `select json_build_object('amountMinor', p.amount_minor, 'atMs', ${msOf('p.effective_at')}, 'deviceId', p.device_id) as payment
     from payments p join orders o on o.clinic_id = p.clinic_id and o.id = p.order_id
     where p.clinic_id = $1 and p.business_day = $2 and p.method = 'cash' and o.currency = $3`,
    [clinicId, day, currency],
  );
  return rows.map(({ payment }) => payment);
}

const within = (at: string): string => `${at} >= lower(open.span) and ${at} < coalesce(upper(open.span), 'infinity')`;

/** SQL: the facts of a treatment `o` that `drawerPayments` of the domain needs: no printed texts, and all lines as one list. */
const paidOrder = `json_build_object('id', o.id, 'opId', o.op_id, 'currency', o.currency, 'agreedDiscountMinor', o.agreed_discount_minor,
  'lines', (select coalesce(json_agg(json_build_object('lineId', l.id, 'opId', l.op_id, 'replaces', l.replaces,
      'quantityMilli', l.quantity_milli, 'unitPriceMinor', l.unit_price_minor)), '[]'::json)
    from order_lines l where l.clinic_id = o.clinic_id and l.order_id = o.id), 'removedLines', '[]'::json,
  'payments', (select coalesce(json_agg(json_build_object('opId', p.op_id, 'method', p.method, 'amountMinor', p.amount_minor,
      'atMs', ${msOf('p.effective_at')}, 'deviceId', p.device_id, 'creditNote', p.credit_note - 'printed') order by p.position), '[]'::json)
    from payments p where p.clinic_id = o.clinic_id and p.order_id = o.id),
  'invoices', (select coalesce(json_agg(i.document - 'printed' order by i.position), '[]'::json)
    from invoices i where i.clinic_id = o.clinic_id and i.order_id = o.id),
  'cancels', (select coalesce(json_agg(json_build_object('opId', c.op_id, 'atMs', ${msOf('c.effective_at')}, 'correction', json_build_object(
      'number', c.credit_note_number, 'creditNote', c.credit_note - 'printed', 'deviceId', c.device_id, 'isAnnulled', c.annulled))
      order by c.position), '[]'::json)
    from order_cancels c where c.clinic_id = o.clinic_id and c.order_id = o.id and c.credit_note is not null))`;

/**
 * Returns what the treatments with a payment, a refund or a document in the times of these drawers bring into drawers, each
 * once; some belongs to other drawers or to none.
 */
export async function paymentsDuring(sql: Sql, clinicId: number, ids: readonly string[]): Promise<DrawerPayment[]> {
  const rows = await rowsOf<{ order: PaidOrder }>(
    sql,
    'payments during drawers',
    `with open as (select unnest(range_agg(tstzrange(opened_at, case when closed_at is not null then greatest(opened_at, closed_at) end))) as span
       from drawers where clinic_id = $1 and id = any($2::uuid[])),
     touched as (
       select p.order_id from open join payments p on p.clinic_id = $1 and ${within('p.effective_at')}
       union select i.order_id from open join invoices i on i.clinic_id = $1 and i.document ? 'device_id' and ${within('i.issued_at')}
       union select c.order_id from open join order_cancels c on c.clinic_id = $1 and c.credit_note is not null and ${within('c.effective_at')})
     select ${paidOrder} as "order" from touched join orders o on o.clinic_id = $1 and o.id = touched.order_id`,
    [clinicId, ids],
  );
  return rows.flatMap(({ order }) => drawerPayments(order));
}
