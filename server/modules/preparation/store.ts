/** The preparation board in SQL. It reads treatments and their lines and writes only the preparation of a line. */
import { columnLimits } from '#domain/preparation/resources.ts';
import type { KitchenOrderResource } from '#domain/preparation/resources.ts';
import type { OrderStatus } from '#domain/order/vocabulary.ts';
import type { PreparationStatus } from '#domain/preparation/steps.ts';
import { orderAggregate } from '#domain/order/operations.ts';
import { isoOf } from '#domain/instant.ts';
import { isoText, quantityOf, rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';

const itemJson = `json_build_object('id', i.id, 'name', i.name, 'quantity', ${quantityOf('i.quantity_milli')}, 'notes', i.notes,
  'status', i.preparation, 'asked_at', ${isoText('i.asked_at')}, 'moved_at', ${isoText('i.preparation_at')})`;

const orderJson = `json_build_object('id', o.id, 'number', o.number, 'order_type', o.type, 'customer_name', o.customer_name,
  'room_number', o.room_number, 'notes', o.notes, 'created_at', ${isoText('o.created_at')},
  'items', (select json_agg(${itemJson} order by i.position) from items i where i.order_id = o.id))`;

/**
 * A line was ordered when its operation took effect. Lines of the demo history have no receipt; they came with their
 * treatment.
 */
const askedAt =
  'coalesce((select r.effective_at from sync_ops r where r.clinic_id = $1 and r.op_id = s.op_id), s.created_at)';

const shownOf = `case preparation ${Object.entries(columnLimits)
  .map(([status, limit]) => `when '${status}' then ${limit}`)
  .join(' ')} end`;

/** Goods wait for nobody; what is deleted meanwhile still does. */
const needsPreparation = `coalesce(
  (select k.needs_preparation from stock_items k where k.clinic_id = l.clinic_id and k.id = l.stock_id),
  (select p.needs_preparation from products p where p.clinic_id = l.clinic_id and p.id = l.product_id), true)`;

/** What is paid waits no longer; what was served is shown until the end of the day. */
const isOnBoard = `not l.removed and (o.status = 'confirmed' or (o.status = 'completed' and l.preparation = 'served')) and ${needsPreparation}`;

/** Selects the additions of services since `$2` by the index of operations; a day has few of them. */
const addedSince = `select substr(aggregate, ${orderAggregate('').length + 1})::uuid as order_id, op_id from sync_ops
  where clinic_id = $1 and status = 'applied' and kind in ('order.add_services', 'order.change') and effective_at >= $2`;

/**
 * Returns the lines ordered since an instant, of treatments that are not cancelled, and their counts by status. Of
 * older treatments it returns only the services added since then.
 */
export async function readBoard(
  sql: Sql,
  clinicId: number,
  { sinceMs, status }: { sinceMs: number; status: PreparationStatus | undefined },
): Promise<{ orders: KitchenOrderResource[]; counts: Partial<Record<PreparationStatus, number>> }> {
  const [board] = await rowsOf<{ orders: KitchenOrderResource[]; counts: Partial<Record<PreparationStatus, number>> }>(
    sql,
    'preparation board',
    `with lines as materialized (
       select l.*, o.created_at from orders o join order_lines l on l.clinic_id = o.clinic_id and l.order_id = o.id
       where o.clinic_id = $1 and o.created_at >= $2 and ${isOnBoard}
       union all
       select l.*, o.created_at from (${addedSince}) added join orders o on o.clinic_id = $1 and o.id = added.order_id
       join order_lines l on l.clinic_id = $1 and l.order_id = o.id and l.op_id = added.op_id
       where o.created_at < $2 and ${isOnBoard}),
     placed as (
       select l.*, row_number() over (partition by preparation
         order by case when preparation = 'served' then preparation_at end desc nulls last, created_at, order_id, position) as place
       from lines l where $3::text is null or preparation = $3),
     items as (select s.*, ${askedAt} as asked_at from placed s where place <= ${shownOf})
     select
       (select coalesce(json_object_agg(preparation, number), '{}'::json) from (select preparation, count(*) as number from lines group by preparation) counted) as counts,
       (select coalesce(json_agg(${orderJson} order by o.created_at, o.id), '[]'::json)
        from orders o where o.clinic_id = $1 and o.id in (select order_id from items)) as orders`,
    [clinicId, isoOf(sinceMs), status ?? null],
  );
  return board!;
}

export interface StoredItem {
  status: PreparationStatus;
  orderStatus: OrderStatus;
  orderNumber: string;
}

/** Returns a line; undefined when the clinic has no such treatment, or the treatment no such line. */
export async function loadItem(
  sql: Sql,
  clinicId: number,
  { orderId, itemId }: { orderId: string; itemId: string },
): Promise<StoredItem | undefined> {
  const [item] = await rowsOf<StoredItem>(
    sql,
    'preparation item',
    `select l.preparation as status, o.status as "orderStatus", o.number as "orderNumber"
     from order_lines l join orders o on o.clinic_id = l.clinic_id and o.id = l.order_id
     where l.clinic_id = $1 and l.order_id = $2 and l.id = $3 and not l.removed`,
    [clinicId, orderId, itemId],
  );
  return item;
}

/**
 * The treatment's row is written unchanged: that alone moves it to the end of the change feed and refreshes every
 * board.
 */
export async function saveStatus(
  sql: Sql,
  clinicId: number,
  { orderId, itemId, status, atMs }: { orderId: string; itemId: string; status: PreparationStatus; atMs: number },
): Promise<void> {
  await sql.query({
    name: 'move preparation',
    text: `with moved as (update order_lines set preparation = $4, preparation_at = $5 where clinic_id = $1 and order_id = $2 and id = $3)
           update orders set notes = notes where clinic_id = $1 and id = $2`,
    values: [clinicId, orderId, itemId, status, isoOf(atMs)],
  });
}
