/** Supply: alerts, purchase orders and lots. */
import { sql } from 'drizzle-orm';
import {
  bigint,
  check,
  date,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { AlertSeverity, AlertStatus, AlertType, PurchaseOrderStatus } from '#domain/stock/vocabulary.ts';
import { stockItems } from './catalogue.ts';
import { clinics } from './clinics.ts';
import { clinicId, instant, milli, minor, writtenAt } from './columns.ts';

/**
 * Stock alerts, raised and ended in the transaction that moved the level. An alert stays until the level ends it, even
 * after it was resolved, so an item or a lot has at most one and a resolved alert is not raised again.
 */
export const stockAlerts = pgTable(
  'stock_alerts',
  {
    clinicId: clinicId(),
    id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    stockId: integer().notNull(),
    lotId: integer(),
    type: text().$type<AlertType>().notNull(),
    severity: text().$type<AlertSeverity>().notNull(),
    status: text().$type<AlertStatus>().notNull().default('active'),
    /** Level and threshold when the alert was raised. */
    quantityMilli: milli().notNull(),
    thresholdMilli: milli().notNull(),
    createdAt: writtenAt.createdAt,
    acknowledgedAt: instant(),
    acknowledgedBy: integer(),
    resolvedAt: instant(),
    /** Null when the level ended the alert. */
    resolvedBy: integer(),
    /** The time when the level no longer met the alert's condition. */
    endedAt: instant(),
  },
  (table) => [
    primaryKey({ columns: [table.clinicId, table.id] }),
    uniqueIndex('stock_alerts_standing')
      .on(table.clinicId, table.stockId, sql`coalesce(lot_id, 0)`)
      .where(sql`ended_at is null`),
    // Read backwards: open alerts first, newest first, then resolved ones.
    index().on(table.clinicId, table.resolvedAt, table.id),
    foreignKey({ columns: [table.clinicId, table.stockId], foreignColumns: [stockItems.clinicId, stockItems.id] }),
  ],
);

export const purchaseOrders = pgTable(
  'purchase_orders',
  {
    clinicId: clinicId().references(() => clinics.id),
    id: integer().notNull().generatedAlwaysAsIdentity(),
    /** `PO-000001`, counted per clinic by the server. */
    number: text().notNull(),
    vendor: text().notNull(),
    vendorContact: text().notNull().default(''),
    status: text().$type<PurchaseOrderStatus>().notNull().default('draft'),
    notes: text().notNull().default(''),
    /** The vendor's numbers of the deliveries that were booked. */
    deliveryNotes: text().array().notNull().default([]),
    createdBy: integer().notNull(),
    sentAt: instant(),
    closedAt: instant(),
    ...writtenAt,
  },
  (table) => [
    primaryKey({ columns: [table.clinicId, table.id] }),
    uniqueIndex().on(table.clinicId, table.number),
    index().on(table.clinicId, table.status, table.createdAt),
    index().on(table.clinicId, table.createdAt),
  ],
);

export const purchaseOrderItems = pgTable(
  'purchase_order_items',
  {
    clinicId: clinicId(),
    id: integer().notNull().generatedAlwaysAsIdentity(),
    purchaseOrderId: integer().notNull(),
    position: integer().notNull(),
    stockId: integer().notNull(),
    /** Name and unit as they were agreed: the item of a sent order may be renamed. */
    name: text().notNull(),
    unit: text().notNull(),
    quantityMilli: milli().notNull(),
    receivedMilli: milli().notNull().default(0),
    unitCostMinor: minor().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.clinicId, table.id] }),
    index().on(table.clinicId, table.purchaseOrderId),
    index().on(table.clinicId, table.stockId),
    foreignKey({
      name: 'purchase_order_items_order',
      columns: [table.clinicId, table.purchaseOrderId],
      foreignColumns: [purchaseOrders.clinicId, purchaseOrders.id],
    }),
    foreignKey({
      name: 'purchase_order_items_stock',
      columns: [table.clinicId, table.stockId],
      foreignColumns: [stockItems.clinicId, stockItems.id],
    }),
  ],
);

/** Lots of one maker's number and expiry. Use takes the lot that expires first. */
export const stockLots = pgTable(
  'stock_lots',
  {
    clinicId: clinicId(),
    id: integer().notNull().generatedAlwaysAsIdentity(),
    stockId: integer().notNull(),
    lotNumber: text().notNull(),
    expiresOn: date({ mode: 'string' }),
    receivedMilli: milli().notNull(),
    remainingMilli: milli().notNull(),
    receivedAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.clinicId, table.id] }),
    unique('stock_lots_once').on(table.clinicId, table.stockId, table.lotNumber, table.expiresOn).nullsNotDistinct(),
    index('stock_lots_number').on(table.clinicId, sql`lower(lot_number) text_pattern_ops`),
    index()
      .on(table.clinicId, table.stockId, table.expiresOn)
      .where(sql`remaining_milli > 0`),
    index()
      .on(table.clinicId, table.expiresOn)
      .where(sql`remaining_milli > 0`),
    foreignKey({ columns: [table.clinicId, table.stockId], foreignColumns: [stockItems.clinicId, stockItems.id] }),
    check('stock_lots_remaining', sql`remaining_milli between 0 and received_milli`),
  ],
);

/** The lots that a ledger entry filled or drew from, for recalls. */
export const stockLotMovements = pgTable(
  'stock_lot_movements',
  {
    clinicId: clinicId(),
    lotId: integer().notNull(),
    /** The entry of `stock_transactions`. */
    transactionId: bigint({ mode: 'number' }).notNull(),
    changeMilli: milli().notNull(),
    /** The treatment that used the lot; null for a receipt or a correction. */
    orderId: uuid(),
    lineId: uuid(),
  },
  (table) => [
    primaryKey({ columns: [table.clinicId, table.lotId, table.transactionId] }),
    index().on(table.clinicId, table.transactionId),
    foreignKey({ columns: [table.clinicId, table.lotId], foreignColumns: [stockLots.clinicId, stockLots.id] }),
  ],
);
