/**
 * Writes whole treatments. Lines, payments, cancels, changes and invoices are only inserted; the order row and the mark of a
 * removed line are derived values.
 */
import { businessDay } from '#domain/business-day.ts';
import { linePrices } from '#domain/order/line-prices.ts';
import { allLines, lineTotal } from '#domain/order/order.ts';
import { statusOf, totals } from '#domain/order/totals.ts';
import type { Order, OrderLine } from '#domain/order/order.ts';
import { insertInto } from '#server/db/insert.ts';
import type { Insert, InsertRow } from '#server/db/insert.ts';
import { invoices, orderCancels, orderChanges, orderLines, orders, payments } from '#server/db/schema/orders.ts';
import type { Sql } from '#server/db/sql.ts';

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

/** When and for whom changes are saved. */
interface SaveContext {
  clinicId: number;
  timeZone: string;
  receivedAtMs: number;
  /** The ids of the lines whose supplies are used. */
  used: ReadonlySet<string>;
}

/** What the rows of facts need besides. */
interface FactContext extends SaveContext {
  /** What new lines earn. */
  earned: ReadonlyMap<string, number>;
}

const insertOrders = insertInto(orders, {
  existing: {
    update: [
      'status',
      'notes',
      'addedNotes',
      'customerName',
      'patientId',
      'roomId',
      'roomNumber',
      'discountMinor',
      'subtotalMinor',
      'totalMinor',
      'reductionMinor',
      'paidMinor',
      'balanceMinor',
      'updatedAt',
    ],
  },
});

/** The rows of one kind of facts. */
interface FactRows<Fact, Row> {
  of: (order: Order) => readonly Fact[];
  key: (fact: Fact) => string;
  /** @param position among the treatment's facts of this kind */
  row: (
    fact: Fact,
    place: { order: Order; position: number },
    context: FactContext,
  ) => Omit<Row, 'clinicId' | 'orderId'>;
}

type InsertGained = (sql: Sql, changes: readonly OrderChange[], context: FactContext) => Promise<void>;

/** Returns the insert of the facts that changes have added. */
const insertGained =
  <Fact, Row extends { clinicId: number; orderId: string }>(
    insert: Insert<Row>,
    { of, key, row }: FactRows<Fact, Row>,
  ): InsertGained =>
  (sql, changes, context) =>
    insert(
      sql,
      changes.flatMap(({ before, after: order }) => {
        const known = new Set(before ? of(before).map(key) : []);
        return of(order).flatMap((fact, position) => {
          if (known.has(key(fact))) return [];
          const { clinicId } = context;
          return { clinicId, orderId: order.id, ...row(fact, { order, position }, context) } as Row;
        });
      }),
    );

const factTables: readonly InsertGained[] = [
  insertGained(insertInto(orderLines, { leaves: ['preparation', 'preparationAt'] }), {
    of: allLines,
    key: ({ lineId }) => lineId,
    row: (line, { order }, { used, earned, receivedAtMs }) => ({
      id: line.lineId,
      position: line.position,
      stockId: line.stockId,
      productId: line.productId,
      name: line.name,
      quantityMilli: line.quantityMilli,
      unitPriceMinor: line.unitPriceMinor,
      totalMinor: lineTotal(line),
      earnedMinor: earned.get(line.lineId) ?? 0,
      tax: line.tax ?? null,
      notes: line.notes,
      opId: line.opId,
      replaces: line.replaces,
      removed: order.removedLines.includes(line),
      usageAt: used.has(line.lineId) ? receivedAtMs : null,
    }),
  }),
  insertGained(insertInto(payments), {
    of: (order) => order.payments,
    key: ({ opId }) => opId,
    row: ({ paymentId, isStillOwed, atMs, ...payment }, { position }, { timeZone, receivedAtMs }) => ({
      ...payment,
      id: paymentId,
      position,
      stillOwed: isStillOwed,
      effectiveAt: atMs,
      businessDay: businessDay(atMs, timeZone),
      receivedAt: receivedAtMs,
    }),
  }),
  insertGained(insertInto(orderCancels), {
    of: (order) => order.cancels,
    key: ({ opId }) => opId,
    row: ({ opId, reason, actorId, atMs, correction }, { position }) => ({
      opId,
      position,
      reason,
      actorId,
      effectiveAt: atMs,
      creditNoteNumber: correction?.number ?? null,
      creditNote: correction?.creditNote ?? null,
      deviceId: correction?.deviceId ?? null,
      annulled: correction?.isAnnulled ?? false,
    }),
  }),
  insertGained(insertInto(orderChanges), {
    of: (order) => order.changes,
    key: ({ opId }) => opId,
    row: ({ atMs, ...change }, { position }) => ({ ...change, position, effectiveAt: atMs }),
  }),
  insertGained(insertInto(invoices), {
    of: (order) => order.invoices,
    key: ({ op_id }) => op_id,
    row: (invoice, { position }) => ({
      id: invoice.invoice_id,
      position,
      opId: invoice.op_id,
      number: invoice.invoice_number,
      issuedAt: Date.parse(invoice.issued_at),
      document: invoice,
    }),
  }),
];

/** Writes the order rows, the facts that are new, and the marks of earlier facts that follow from them. */
export async function saveOrders(sql: Sql, context: SaveContext, changes: readonly OrderChange[]): Promise<void> {
  const { clinicId } = context;
  // Most changes are payments, which add no line.
  const earned = new Map(
    changes.flatMap(({ before, after }) => (before?.lines === after.lines ? [] : [...earnedOf(after)])),
  );
  await Promise.all([
    // First, because the others refer to it.
    insertOrders(
      sql,
      changes.map(({ after }) => orderRow(after, context)),
    ),
    ...factTables.map((insert) => insert(sql, changes, { ...context, earned })),
    markRemoved(sql, clinicId, changes),
    updateEarned(sql, clinicId, changes),
    markAnnulled(sql, clinicId, changes),
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

function orderRow(order: Order, { clinicId, timeZone, receivedAtMs }: SaveContext): InsertRow<typeof orders> {
  const { owedMinor: _owedMinor, ...sums } = totals(order);
  return {
    ...sums,
    clinicId,
    id: order.id,
    opId: order.opId,
    number: order.number,
    type: order.type,
    status: statusOf(order),
    customerName: order.customerName,
    patientId: order.patientId,
    roomId: order.roomId,
    roomNumber: order.roomNumber,
    notes: order.notes,
    addedNotes: order.addedNotes,
    currency: order.currency,
    discountMinor: order.discountMinor,
    agreedDiscountMinor: order.agreedDiscountMinor,
    discountReason: order.discountReason,
    chargeMinor: order.chargeMinor,
    createdAt: order.createdAtMs,
    businessDay: businessDay(order.createdAtMs, timeZone),
    createdBy: order.createdBy,
    deviceId: order.deviceId,
    receivedAt: receivedAtMs,
    updatedAt: receivedAtMs,
  };
}
