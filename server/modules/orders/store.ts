/**
 * Reads and writes whole treatments. Lines, payments, cancels, changes and invoices are only inserted; the order row and
 * the mark of a removed line are derived values.
 */
import { businessDay } from '../../../domain/business-day.ts';
import { allLines, lineTotal, statusOf, totals } from '../../../domain/order/order.ts';
import type { Order, OrderLine } from '../../../domain/order/order.ts';
import { insertRows, isoOf, likeText, msOf, rowsOf } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';

const linesJson = (condition: string) => `(select coalesce(json_agg(json_build_object(
      'lineId', l.id, 'stockId', l.stock_id, 'productId', l.product_id, 'name', l.name, 'quantityMilli', l.quantity_milli,
      'unitPriceMinor', l.unit_price_minor, 'notes', l.notes, 'opId', l.op_id, 'position', l.position, 'replaces', l.replaces) order by l.position, l.id), '[]'::json)
    from order_lines l where l.clinic_id = o.clinic_id and l.order_id = o.id and ${condition})`;

/** The domain's `Order`, built by PostgreSQL so that a page of treatments takes one round trip. */
const orderJson = `json_build_object(
  'id', o.id, 'opId', o.op_id, 'number', o.number, 'type', o.type, 'customerName', o.customer_name, 'patientId', o.patient_id,
  'roomId', o.room_id, 'roomNumber', o.room_number, 'notes', o.notes,
  'currency', o.currency, 'discountMinor', o.discount_minor, 'agreedDiscountMinor', o.agreed_discount_minor, 'discountReason', o.discount_reason, 'chargeMinor', o.charge_minor,
  'createdAtMs', ${msOf('o.created_at')}, 'createdBy', o.created_by, 'deviceId', o.device_id,
  'lines', ${linesJson('not l.removed')}, 'removedLines', ${linesJson('l.removed')},
  'payments', (select coalesce(json_agg(json_build_object(
      'paymentId', p.id, 'opId', p.op_id, 'method', p.method, 'amountMinor', p.amount_minor, 'tenderedMinor', p.tendered_minor,
      'changeMinor', p.change_minor, 'reference', p.reference, 'creditNoteNumber', p.credit_note_number, 'creditNote', p.credit_note,
      'reason', p.reason,
      'actorId', p.actor_id, 'deviceId', p.device_id, 'atMs', ${msOf('p.effective_at')}) order by p.position), '[]'::json)
    from payments p where p.clinic_id = o.clinic_id and p.order_id = o.id),
  'cancels', (select coalesce(json_agg(json_build_object(
      'opId', c.op_id, 'reason', c.reason, 'actorId', c.actor_id, 'atMs', ${msOf('c.effective_at')}) order by c.position), '[]'::json)
    from order_cancels c where c.clinic_id = o.clinic_id and c.order_id = o.id),
  'changes', (select coalesce(json_agg(json_build_object(
      'opId', c.op_id, 'removedIds', c.removed_ids, 'fields', c.fields, 'actorId', c.actor_id, 'atMs', ${msOf('c.effective_at')}) order by c.position), '[]'::json)
    from order_changes c where c.clinic_id = o.clinic_id and c.order_id = o.id),
  'invoices', (select coalesce(json_agg(i.document::json order by i.position), '[]'::json)
    from invoices i where i.clinic_id = o.clinic_id and i.order_id = o.id)
)`;

export async function loadOrders(sql: Sql, clinicId: number, ids: readonly string[]): Promise<Map<string, Order>> {
  if (ids.length === 0) return new Map();
  const rows = await rowsOf<{ order: Order }>(
    sql,
    'orders by id',
    `select ${orderJson} as "order" from orders o where o.clinic_id = $1 and o.id = any($2::uuid[])`,
    [clinicId, ids],
  );
  return new Map(rows.map(({ order }) => [order.id, order]));
}

export interface OrderFilter {
  status?: string | undefined;
  type?: string | undefined;
  search?: string | undefined;
  /** The first and the last business day. */
  from?: string | undefined;
  to?: string | undefined;
  /** Whether the search also matches names. */
  byName: boolean;
  limit: number;
  offset: number;
}

/**
 * Returns a page of treatments, newest first, and the total. The search matches the name, the number and invoice
 * numbers.
 */
