/**
 * Writes whole treatments. Lines, payments, cancels, changes and invoices are only inserted; the order row and the mark of a
 * removed line are derived values.
 */
import { businessDay } from '../../../domain/business-day.ts';
import { linePrices } from '../../../domain/order/line-prices.ts';
import { allLines, lineTotal } from '../../../domain/order/order.ts';
import { statusOf, totals } from '../../../domain/order/totals.ts';
import type { Order, OrderLine } from '../../../domain/order/order.ts';
import { insertRows, isoOf } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';

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
  // Most changes are payments, which add no line.
  const earned = new Map(
    changes.flatMap(({ before, after }) => (before?.lines === after.lines ? [] : [...earnedOf(after)])),
  );
  const gained = <T>(pick: (order: Order) => readonly T[], key: (fact: T) => string) =>
    changes.flatMap(({ before, after }) => {
      const known = new Set(before ? pick(before).map(key) : []);
      return pick(after)
        .map((fact, position) => ({ orderId: after.id, fact, position }))
        .filter(({ fact }) => !known.has(key(fact)));
    });

  await Promise.all([
    // First, because the others refer to it.
    insertRows(
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
        'reduction_minor',
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
       subtotal_minor = excluded.subtotal_minor, total_minor = excluded.total_minor, reduction_minor = excluded.reduction_minor, paid_minor = excluded.paid_minor,
       balance_minor = excluded.balance_minor, updated_at = excluded.updated_at`,
    ),
    insertRows(
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
        'earned_minor',
        'tax',
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
        earned_minor: earned.get(line.lineId) ?? 0,
        tax: line.tax ?? null,
        notes: line.notes,
        op_id: line.opId,
        replaces: line.replaces,
        removed: gone.has(line.lineId),
        preparation: 'pending',
        usage_at: used.has(line.lineId) ? receivedAt : null,
      })),
    ),
    markRemoved(sql, clinicId, changes),
    updateEarned(sql, clinicId, changes),
    insertRows(
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
        'reduction_minor',
        'still_owed',
        'refunded_lines',
        'allowances',
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
        reduction_minor: payment.reductionMinor,
        still_owed: payment.isStillOwed,
        refunded_lines: payment.refundedLines,
        allowances: payment.allowances,
        actor_id: payment.actorId,
        device_id: payment.deviceId,
        effective_at: isoOf(payment.atMs),
        business_day: businessDay(payment.atMs, timeZone),
        received_at: receivedAt,
      })),
    ),
    insertRows(
      sql,
      'order_cancels',
      [
        'clinic_id',
        'op_id',
        'order_id',
        'position',
        'reason',
        'actor_id',
        'effective_at',
        'credit_note_number',
        'credit_note',
        'device_id',
        'annulled',
      ],
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
        credit_note_number: cancel.correction?.number ?? null,
        credit_note: cancel.correction?.creditNote ?? null,
        device_id: cancel.correction?.deviceId ?? null,
        annulled: cancel.correction?.isAnnulled ?? false,
      })),
    ),
    markAnnulled(sql, clinicId, changes),
    insertRows(
      sql,
      'order_changes',
      [
        'clinic_id',
        'op_id',
        'order_id',
        'position',
        'removed_ids',
        'fields',
        'actor_id',
        'device_id',
        'device_seq',
        'effective_at',
      ],
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
        device_id: change.deviceId,
        device_seq: change.deviceSeq,
        effective_at: isoOf(change.atMs),
      })),
    ),
    insertRows(
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
    ),
  ]);
}

/** Returns what each line earns, by its id; a removed line is left out. */
const earnedOf = (order: Order): Map<string, number> =>
  new Map(linePrices(order).map(({ line, earnedMinor }) => [line.lineId, earnedMinor]));

/** Stores what known lines earn, where a refund or a change has altered it. */
async function updateEarned(sql: Sql, clinicId: number, changes: readonly OrderChange[]): Promise<void> {
  const altered = changes.flatMap(({ before, after }) => {
    if (!before || !isRepriced(before, after)) return [];
    const [had, has] = [earnedOf(before), earnedOf(after)];
    return allLines(before)
      .map(({ lineId }) => ({ id: lineId, earned_minor: has.get(lineId) ?? 0 }))
      .filter(({ id, earned_minor }) => earned_minor !== (had.get(id) ?? 0));
  });
  if (altered.length === 0) return;
  await sql.query({
    name: 'update earned amounts',
    text: `update order_lines l set earned_minor = r.earned_minor
           from json_to_recordset($2::json) as r(id uuid, earned_minor bigint) where l.clinic_id = $1 and l.id = r.id`,
    values: [clinicId, JSON.stringify(altered)],
  });
}

/** A payment alone, which is most changes, leaves the price of every line. */
const isRepriced = (before: Order, after: Order): boolean =>
  before.lines !== after.lines ||
  before.discountMinor !== after.discountMinor ||
  after.payments.slice(before.payments.length).some(({ amountMinor }) => amountMinor < 0);

/** Marks the corrections of earlier cancels that are annulled since. */
async function markAnnulled(sql: Sql, clinicId: number, changes: readonly OrderChange[]): Promise<void> {
  const annulled = changes.flatMap(({ before, after }) => {
    const known = new Map((before?.cancels ?? []).map(({ opId, correction }) => [opId, correction?.isAnnulled]));
    return after.cancels.filter(({ opId, correction }) => correction?.isAnnulled && known.get(opId) === false);
  });
  if (annulled.length === 0) return;
  await sql.query({
    name: 'annul corrections',
    text: 'update order_cancels set annulled = true where clinic_id = $1 and op_id = any($2::uuid[])',
    values: [clinicId, annulled.map(({ opId }) => opId)],
  });
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
  const { subtotalMinor, totalMinor, reductionMinor, paidMinor, balanceMinor } = totals(order);
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
    reduction_minor: reductionMinor,
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
