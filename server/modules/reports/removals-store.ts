/** What was taken off treatments or given away, in SQL. */
import { maxMinor } from '#domain/limits.ts';
import type { Removal, RemovalGroup } from '#domain/report/removals.ts';
import { amountOf, isoText, rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';
import type { Window } from './orders-store.ts';

/** Instants and business days of one span, both unbounded where null, and whose events are read; everybody's if null. */
export interface RemovalSpan {
  clinicId: number;
  currency: string;
  from: string | null;
  until: string | null;
  startDate: string | null;
  endDate: string | null;
  person: number | null;
}

const valuesOf = ({ clinicId, from, until, startDate, endDate, person, currency }: RemovalSpan): unknown[] => [
  clinicId,
  from,
  until,
  startDate,
  endDate,
  person,
  currency,
];

const inSpan = (column: string): string =>
  `${column} >= coalesce($2::timestamptz, '-infinity') and ${column} < coalesce($3::timestamptz, 'infinity')`;
const onDays = (column: string): string =>
  `${column} between coalesce($4::date, '-infinity') and coalesce($5::date, 'infinity')`;

/**
 * SQL: `removals` has the events. Two tablets may remove, replace or cancel the same thing: the first one did. A void is read
 * from the audit log, which is the only table that finds it by time.
 */
const removals = `event as (
    select 'removed' as kind, c.op_id, l.id::text as part, c.actor_id as person_id, c.effective_at as at, c.order_id,
      l.name as what, '' as reason, l.total_minor as minor, null::text as number
    from order_changes c cross join lateral jsonb_array_elements_text(c.removed_ids) g(id)
    join order_lines l on l.clinic_id = c.clinic_id and l.id = g.id::uuid and l.order_id = c.order_id and l.removed
    where c.clinic_id = $1 and ${inSpan('c.effective_at')}
      and not exists (select from order_changes e where e.clinic_id = c.clinic_id and e.order_id = c.order_id
        and (e.effective_at, e.op_id) < (c.effective_at, c.op_id) and e.removed_ids ? g.id)
    union all
    select 'removed', c.op_id, l.id::text, c.actor_id, c.effective_at, c.order_id, l.name, '', l.total_minor - n.total_minor, null
    from order_changes c
    join order_lines n on n.clinic_id = c.clinic_id and n.order_id = c.order_id and n.op_id = c.op_id and n.replaces is not null
    join order_lines l on l.clinic_id = c.clinic_id and l.id = n.replaces and l.total_minor > n.total_minor
    where c.clinic_id = $1 and ${inSpan('c.effective_at')}
      and not exists (select from order_changes e
        join order_lines m on m.clinic_id = e.clinic_id and m.order_id = e.order_id and m.op_id = e.op_id and m.replaces = l.id
        where e.clinic_id = c.clinic_id and e.order_id = c.order_id and (e.effective_at, e.op_id) < (c.effective_at, c.op_id))
    union all
    select 'cancelled', c.op_id, '', c.actor_id, c.effective_at, c.order_id, '', c.reason, o.total_minor, null
    from order_cancels c join orders o on o.clinic_id = c.clinic_id and o.id = c.order_id and o.status = 'cancelled'
    where c.clinic_id = $1 and ${inSpan('c.effective_at')}
      and not exists (select from order_cancels e where e.clinic_id = c.clinic_id and e.order_id = c.order_id
        and (e.effective_at, e.op_id) < (c.effective_at, c.op_id))
    union all
    select 'refunded', p.op_id, '', p.actor_id, p.effective_at, p.order_id, coalesce(p.credit_note_number, ''), p.reason,
      -p.amount_minor, null
    from payments p where p.clinic_id = $1 and p.amount_minor < 0 and ${onDays('p.business_day')}
    union all
    select 'discounted', o.op_id, o.id::text, o.created_by, o.created_at, o.id, '', o.discount_reason, o.discount_minor, null
    from orders o where o.clinic_id = $1 and o.discount_minor > 0 and o.status <> 'cancelled' and ${onDays('o.business_day')}
    union all
    select 'given_up', null, a.id::text, coalesce(a.user_id, 0), a.at, null, '', '',
      case when jsonb_typeof(a.details -> 'amount') = 'number' and abs((a.details ->> 'amount')::numeric) <= ${maxMinor / 100}
        then abs(round((a.details ->> 'amount')::numeric * 100))::bigint else 0 end,
      coalesce(a.details ->> 'number', '')
    from audit_log a where a.clinic_id = $1 and a.action = 'operation.voided' and ${inSpan('a.at')}),
  removals as (
    select e.*, coalesce(o.currency, $7) as currency, coalesce(o.number, e.number, '') as treatment, coalesce(u.name, '') as person,
      concat_ws(' ', e.kind, e.op_id, e.part) as id
    from event e left join orders o on o.clinic_id = $1 and o.id = e.order_id
    left join users u on u.clinic_id = $1 and u.id = e.person_id
    where $6::int is null or e.person_id = $6)`;

/** Returns counts and sums by person, currency and kind. */
export function sumRemovals(sql: Sql, span: RemovalSpan): Promise<RemovalGroup[]> {
  return rowsOf(
    sql,
    'sums of removals',
    `with ${removals}
     select person_id, person, currency, kind, count(*)::int as count, ${amountOf('sum(minor)')} as amount
     from removals group by 1, 2, 3, 4`,
    valuesOf(span),
  );
}

/** Returns one page of events, newest first. */
export function listRemovals(sql: Sql, span: RemovalSpan, { limit, offset }: Window): Promise<Removal[]> {
  return rowsOf(
    sql,
    'page of removals',
    `with ${removals}, page as (select * from removals order by at desc, id limit $8 offset $9)
     select p.id, p.kind, ${isoText('p.at')} as at, p.person_id, p.person, r.approver_name as approver, p.treatment as number,
       p.order_id, p.what, p.reason, ${amountOf('p.minor')} as amount, p.currency
     from page p left join sync_ops r on r.clinic_id = $1 and r.op_id = p.op_id order by p.at desc, p.id`,
    [...valuesOf(span), limit, offset],
  );
}