export async function listOrders(
  sql: Sql,
  clinicId: number,
  filter: OrderFilter,
): Promise<{ orders: Order[]; total: number }> {
  const where = `o.clinic_id = $1 and ($2::text is null or o.status = $2) and ($5::text is null or o.type = $5)
    and ($6::date is null or o.business_day >= $6) and ($7::date is null or o.business_day <= $7) and ($3::text is null or o.number ilike $3 || '%' or ($4::boolean and o.customer_name ilike $3 || '%')
    or o.id in (select i.order_id from invoices i where i.clinic_id = $1 and i.number ilike $3 || '%'))`;
  const search = filter.search ? likeText(filter.search) : null;
  const { status = null, type = null, from = null, to = null, byName } = filter;
  const values = [clinicId, status, search, byName, type, from, to];
  const [{ rows: counted }, listed] = [
    await sql.query(`select count(*)::int as total from orders o where ${where}`, values),
    await rowsOf<{ order: Order }>(
      sql,
      'orders page',
      `select ${orderJson} as "order" from (select * from orders o where ${where} order by o.created_at desc, o.id limit $8 offset $9) o
       order by o.created_at desc, o.id`,
      [...values, filter.limit, filter.offset],
    ),
  ];
  return { orders: listed.map(({ order }) => order), total: counted[0].total as number };
}

/** Returns a page of one patient's treatments, newest first, and the total. */
export async function patientTreatments(
  sql: Sql,
  clinicId: number,
  { patientId, limit, offset }: { patientId: string; limit: number; offset: number },
): Promise<{ orders: Order[]; total: number }> {
  const counted = await rowsOf<{ total: number }>(
    sql,
    'treatments of a patient counted',
    'select count(*)::int as total from orders where clinic_id = $1 and patient_id = $2',
    [clinicId, patientId],
  );
  const rows = await rowsOf<{ order: Order }>(
    sql,
    'treatments of a patient',
    `select ${orderJson} as "order" from (select * from orders where clinic_id = $1 and patient_id = $2 order by created_at desc, id desc limit $3 offset $4) o
     order by o.created_at desc, o.id desc`,
    [clinicId, patientId, limit, offset],
  );
  return { orders: rows.map(({ order }) => order), total: counted[0]!.total };
}

/** Returns the treatments of patients, oldest first. */
export function treatmentIdsOf(
  sql: Sql,
  clinicId: number,
  patientIds: readonly string[],
): Promise<{ id: string; patientId: string }[]> {
  return rowsOf(
    sql,
    'treatment ids of patients',
    'select id, patient_id as "patientId" from orders where clinic_id = $1 and patient_id = any($2::uuid[]) order by created_at, id',
    [clinicId, patientIds],
  );
}

/** Removes the name, notes, references and reasons of treatments. Documents, sums and numbers stay. */
export async function eraseTexts(sql: Sql, clinicId: number, orderIds: readonly string[]): Promise<void> {
  const emptied = async (table: string, key: string, columns: readonly string[]) => {
    await sql.query({
      name: `erase ${table}`,
      text: `update ${table} set ${columns.map((column) => `${column} = ''`).join(', ')}
             where clinic_id = $1 and ${key} = any($2::uuid[]) and (${columns.map((column) => `${column} <> ''`).join(' or ')})`,
      values: [clinicId, orderIds],
    });
  };
  await emptied('order_lines', 'order_id', ['notes']);
  await emptied('payments', 'order_id', ['reference', 'reason']);
  await emptied('order_cancels', 'order_id', ['reason']);
  // Writes the row of every treatment, so that the feed brings the changed facts.
  await sql.query({
    name: 'erase orders',
    text: `update orders set customer_name = '', notes = '', discount_reason = '' where clinic_id = $1 and id = any($2::uuid[])`,
    values: [clinicId, orderIds],
  });
}

/** The invoice or credit note that an operation issued, as the field of its payload. @param receipt the alias of the receipt */
export const documentIssuedBy = (receipt: string): string => `coalesce(
  (select jsonb_build_object('invoice', i.document - 'op_id') from invoices i
   where i.clinic_id = ${receipt}.clinic_id and i.op_id = ${receipt}.op_id
     and i.order_id = case when ${receipt}.aggregate ~ '^order:[0-9a-f-]{36}$' then substr(${receipt}.aggregate, 7)::uuid end limit 1),
  (select jsonb_build_object('credit_note', p.credit_note) from payments p
   where p.clinic_id = ${receipt}.clinic_id and p.op_id = ${receipt}.op_id and p.credit_note is not null),
  '{}')`;

/** Selects treatments for the change feed, which adds the conditions (`feed/store.ts`). */
export const feedOrders = `select o.xid::text as xid, o.id::text as id, ${orderJson} as row from orders o`;

