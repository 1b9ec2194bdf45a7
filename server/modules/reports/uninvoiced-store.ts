/** Treatments that wait for an invoice, in SQL. */
import { amountOf, rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';
import type { UninvoicedTreatment } from '#domain/report/uninvoiced.ts';

type Row = Omit<UninvoicedTreatment, 'due_on' | 'is_late'>;

const cents = (document: string): string => `round((${document} ->> 'total_amount')::numeric * 100)`;

/**
 * SQL: `waiting` has the treatments between two days, the second excluded, of which less is invoiced than is paid, or than is
 * owed if they were not cancelled. Treatments of a clinic without a tax profile have no taxed lines. A full invoice in exchange
 * states again what the simplified one did.
 */
const waiting = `waiting as (
  select o.*, i.minor as invoiced_minor from orders o
  cross join lateral (select
    (select coalesce(sum(${cents('i.document')}), 0) from invoices i
      where i.clinic_id = $1 and i.order_id = o.id and not i.document ? 'replaces')
    + (select coalesce(sum(${cents('p.credit_note')}), 0) from payments p
      where p.clinic_id = $1 and p.order_id = o.id and p.credit_note is not null)
    + (select coalesce(sum(${cents('c.credit_note')}), 0) from order_cancels c
      where c.clinic_id = $1 and c.order_id = o.id and c.credit_note is not null and not c.annulled) as minor) i
  where o.clinic_id = $1 and o.business_day >= $2 and o.business_day < $3
    and i.minor < greatest(o.paid_minor, case when o.status = 'cancelled' then 0 else o.total_minor - o.reduction_minor end)
    and exists (select from order_lines l where l.clinic_id = $1 and l.order_id = o.id and l.tax is not null))`;

const columns = `w.id as order_id, w.number, w.business_day::text as day, case when exists (select from patient_erasures e
    where e.clinic_id = $1 and e.patient_id = w.patient_id) then '' else w.customer_name end as customer,
  ${amountOf('(w.total_minor - w.reduction_minor)')} as owed, ${amountOf('w.paid_minor')} as paid,
  (w.invoiced_minor / 100)::float8 as invoiced, w.currency`;

interface Days {
  from: string;
  /** Excluded. */
  before: string;
}

export function uninvoiced(
  sql: Sql,
  clinicId: number,
  { from, before, limit }: Days & { limit: number },
): Promise<Row[]> {
  return rowsOf(
    sql,
    'uninvoiced treatments',
    `with ${waiting} select ${columns} from waiting w order by w.business_day, w.number, w.id limit $4`,
    [clinicId, from, before, limit],
  );
}

/** Returns those in a currency of which something is still to be billed, and not only money to be given back. */
export function billable(
  sql: Sql,
  clinicId: number,
  { from, before, currency, limit }: Days & { currency: string; limit: number },
): Promise<Row[]> {
  return rowsOf(
    sql,
    'billable treatments',
    `with ${waiting} select ${columns} from waiting w
     where w.status <> 'cancelled' and w.total_minor - w.reduction_minor > w.invoiced_minor and w.currency = $4
     order by w.business_day, w.number, w.id limit $5`,
    [clinicId, from, before, currency, limit],
  );
}

/** Counts them, with the day of the first. */
export async function countUninvoiced(
  sql: Sql,
  clinicId: number,
  { from, before }: Days,
): Promise<{ count: number; day: string | null }> {
  const [row] = await rowsOf<{ count: number; day: string | null }>(
    sql,
    'uninvoiced treatments counted',
    `with ${waiting} select count(*)::int as count, min(w.business_day)::text as day from waiting w`,
    [clinicId, from, before],
  );
  return row!;
}
