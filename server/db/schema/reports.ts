/**
 * Stored totals of finished days. They are derived from treatments, payments and lines and may be deleted at any time:
 * the next reader stores them again.
 */
import {
  bigint,
  date,
  doublePrecision,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import type { OrderStatus, OrderType } from '#domain/order/vocabulary.ts';
import type { CountedDay } from '#domain/report/totals.ts';
import { clinicId } from './columns.ts';

const day = () => date({ mode: 'string' }).notNull();
/** A sum of amounts, which no number of treatments makes too large for its column. */
const sum = () => numeric({ mode: 'number' }).notNull();

/** The counts and sums of a group of treatments. */
const sums = () => ({
  orders: integer().notNull(),
  totalMinor: sum(),
  /** The payments without refunds deducted. */
  paidMinor: sum(),
  refundedMinor: sum(),
});

/** The same as doubles, which add up exactly to 2^53. */
const doubles = () => ({
  orders: integer().notNull(),
  totalMinor: doublePrecision().notNull(),
  paidMinor: doublePrecision().notNull(),
  refundedMinor: doublePrecision().notNull(),
});

export const dayFigures = pgTable(
  'day_figures',
  { clinicId: clinicId(), day: day(), figures: jsonb().$type<CountedDay['totals']>().notNull() },
  (table) => [primaryKey({ columns: [table.clinicId, table.day] })],
);

/** Counts and sums of a day's treatments by type, status and currency. */
export const dayOrders = pgTable(
  'day_orders',
  {
    clinicId: clinicId(),
    day: day(),
    type: text().$type<OrderType>().notNull(),
    status: text().$type<OrderStatus>().notNull(),
    currency: text().notNull(),
    ...sums(),
  },
  (table) => [primaryKey({ columns: [table.clinicId, table.day, table.type, table.status, table.currency] })],
);

/** What treatments of the same services have in common: a search finds a treatment once, whichever of its services match. */
const soldTogether = () => ({
  type: text().$type<OrderType>().notNull(),
  status: text().$type<OrderStatus>().notNull(),
  currency: text().notNull(),
  /** The distinct services: ids of stock items, and those of products as negative numbers; ascending. */
  items: integer().array().notNull(),
  ...doubles(),
});

/** A day's treatments by type, status, currency and the services sold. */
export const dayItems = pgTable('day_items', { clinicId: clinicId(), day: day(), ...soldTogether() }, (table) => [
  index().on(table.clinicId, table.day),
]);

/** The first days of the months whose totals are stored. */
export const storedMonths = pgTable('stored_months', { clinicId: clinicId(), month: day() }, (table) => [
  primaryKey({ columns: [table.clinicId, table.month] }),
]);

/** A month's treatments by type, status, currency and the services sold. */
export const monthItems = pgTable('month_items', { clinicId: clinicId(), month: day(), ...soldTogether() }, (table) => [
  index().on(table.clinicId, table.month),
]);

/** A month's treatments by type, status, currency and amount. */
export const monthAmounts = pgTable(
  'month_amounts',
  {
    clinicId: clinicId(),
    month: day(),
    type: text().$type<OrderType>().notNull(),
    status: text().$type<OrderStatus>().notNull(),
    currency: text().notNull(),
    amountMinor: bigint({ mode: 'number' }).notNull(),
    ...doubles(),
  },
  (table) => [
    primaryKey({
      name: 'month_amounts_pk',
      columns: [table.clinicId, table.month, table.type, table.status, table.currency, table.amountMinor],
    }),
  ],
);

/**
 * Days whose stored totals a late fact has invalidated. Triggers insert a row per change, so writers never wait for
 * each other; the next count of a day deletes the rows that it saw.
 */
export const staleDays = pgTable(
  'stale_days',
  {
    clinicId: clinicId(),
    day: day(),
    id: uuid().notNull().defaultRandom(),
  },
  (table) => [primaryKey({ columns: [table.clinicId, table.day, table.id] })],
);
