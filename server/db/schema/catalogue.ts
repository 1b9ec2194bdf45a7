import { sql } from 'drizzle-orm';
import { bigint, boolean, foreignKey, index, integer, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core';
import type { StockTransactionType } from '../../../domain/stock/vocabulary.ts';
import { clinics } from './clinics.ts';
import { clinicId, feedXid, instant, milli, minor, writtenAt } from './columns.ts';

export const categories = pgTable(
  'categories',
  {
    clinicId: clinicId().references(() => clinics.id),
    id: integer().notNull().generatedAlwaysAsIdentity(),
    name: text().notNull(),
    description: text().notNull().default(''),
    color: text(),
    deletedAt: instant(),
    ...writtenAt,
    xid: feedXid(),
  },
  (table) => [primaryKey({ columns: [table.clinicId, table.id] }), index().on(table.clinicId, table.xid, table.id)],
);

/** A supply or a service: what the ledger of `stock_transactions` counts, and what the counter sells. */
export const stockItems = pgTable(
  'stock_items',
  {
    clinicId: clinicId().references(() => clinics.id),
    id: integer().notNull().generatedAlwaysAsIdentity(),
    name: text().notNull(),
    searchKey: text().notNull(),
    unit: text().notNull().default('pcs'),
    categoryId: integer(),
    imageUrl: text(),
    supplier: text().notNull().default(''),
    supplierContact: text().notNull().default(''),
    quantityMilli: milli().notNull().default(0),
    /** Promised to open treatments: follows from them (SYNC-10). */
    reservedMilli: milli().notNull().default(0),
    /** Promised by hand, beside that. */
    heldMilli: milli().notNull().default(0),
    lowStockThresholdMilli: milli().notNull().default(0),
    costMinor: minor().notNull().default(0),
    barcode: text(),
    isAvailable: boolean().notNull().default(true),
    /** Whether receipts name a lot, and use takes the lot that expires first. */
    tracksLots: boolean().notNull().default(false),
    /** When the last count took effect; what is older has no effect (SYNC-10). */
    countedAt: instant(),
    lastRestockedAt: instant(),
    deletedAt: instant(),
    ...writtenAt,
    xid: feedXid(),
  },
  (table) => [
    primaryKey({ columns: [table.clinicId, table.id] }),
    index().on(table.clinicId, table.xid, table.id),
    index().on(table.clinicId, table.searchKey, table.id),
    foreignKey({ columns: [table.clinicId, table.categoryId], foreignColumns: [categories.clinicId, categories.id] }),
  ],
);

export const products = pgTable(
  'products',
  {
    clinicId: clinicId().references(() => clinics.id),
    id: integer().notNull().generatedAlwaysAsIdentity(),
    name: text().notNull(),
    searchKey: text().notNull(),
    description: text().notNull().default(''),
    priceMinor: minor().notNull(),
    categoryId: integer(),
    imageUrl: text(),
    barcode: text(),
    isAvailable: boolean().notNull().default(true),
    deletedAt: instant(),
    ...writtenAt,
    xid: feedXid(),
  },
  (table) => [
    primaryKey({ columns: [table.clinicId, table.id] }),
    index().on(table.clinicId, table.xid, table.id),
    foreignKey({ columns: [table.clinicId, table.categoryId], foreignColumns: [categories.clinicId, categories.id] }),
  ],
);

/** The supplies that one unit of a product uses. Not in the feed themselves: who changes them touches the product. */
export const productIngredients = pgTable(
  'product_ingredients',
  {
    clinicId: clinicId(),
    productId: integer().notNull(),
    stockId: integer().notNull(),
    quantityMilli: milli().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.clinicId, table.productId, table.stockId] }),
    foreignKey({
      name: 'product_ingredients_product',
      columns: [table.clinicId, table.productId],
      foreignColumns: [products.clinicId, products.id],
    }),
    foreignKey({
      name: 'product_ingredients_stock',
      columns: [table.clinicId, table.stockId],
      foreignColumns: [stockItems.clinicId, stockItems.id],
    }),
  ],
);

/**
 * The stock ledger (SYNC-10). `quantity_milli` is what was asked for, signed, or for a count the quantity counted;
 * `effect_milli` is what it did to the level. The unique key makes an operation move an item once per line.
 *
 * No foreign keys: every sale writes here, and its item, person and device were read in the same transaction.
 */
export const stockTransactions = pgTable(
  'stock_transactions',
  {
    clinicId: clinicId(),
    id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    stockId: integer().notNull(),
    type: text().$type<StockTransactionType>().notNull(),
    status: text().$type<'completed' | 'pending'>().notNull().default('completed'),
    /** A count says how much there was; every other row is a delta. */
    isCount: boolean().notNull().default(false),
    quantityMilli: milli().notNull(),
    effectMilli: milli().notNull(),
    previousMilli: milli().notNull(),
    newMilli: milli().notNull(),
    costMinor: minor().notNull().default(0),
    referenceType: text(),
    referenceId: text(),
    notes: text().notNull().default(''),
    userId: integer(),
    deviceId: integer(),
    opId: uuid().notNull(),
    lineId: uuid(),
    effectiveAt: instant().notNull(),
    receivedAt: instant()
      .notNull()
      .default(sql`now()`),
    createdAt: writtenAt.createdAt,
  },
  (table) => [
    primaryKey({ columns: [table.clinicId, table.id] }),
    unique('stock_transactions_once').on(table.clinicId, table.opId, table.stockId, table.lineId).nullsNotDistinct(),
    index().on(table.clinicId, table.stockId, table.effectiveAt),
    // The list of all movements, and of those of one kind, latest first.
    index().on(table.clinicId, table.effectiveAt, table.id),
    index().on(table.clinicId, table.type, table.effectiveAt),
  ],
);
