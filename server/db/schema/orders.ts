/**
 * Treatments (orders) and their facts. The derived columns of `orders` are computed by `domain/order` from the facts
 * and stored for lists and sums.
 *
 * Facts refer to their order, which the same transaction has locked. No row refers to users, devices or the catalogue:
 * those are never removed, and a foreign key would cost a lookup and a row lock per line of every sale.
 */
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  date,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import type { CollectiveInvoice } from '#domain/order/collective.ts';
import type { AddedNote, ChangedField, CreditNotePayload, Invoice, RefundedLine } from '#domain/order/order.ts';
import type { OrderStatus, OrderType, PaymentMethod } from '#domain/order/vocabulary.ts';
import type { PreparationStatus } from '#domain/preparation/steps.ts';
import { clinicId, feedXid, instant, milli, minor } from './columns.ts';

const receivedAt = () =>
  instant()
    .notNull()
    .default(sql`now()`);

export const orders = pgTable(
  'orders',
  {
    clinicId: clinicId(),
    id: uuid().notNull(),
    number: text().notNull(),
    type: text().$type<OrderType>().notNull(),
    status: text().$type<OrderStatus>().notNull(),
    customerName: text().notNull().default(''),
    /** Null without a patient; `customer_name` is the name on the document. */
    patientId: uuid(),
    /** The room, and its name at that time. */
    roomId: integer(),
    roomNumber: text().notNull().default(''),
    notes: text().notNull().default(''),
    /** What was noted with services that were added later, in the order of the facts. */
    addedNotes: jsonb().$type<AddedNote[]>().notNull().default([]),
    currency: text().notNull(),
    /** The operation that created it. */
    opId: uuid(),
    discountMinor: minor().notNull().default(0),
    /** The discount before services were taken away; `discount_minor` is derived from it. */
    agreedDiscountMinor: minor().notNull().default(0),
    discountReason: text().notNull().default(''),
    chargeMinor: minor().notNull().default(0),
    subtotalMinor: minor().notNull(),
    totalMinor: minor().notNull(),
    /** By how much refunds lower what the treatment costs; owed is total less reduction. */
    reductionMinor: minor().notNull().default(0),
    paidMinor: minor().notNull(),
    balanceMinor: minor().notNull(),
    /** The effective time (SYNC-14); `received_at` is the server's. */
    createdAt: instant().notNull(),
    businessDay: date({ mode: 'string' }).notNull(),
    createdBy: integer().notNull(),
    deviceId: integer().notNull(),
    receivedAt: receivedAt(),
    updatedAt: receivedAt(),
    xid: feedXid(),
  },
  (table) => [
    primaryKey({ columns: [table.clinicId, table.id] }),
    index().on(table.clinicId, table.xid, table.id),
    // Not unique: a duplicate number is accepted and raised as an attention item (SYNC-12). Searches match the
    // beginning.
    index().on(table.clinicId, table.number.op('text_pattern_ops')),
    index().on(table.clinicId, table.status, table.createdAt),
    index().on(table.clinicId, table.createdAt),
    // The order of reports. The index also contains the filtered and summed columns, so counting reads no row.
    index('orders_reported').on(
      table.clinicId,
      table.businessDay,
      table.createdAt,
      table.id,
      table.type,
      table.status,
      table.totalMinor,
      table.paidMinor,
      table.currency,
    ),
    index()
      .on(table.clinicId, table.patientId, table.createdAt)
      .where(sql`patient_id is not null`),
    // Finds occupied rooms.
    index()
      .on(table.clinicId, table.roomId)
      .where(sql`room_id is not null and status = 'confirmed'`),
  ],
);

export const orderLines = pgTable(
  'order_lines',
  {
    clinicId: clinicId(),
    /** The `line_id` from the counter. */
    id: uuid().notNull(),
    orderId: uuid().notNull(),
    position: integer().notNull(),
    stockId: integer(),
    productId: integer(),
    name: text().notNull(),
    quantityMilli: milli().notNull(),
    unitPriceMinor: minor().notNull(),
    totalMinor: minor().notNull(),
    /** Derived: what the line earns after discount, charge and refunds (`linePrices`); 0 of a removed line. */
    earnedMinor: minor().notNull(),
    /** The key of its tax (`taxKey`); null without a tax profile. */
    tax: text(),
    notes: text().notNull().default(''),
    opId: uuid().notNull(),
    /** The line that this one replaces. */
    replaces: uuid(),
    /** Derived: whether a change took the line away. Everything that counts or shows lines leaves these out. */
    removed: boolean().notNull().default(false),
    /** The time when the supplies were deducted, once per line (SYNC-10). */
    usageAt: instant(),
    /** The status on the preparation board; only the board writes it. */
    preparation: text().$type<PreparationStatus>().notNull().default('pending'),
    /** The time of the last move on the board; null before the first. */
    preparationAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.clinicId, table.id] }),
    index().on(table.clinicId, table.orderId),
    // Finds the treatments that sold an item.
    index()
      .on(table.clinicId, table.stockId, table.orderId)
      .where(sql`stock_id is not null`),
    index()
      .on(table.clinicId, table.productId, table.orderId)
      .where(sql`product_id is not null`),
    foreignKey({ columns: [table.clinicId, table.orderId], foreignColumns: [orders.clinicId, orders.id] }),
  ],
);