/** An operation after which the treatment was completed, and the lines that it had then. */
export interface Completion {
  lines: readonly OrderLine[];
  opId: string;
  actorId: number;
  deviceId: number;
  atMs: number;
}

export interface OrderChange {
  before: Order | null;
  after: Order;
  /** Completions in the order of their operations. Each uses supplies, whatever comes after it. */
  completions: readonly Completion[];
}

/**
 * Writes the order rows, and the lines, payments, cancels and invoices that are new.
 *
 * @param used the ids of the lines whose supplies are used
 */
export async function saveOrders(
  sql: Sql,
  { clinicId, timeZone, receivedAtMs }: { clinicId: number; timeZone: string; receivedAtMs: number },
  changes: readonly OrderChange[],
  used: ReadonlySet<string>,
): Promise<void> {
  const receivedAt = isoOf(receivedAtMs);
  const gone = new Set(changes.flatMap(({ after }) => after.removedLines.map(({ lineId }) => lineId)));
  const gained = <T>(pick: (order: Order) => readonly T[], key: (fact: T) => string) =>
    changes.flatMap(({ before, after }) => {
      const known = new Set(before ? pick(before).map(key) : []);
      return pick(after)
        .map((fact, position) => ({ orderId: after.id, fact, position }))
        .filter(({ fact }) => !known.has(key(fact)));
    });

  await insertRows(
    sql,
    'orders',
    [
      'clinic_id',
      'id',
      'op_id',
      'number',
      'type',
      'status',
      'customer_name',
      'patient_id',
      'room_id',
      'room_number',
      'notes',
      'currency',
      'discount_minor',
      'agreed_discount_minor',
      'discount_reason',
      'charge_minor',
      'subtotal_minor',
      'total_minor',
      'paid_minor',
      'balance_minor',
      'created_at',
      'business_day',
      'created_by',
      'device_id',
      'received_at',
      'updated_at',
    ],
    changes.map(({ after }) => orderRow(clinicId, after, timeZone, receivedAt)),
    `on conflict (clinic_id, id) do update set status = excluded.status, notes = excluded.notes, customer_name = excluded.customer_name,
       patient_id = excluded.patient_id, room_id = excluded.room_id, room_number = excluded.room_number, discount_minor = excluded.discount_minor,
       subtotal_minor = excluded.subtotal_minor, total_minor = excluded.total_minor, paid_minor = excluded.paid_minor,
       balance_minor = excluded.balance_minor, updated_at = excluded.updated_at`,
  );
  await insertRows(
    sql,
    'order_lines',
    [
      'clinic_id',
      'id',
      'order_id',
      'position',
      'stock_id',
      'product_id',
      'name',
      'quantity_milli',
      'unit_price_minor',
      'total_minor',
      'notes',
      'op_id',
      'replaces',
      'removed',
      'preparation',
      'usage_at',
    ],
    gained(allLines, (line) => line.lineId).map(({ orderId, fact: line }) => ({
      clinic_id: clinicId,
      id: line.lineId,
      order_id: orderId,
      position: line.position,
      stock_id: line.stockId,
      product_id: line.productId,
      name: line.name,
      quantity_milli: line.quantityMilli,
      unit_price_minor: line.unitPriceMinor,
      total_minor: lineTotal(line),
      notes: line.notes,
      op_id: line.opId,
      replaces: line.replaces,
      removed: gone.has(line.lineId),
      preparation: 'pending',
      usage_at: used.has(line.lineId) ? receivedAt : null,
    })),
  );
  await markRemoved(sql, clinicId, changes);
  await insertRows(
    sql,
    'payments',
    [
      'clinic_id',
      'id',
      'order_id',
      'position',
      'op_id',
      'method',
      'amount_minor',
      'tendered_minor',
      'change_minor',
      'reference',
      'credit_note_number',
      'credit_note',
      'reason',
      'actor_id',
      'device_id',
      'effective_at',
      'business_day',
      'received_at',
    ],
    gained(
      (order) => order.payments,
      (payment) => payment.opId,
    ).map(({ orderId, fact: payment, position }) => ({
      clinic_id: clinicId,
      id: payment.paymentId,
      order_id: orderId,
      position,
      op_id: payment.opId,
      method: payment.method,
      amount_minor: payment.amountMinor,
      tendered_minor: payment.tenderedMinor,
      change_minor: payment.changeMinor,
      reference: payment.reference,
      credit_note_number: payment.creditNoteNumber,
      credit_note: payment.creditNote,
      reason: payment.reason,
      actor_id: payment.actorId,
      device_id: payment.deviceId,
      effective_at: isoOf(payment.atMs),
      business_day: businessDay(payment.atMs, timeZone),
      received_at: receivedAt,
    })),
  );
  await insertRows(
    sql,
    'order_cancels',
    ['clinic_id', 'op_id', 'order_id', 'position', 'reason', 'actor_id', 'effective_at'],
    gained(
      (order) => order.cancels,
      (cancel) => cancel.opId,
    ).map(({ orderId, fact: cancel, position }) => ({
      clinic_id: clinicId,
      op_id: cancel.opId,
      order_id: orderId,
      position,
      reason: cancel.reason,
      actor_id: cancel.actorId,
      effective_at: isoOf(cancel.atMs),
    })),
  );
  await insertRows(
    sql,
    'order_changes',
    ['clinic_id', 'op_id', 'order_id', 'position', 'removed_ids', 'fields', 'actor_id', 'effective_at'],
    gained(
      (order) => order.changes,
      (change) => change.opId,
    ).map(({ orderId, fact: change, position }) => ({
      clinic_id: clinicId,
      op_id: change.opId,
      order_id: orderId,
      position,
      removed_ids: change.removedIds,
      fields: change.fields,
      actor_id: change.actorId,
      effective_at: isoOf(change.atMs),
    })),
  );
  await insertRows(
    sql,
    'invoices',
    ['clinic_id', 'id', 'order_id', 'position', 'op_id', 'number', 'issued_at', 'document'],
    gained(
      (order) => order.invoices,
      (invoice) => invoice.op_id,
    ).map(({ orderId, fact: invoice, position }) => ({
      clinic_id: clinicId,
      id: invoice.invoice_id,
      order_id: orderId,
      position,
      op_id: invoice.op_id,
      number: invoice.invoice_number,
      issued_at: invoice.issued_at,
      document: invoice,
    })),
  );
}

