/** Purchase orders in SQL. PostgreSQL builds whole orders in one round trip. */
import type { PurchaseLine, PurchaseOrder } from '#domain/stock/purchasing.ts';
import { purchaseOrderNumber } from '#domain/stock/purchasing.ts';
import type { PurchaseOrderStatus } from '#domain/stock/vocabulary.ts';
import { isoOf } from '#domain/instant.ts';
import { searchKey } from '#domain/search-key.ts';
import { measured, readPart } from '#server/db/page.ts';
import type { Measured, Part } from '#server/db/page.ts';
import { keyOf, likeText, msOf, naturally, rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';

/** A draft shows its item as it is; a sent order says what the vendor was told. */
const agreed = (column: 'name' | 'unit') => `case when p.status = 'draft' then s.${column} else i.${column} end`;

const purchaseJson = `json_build_object(
  'id', p.id, 'number', p.number, 'vendor', p.vendor, 'vendorContact', p.vendor_contact, 'status', p.status, 'notes', p.notes,
  'deliveryNotes', p.delivery_notes,
  'createdBy', coalesce((select u.name from users u where u.clinic_id = p.clinic_id and u.id = p.created_by), ''),
  'createdAtMs', ${msOf('p.created_at')}, 'sentAtMs', ${msOf('p.sent_at')}, 'closedAtMs', ${msOf('p.closed_at')},
  'lines', (select coalesce(json_agg(json_build_object(
      'id', i.id, 'stockId', i.stock_id, 'name', ${agreed('name')}, 'unit', ${agreed('unit')}, 'tracksLots', s.tracks_lots, 'quantityMilli', i.quantity_milli,
      'receivedMilli', i.received_milli, 'unitCostMinor', i.unit_cost_minor) order by i.position), '[]'::json)
    from purchase_order_items i join stock_items s on s.clinic_id = i.clinic_id and s.id = i.stock_id
    where i.clinic_id = p.clinic_id and i.purchase_order_id = p.id))`;

/** Returns a purchase order; undefined when the clinic has none of that id. */
export async function loadPurchaseOrder(sql: Sql, clinicId: number, id: number): Promise<PurchaseOrder | undefined> {
  const rows = await rowsOf<{ row: PurchaseOrder }>(
    sql,
    'purchase order',
    `select ${purchaseJson} as row from purchase_orders p where p.clinic_id = $1 and p.id = $2`,
    [clinicId, id],
  );
  return rows[0]?.row;
}

/** Returns the id of the order that a line belongs to. */
export async function orderOfLine(sql: Sql, clinicId: number, lineId: number): Promise<number | undefined> {
  const rows = await rowsOf<{ id: number }>(
    sql,
    'purchase order of line',
    'select purchase_order_id as id from purchase_order_items where clinic_id = $1 and id = $2',
    [clinicId, lineId],
  );
  return rows[0]?.id;
}

export interface PurchaseFilter extends Part {
  status?: PurchaseOrderStatus | undefined;
  /** Part of a number or of a vendor. */
  search?: string | undefined;
  /** Selects only orders of this item. */
  stockId?: number | undefined;
  sort?: PurchaseSort | undefined;
  order?: 'asc' | 'desc' | undefined;
}

/** What the list is sorted by, in columns of `p`. */
export const purchaseSorts = {
  created_at: 'p.created_at',
  po_number: naturally('p.number'),
  vendor: naturally(keyOf('p.vendor')),
  status: 'p.status',
  total: `(select coalesce(sum(i.quantity_milli * i.unit_cost_minor), 0) from purchase_order_items i
    where i.clinic_id = p.clinic_id and i.purchase_order_id = p.id)`,
} as const;
type PurchaseSort = keyof typeof purchaseSorts;

/** Returns a page of purchase orders, newest first unless somebody chose otherwise, and the number of matches. */
export async function listPurchaseOrders(
  sql: Sql,
  clinicId: number,
  filter: PurchaseFilter,
): Promise<{ orders: PurchaseOrder[]; total: number }> {
  const where = `p.clinic_id = $1 and ($2::text is null or p.status = $2)
    and ($3::text is null or p.number ilike '%' || $3 || '%' or p.vendor ilike '%' || $3 || '%')
    and ($4::int is null or exists (select 1 from purchase_order_items i
      where i.clinic_id = p.clinic_id and i.purchase_order_id = p.id and i.stock_id = $4))`;
  const search = filter.search ? likeText(filter.search.trim()) : null;
  const { sort = 'created_at', order = 'desc' } = filter;
  const by = `order by ${purchaseSorts[sort]} ${order}, p.id ${order}`;
  const values = [clinicId, filter.status ?? null, search, filter.stockId ?? null];
  const [counted] = await rowsOf<{ total: number }>(
    sql,
    'purchase orders in all',
    `select count(*)::int as total from purchase_orders p where ${where}`,
    values,
  );
  const orders = await readPart(filter, ({ limit, offset }) =>
    rowsOf<Measured<PurchaseOrder>>(
      sql,
      `purchase orders by ${sort} ${order}`,
      measured(`select ${purchaseJson} as row from
       (select * from purchase_orders p where ${where} ${by} limit $5 offset $6) p ${by}`),
      [...values, limit, offset],
    ),
  );
  return { orders, total: counted!.total };
}

/** Writes down what is agreed when a draft is sent: the names and units of its items at that time. */
export async function agreeOnItems(sql: Sql, clinicId: number, id: number): Promise<void> {
  await sql.query({
    name: 'agree on purchase lines',
    text: `update purchase_order_items i set name = s.name, unit = s.unit from stock_items s
           where i.clinic_id = $1 and i.purchase_order_id = $2 and s.clinic_id = $1 and s.id = i.stock_id`,
    values: [clinicId, id],
  });
}

/**
 * Locks these items, and returns those that cannot be ordered or delivered: deleted ones and services. While they are locked
 * nobody makes another one of them.
 */
export async function lockUnorderable(sql: Sql, clinicId: number, ids: readonly number[]): Promise<Set<number>> {
  const rows = await rowsOf<{ id: number; isOrderable: boolean }>(
    sql,
    'lock orderable items',
    `select id, deleted_at is null and is_stocked as "isOrderable" from stock_items
     where clinic_id = $1 and id = any($2::int[]) order by id for no key update`,
    [clinicId, ids],
  );
  return new Set(rows.filter(({ isOrderable }) => !isOrderable).map(({ id }) => id));
}

/** Returns the numbers of sent orders that still wait for a delivery, by the items that they name. */
export async function openOrdersOf(
  sql: Sql,
  clinicId: number,
  ids: readonly number[] | 'all',
): Promise<Map<number, string[]>> {
  const rows = await rowsOf<{ id: number; numbers: string[] }>(
    sql,
    'open orders of items',
    `select i.stock_id as id, array_agg(distinct p.number order by p.number) as numbers
     from purchase_orders p join purchase_order_items i on i.clinic_id = p.clinic_id and i.purchase_order_id = p.id
     where p.clinic_id = $1 and p.status in ('sent', 'partial') and ($2::int[] is null or i.stock_id = any($2::int[]))
     group by i.stock_id`,
    [clinicId, ids === 'all' ? null : ids],
  );
  return new Map(rows.map(({ id, numbers }) => [id, numbers]));
}

/** Returns the cost per unit of the items that can be ordered. Deleted and unknown items, and services, are left out. */
export async function loadOrderable(sql: Sql, clinicId: number, ids: readonly number[]): Promise<Map<number, number>> {
  const rows = await rowsOf<{ id: number; cost: string }>(
    sql,
    'orderable items',
    'select id, cost_minor as cost from stock_items where clinic_id = $1 and id = any($2::int[]) and deleted_at is null and is_stocked',
    [clinicId, ids],
  );
  return new Map(rows.map(({ id, cost }) => [id, Number(cost)]));
}

export interface PurchaseContent {
  vendor: string;
  vendorContact: string;
  notes: string;
  lines: Pick<PurchaseLine, 'stockId' | 'quantityMilli' | 'unitCostMinor'>[];
}

/**
 * Inserts a draft under the clinic's next number, whose row stays locked until the commit.
 *
 * @returns the id of the purchase order
 */
export async function insertPurchaseOrder(
  sql: Sql,
  { clinicId, userId, atMs }: { clinicId: number; userId: number; atMs: number },
  { vendor, vendorContact, notes, lines }: PurchaseContent,
): Promise<number> {
  const [counted] = await rowsOf<{ count: number }>(
    sql,
    'next purchase order',
    'update clinics set purchase_orders = purchase_orders + 1 where id = $1 returning purchase_orders as count',
    [clinicId],
  );
  const [inserted] = await rowsOf<{ id: number }>(
    sql,
    'insert purchase order',
    `insert into purchase_orders (clinic_id, number, vendor, vendor_contact, notes, created_by, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $7) returning id`,
    [clinicId, purchaseOrderNumber(counted!.count), vendor, vendorContact, notes, userId, isoOf(atMs)],
  );
  await insertLines(sql, clinicId, inserted!.id, lines);
  return inserted!.id;
}

/** Replaces the content of a draft. */
export async function replacePurchaseOrder(
  sql: Sql,
  clinicId: number,
  id: number,
  { vendor, vendorContact, notes, lines, atMs }: PurchaseContent & { atMs: number },
): Promise<void> {
  await sql.query({
    name: 'replace purchase order',
    text: 'update purchase_orders set vendor = $3, vendor_contact = $4, notes = $5, updated_at = $6 where clinic_id = $1 and id = $2',
    values: [clinicId, id, vendor, vendorContact, notes, isoOf(atMs)],
  });
  await sql.query({
    name: 'drop purchase lines',
    text: 'delete from purchase_order_items where clinic_id = $1 and purchase_order_id = $2',
    values: [clinicId, id],
  });
  await insertLines(sql, clinicId, id, lines);
}

async function insertLines(
  sql: Sql,
  clinicId: number,
  orderId: number,
  lines: PurchaseContent['lines'],
): Promise<void> {
  await sql.query({
    name: 'insert purchase lines',
    text: `insert into purchase_order_items (clinic_id, purchase_order_id, position, stock_id, name, unit, quantity_milli, unit_cost_minor)
           select $1, $2, position - 1, s.id, s.name, s.unit, (line ->> 'quantityMilli')::bigint, (line ->> 'unitCostMinor')::bigint
           from json_array_elements($3::json) with ordinality as lines(line, position)
           join stock_items s on s.clinic_id = $1 and s.id = (line ->> 'stockId')::int order by position`,
    values: [clinicId, orderId, JSON.stringify(lines)],
  });
}

/** Sets the status and its instants. A closed order expects no more deliveries. */
export async function saveStatus(
  sql: Sql,
  clinicId: number,
  id: number,
  { status, atMs }: { status: PurchaseOrderStatus; atMs: number },
): Promise<void> {
  await sql.query({
    name: 'purchase order status',
    text: `update purchase_orders set status = $3, updated_at = $4,
             sent_at = case when $3 in ('sent', 'partial', 'received') then coalesce(sent_at, $4) else sent_at end,
             closed_at = case when $3 in ('received', 'cancelled') then $4 end
           where clinic_id = $1 and id = $2`,
    values: [clinicId, id, status, isoOf(atMs)],
  });
}

export async function saveReceived(
  sql: Sql,
  clinicId: number,
  lines: readonly Pick<PurchaseLine, 'id' | 'receivedMilli'>[],
): Promise<void> {
  await sql.query({
    name: 'purchase lines received',
    text: `update purchase_order_items i set received_milli = r."receivedMilli"
           from json_to_recordset($2::json) as r(id int, "receivedMilli" bigint) where i.clinic_id = $1 and i.id = r.id`,
    values: [clinicId, JSON.stringify(lines)],
  });
}

/** SQL: a text's search key, with its spaces as `searchKey` leaves them. */
const spaced = (text: string) => keyOf(String.raw`btrim(regexp_replace(${text}, '\s+', ' ', 'g'))`);

/** Returns the number of a vendor's order on which a delivery was booked under this number of the vendor; null if none was. */
export async function orderOfDeliveryNote(
  sql: Sql,
  clinicId: number,
  { vendor, note }: { vendor: string; note: string },
): Promise<string | null> {
  const [found] = await rowsOf<{ number: string }>(
    sql,
    'order of delivery note',
    `select p.number from purchase_orders p where p.clinic_id = $1 and ${spaced('p.vendor')} = $2
       and exists (select from unnest(p.delivery_notes) n where ${spaced('n')} = $3) order by p.id desc limit 1`,
    [clinicId, searchKey(vendor), searchKey(note)],
  );
  return found?.number ?? null;
}

export async function saveDeliveryNote(sql: Sql, clinicId: number, id: number, note: string): Promise<void> {
  await sql.query({
    name: 'save delivery note',
    text: `update purchase_orders set delivery_notes = delivery_notes || $3::text
           where clinic_id = $1 and id = $2 and not $3 = any(delivery_notes)`,
    values: [clinicId, id, note],
  });
}

/** An item that is low or out of stock, with the figures that decide how much to order. */
export interface LowItem {
  stockId: number;
  name: string;
  unit: string;
  supplier: string;
  supplierContact: string;
  quantityMilli: number;
  thresholdMilli: number;
  onOrderMilli: number;
  /** The cost of the last order, else the item's own. */
  unitCostMinor: number;
}

/** Returns the low items by supplier and name. */
export async function listLowItems(sql: Sql, clinicId: number): Promise<LowItem[]> {
  const rows = await rowsOf<{ row: LowItem }>(
    sql,
    'low items to order',
    `select json_build_object('stockId', s.id, 'name', s.name, 'unit', s.unit, 'supplier', s.supplier,
       'supplierContact', s.supplier_contact, 'quantityMilli', s.quantity_milli, 'thresholdMilli', s.low_stock_threshold_milli,
       'onOrderMilli', coalesce(ordered.open_milli, 0), 'unitCostMinor', coalesce(ordered.last_cost, s.cost_minor)) as row
     from stock_items s cross join lateral (
       select sum(greatest(i.quantity_milli - i.received_milli, 0)) filter (where p.closed_at is null) as open_milli,
         (array_agg(i.unit_cost_minor order by i.id desc) filter (where p.status <> 'cancelled'))[1] as last_cost
       from purchase_order_items i join purchase_orders p on p.clinic_id = i.clinic_id and p.id = i.purchase_order_id
       where i.clinic_id = s.clinic_id and i.stock_id = s.id) ordered
     where s.clinic_id = $1 and s.deleted_at is null and s.is_stocked and s.quantity_milli <= s.low_stock_threshold_milli
     order by lower(s.supplier), s.supplier, s.name, s.id`,
    [clinicId],
  );
  return rows.map(({ row }) => row);
}