/** Payments; refunds are negative. */
export const payments = pgTable(
  'payments',
  {
    clinicId: clinicId(),
    id: uuid().notNull(),
    orderId: uuid().notNull(),
    /** The position among the treatment's facts of this kind, in order of arrival. */
    position: integer().notNull(),
    opId: uuid().notNull(),
    method: text().$type<PaymentMethod>().notNull(),
    amountMinor: minor().notNull(),
    tenderedMinor: minor().notNull(),
    changeMinor: minor().notNull(),
    reference: text().notNull().default(''),
    creditNoteNumber: text(),
    /** The credit note as printed, if one was issued. */
    creditNote: jsonb().$type<CreditNotePayload>(),
    reason: text().notNull().default(''),
    /** Of a refund: by how much it lowers what the treatment costs, and whether the treatment is still to be paid. */
    reductionMinor: minor().notNull().default(0),
    stillOwed: boolean().notNull().default(false),
    /** The services that a refund names. */
    refundedLines: jsonb()
      .$type<RefundedLine[]>()
      .notNull()
      .default(sql`'[]'`),
    /** How what it takes off the treatment as a whole is spread over the services. */
    allowances: jsonb()
      .$type<RefundedLine[]>()
      .notNull()
      .default(sql`'[]'`),
    actorId: integer().notNull(),
    deviceId: integer().notNull(),
    effectiveAt: instant().notNull(),
    businessDay: date({ mode: 'string' }).notNull(),
    receivedAt: receivedAt(),
  },
  (table) => [
    primaryKey({ columns: [table.clinicId, table.id] }),
    unique('payments_once').on(table.clinicId, table.opId),
    index().on(table.clinicId, table.orderId),
    index().on(table.clinicId, table.businessDay),
    index().on(table.clinicId, table.effectiveAt),
    index('payments_refunds')
      .on(table.clinicId, table.orderId, table.amountMinor)
      .where(sql`amount_minor < 0`),
    index()
      .on(table.clinicId, table.creditNoteNumber)
      .where(sql`credit_note_number is not null`),
    foreignKey({ columns: [table.clinicId, table.orderId], foreignColumns: [orders.clinicId, orders.id] }),
  ],
);

export const orderCancels = pgTable(
  'order_cancels',
  {
    clinicId: clinicId(),
    opId: uuid().notNull(),
    orderId: uuid().notNull(),
    position: integer().notNull(),
    reason: text().notNull().default(''),
    actorId: integer().notNull(),
    effectiveAt: instant().notNull(),
    /** The credit note of an invoiced treatment, as printed, and the device that issued it. */
    creditNoteNumber: text(),
    creditNote: jsonb().$type<CreditNotePayload>(),
    deviceId: integer(),
    /** Derived: whether the credit note takes back what is settled otherwise. */
    annulled: boolean().notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.clinicId, table.opId] }),
    index().on(table.clinicId, table.orderId),
    index('order_cancels_corrections')
      .on(table.clinicId, table.effectiveAt)
      .where(sql`credit_note is not null`),
    index()
      .on(table.clinicId, table.creditNoteNumber)
      .where(sql`credit_note_number is not null`),
    foreignKey({ columns: [table.clinicId, table.orderId], foreignColumns: [orders.clinicId, orders.id] }),
  ],
);

/** Changes of open treatments. `order_lines` has the lines that they added. */
export const orderChanges = pgTable(
  'order_changes',
  {
    clinicId: clinicId(),
    opId: uuid().notNull(),
    orderId: uuid().notNull(),
    position: integer().notNull(),
    removedIds: jsonb().$type<string[]>().notNull(),
    fields: jsonb().$type<ChangedField[]>().notNull(),
    actorId: integer().notNull(),
    deviceId: integer().notNull(),
    /** The place in the device's sequence; 0 for a call over REST. */
    deviceSeq: bigint({ mode: 'number' }).notNull(),
    /** Not before earlier changes of the treatment by the same device. */
    effectiveAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.clinicId, table.opId] }),
    index().on(table.clinicId, table.orderId),
    foreignKey({ columns: [table.clinicId, table.orderId], foreignColumns: [orders.clinicId, orders.id] }),
  ],
);

/** Invoices as issued; a row never changes. */
export const invoices = pgTable(
  'invoices',
  {
    clinicId: clinicId(),
    id: uuid().notNull(),
    orderId: uuid().notNull(),
    position: integer().notNull(),
    opId: uuid().notNull(),
    number: text().notNull(),
    issuedAt: instant().notNull(),
    document: jsonb().$type<Invoice>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.clinicId, table.id] }),
    index().on(table.clinicId, table.number.op('text_pattern_ops')),
    index().on(table.clinicId, table.orderId),
    index('invoices_without_payment')
      .on(table.clinicId, table.issuedAt)
      .where(sql`document ? 'device_id'`),
    foreignKey({ columns: [table.clinicId, table.orderId], foreignColumns: [orders.clinicId, orders.id] }),
  ],
);

/** Collective invoices (`domain/order/collective.ts`). Their treatments' parts stand among the invoices, with the same number. */
export const collectiveInvoices = pgTable(
  'collective_invoices',
  {
    clinicId: clinicId(),
    /** Also the operation of its fiscal record. */
    id: uuid().notNull(),
    number: text().notNull(),
    issuedAt: instant().notNull(),
    document: jsonb().$type<CollectiveInvoice>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.clinicId, table.id] }),
    index().on(table.clinicId, table.number.op('text_pattern_ops')),
    index().on(table.clinicId, table.issuedAt),
  ],
);