/**
 * Marks the lines that no longer stand, and unmarks those that do again. A new line starts where the line that it
 * replaces is on the board, unless there is more to do than was ready.
 */
async function markRemoved(sql: Sql, clinicId: number, changes: readonly OrderChange[]): Promise<void> {
  const changed = changes.filter(({ before, after }) => (before?.changes.length ?? 0) + after.changes.length > 0);
  if (changed.length === 0) return;
  const ids = (pick: (order: Order) => readonly OrderLine[]) =>
    changed.flatMap(({ after }) => pick(after).map(({ lineId }) => lineId));
  await sql.query({
    name: 'mark removed lines',
    text: `update order_lines set removed = id = any($3::uuid[])
           where clinic_id = $1 and id = any($2::uuid[]) and removed <> (id = any($3::uuid[]))`,
    values: [clinicId, ids(allLines), ids(({ removedLines }) => removedLines)],
  });
  const known = new Set(changed.flatMap(({ before }) => (before ? allLines(before) : [])).map(({ lineId }) => lineId));
  await sql.query({
    name: 'prepare replaced lines',
    text: `update order_lines l set preparation = r.preparation, preparation_at = r.preparation_at from order_lines r
           where l.clinic_id = $1 and l.id = any($2::uuid[]) and r.clinic_id = $1 and r.id = l.replaces and r.order_id = l.order_id
             and (l.quantity_milli <= r.quantity_milli or r.preparation = 'preparing')`,
    values: [clinicId, ids(allLines).filter((id) => !known.has(id))],
  });
}

function orderRow(clinicId: number, order: Order, timeZone: string, receivedAt: string): Record<string, unknown> {
  const { subtotalMinor, totalMinor, paidMinor, balanceMinor } = totals(order);
  return {
    clinic_id: clinicId,
    id: order.id,
    op_id: order.opId,
    number: order.number,
    type: order.type,
    status: statusOf(order),
    customer_name: order.customerName,
    patient_id: order.patientId,
    room_id: order.roomId,
    room_number: order.roomNumber,
    notes: order.notes,
    currency: order.currency,
    discount_minor: order.discountMinor,
    agreed_discount_minor: order.agreedDiscountMinor,
    discount_reason: order.discountReason,
    charge_minor: order.chargeMinor,
    subtotal_minor: subtotalMinor,
    total_minor: totalMinor,
    paid_minor: paidMinor,
    balance_minor: balanceMinor,
    created_at: isoOf(order.createdAtMs),
    business_day: businessDay(order.createdAtMs, timeZone),
    created_by: order.createdBy,
    device_id: order.deviceId,
    received_at: receivedAt,
    updated_at: receivedAt,
  };
}
