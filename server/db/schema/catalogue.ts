import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  foreignKey,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from 'drizzle-orm/pg-core';
import { blankStock } from '#domain/stock/blank-drafts.ts';
import { defaultTaxCode } from '#domain/tax/codes.ts';
import type { TaxCode } from '#domain/tax/codes.ts';
import type { StockTransactionType } from '#domain/stock/vocabulary.ts';
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
    imageUrl: text(),
    deletedAt: instant(),
    ...writtenAt,
    xid: feedXid(),
  },
  (table) => [primaryKey({ columns: [table.clinicId, table.id] }), index().on(table.clinicId, table.xid, table.id)],
);

/** The columns that stock items and products share. */
const sellable = {
  name: text().notNull(),
  searchKey: text().notNull(),
  categoryId: integer(),
  imageUrl: text(),
  barcode: text(),
  isAvailable: boolean().notNull().default(blankStock.is_available),
  /** False for goods: their lines never wait on the board. */
  needsPreparation: boolean().notNull().default(blankStock.needs_preparation),
  isFavourite: boolean().notNull().default(blankStock.is_favourite),
  tax: text().$type<TaxCode>().notNull().default(defaultTaxCode),
  deletedAt: instant(),
};

/** Supplies and services: the counter sells them, and the ledger `stock_transactions` counts those that are stocked. */
export const stockItems = pgTable(
  'stock_items',
  {
    clinicId: clinicId().references(() => clinics.id),
    id: integer().notNull().generatedAlwaysAsIdentity(),
    ...sellable,
    /** False for a service: it has no quantity, no alert and no part in the stock value. */
    isStocked: boolean().notNull().default(blankStock.is_stocked),
    unit: text().notNull().default(blankStock.unit),
    supplier: text().notNull().default(''),
    supplierContact: text().notNull().default(''),
    quantityMilli: milli().notNull().default(0),
    /** Reserved by open treatments, and derived from them (SYNC-10). */
    reservedMilli: milli().notNull().default(0),
    /** Reserved by hand, in addition. */
    heldMilli: milli().notNull().default(0),
    lowStockThresholdMilli: milli().notNull().default(0),
    costMinor: minor().notNull().default(0),
    /** Receipts name a lot, and use takes the lot that expires first. */
    tracksLots: boolean().notNull().default(blankStock.tracks_lots),
    /** The instant of the last count; older entries have no effect (SYNC-10). */
    countedAt: instant(),
    lastRestockedAt: instant(),
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
    ...sellable,
    description: text().notNull().default(''),
    priceMinor: minor().notNull(),
    ...writtenAt,
    xid: feedXid(),
  },
  (table) => [
    primaryKey({ columns: [table.clinicId, table.id] }),
    index().on(table.clinicId, table.xid, table.id),
    foreignKey({ columns: [table.clinicId, table.categoryId], foreignColumns: [categories.clinicId, categories.id] }),
  ],
);

/**
 * Prices and taxes that stock items and products had before; a trigger inserts them. A tablet that was offline still sells
 * at them.
 * No foreign keys: the trigger has the item's row.
 */
export const formerPrices = pgTable(
  'former_prices',
  {
    clinicId: clinicId(),
    id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    stockId: integer(),
    productId: integer(),
    priceMinor: minor().notNull(),
    tax: text().$type<TaxCode>().notNull().default(defaultTaxCode),
    /** When another price or tax took its place. */
    until: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.clinicId, table.id] }),
    index()
      .on(table.clinicId, table.stockId, table.until)
      .where(sql`stock_id is not null`),
    index()
      .on(table.clinicId, table.productId, table.until)
      .where(sql`product_id is not null`),
  ],
);

/**
 * The supplies that one unit of a product uses. The feed carries them within the product, so a change also updates the
 * product.
 */
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
 * The stock ledger (SYNC-10). `quantity_milli` is the requested change, signed, or the quantity of a count;
 * `effect_milli` is the effect on the level. The unique key lets an operation move an item once per line.
 *
 * No foreign keys: every sale writes here, and its item, user and device were read in the same transaction.
 */
export const stockTransactions = pgTable(
  'stock_transactions',
  {
    clinicId: clinicId(),
    id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    stockId: integer().notNull(),
    type: text().$type<StockTransactionType>().notNull(),
    status: text().$type<'completed' | 'pending'>().notNull().default('completed'),
    /** A count sets the quantity; every other row is a delta. */
    isCount: boolean().notNull().default(false),
    /** The unit of the item at that time: a later one counts anew. */
    unit: text().notNull().default(blankStock.unit),
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
    index('stock_transactions_of_item').on(table.clinicId, table.stockId, table.effectiveAt, table.id, table.type),
    // Lists all movements, and those of one kind, latest first; their sums are read from the index alone.
    index('stock_transactions_latest').on(table.clinicId, table.effectiveAt, table.id),
    index('stock_transactions_of_type').on(
      table.clinicId,
      table.type,
      table.effectiveAt,
      table.id,
      table.effectMilli,
      table.costMinor,
    ),
    // Usage carries the treatment's number.
    index('stock_transactions_of_number')
      .on(table.clinicId, table.notes.op('text_pattern_ops'))
      .where(sql`type = 'usage'`),
  ],
);

/**
 * The words of a movement's note, for search; usage is found by its treatment's number. This table acts as an index:
 * besides the word it contains the columns that a search filters and sorts by.
 */
export const stockNoteWords = pgTable(
  'stock_note_words',
  {
    clinicId: clinicId(),
    /** The entry of `stock_transactions`. */
    transactionId: bigint({ mode: 'number' }).notNull(),
    /** Normalised by `wordsOf`. */
    word: text().notNull(),
    type: text().$type<StockTransactionType>().notNull(),
    effectiveAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.clinicId, table.transactionId, table.word] }),
    index('stock_note_words_latest').on(
      table.clinicId,
      table.word.op('text_pattern_ops'),
      table.effectiveAt,
      table.transactionId,
      table.type,
    ),
  ],
);
