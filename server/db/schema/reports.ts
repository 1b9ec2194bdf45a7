/**
 * Stored totals of finished days. They are derived from treatments, payments and lines and may be deleted at any time:
 * the next reader stores them again.
 */
import { bigint, date, integer, jsonb, numeric, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { OrderStatus, OrderType } from '../../../domain/order/vocabulary.ts';
import type { DailyTotals } from '../../../domain/report/totals.ts';
import { clinicId } from './columns.ts';

const day = () => date({ mode: 'string' }).notNull();
const minors = () => bigint({ mode: 'number' }).array().notNull();

/** A sum of amounts, which no number of treatments makes too large for its column. */
const sum = () => numeric({ mode: 'number' }).notNull();
const sumsUpTo = () => numeric({ mode: 'number' }).array().notNull();

export const dayFigures = pgTable(
  'day_figures',
  { clinicId: clinicId(), day: day(), figures: jsonb().$type<DailyTotals>().notNull() },
  (table) => [primaryKey({ columns: [table.clinicId, table.day] })],
);

/** Counts and sums of a day's treatments by type and status. */
export const dayOrders = pgTable(
  'day_orders',
  {
    clinicId: clinicId(),
    day: day(),
    type: text().$type<OrderType>().notNull(),
    status: text().$type<OrderStatus>().notNull(),
    orders: integer().notNull(),
    totalMinor: sum(),
    /** The payments without refunds deducted. */
    paidMinor: sum(),
    refundedMinor: sum(),
  },
  (table) => [primaryKey({ columns: [table.clinicId, table.day, table.type, table.status] })],
);

/**
 * Cumulative counts and sums of a day's treatments by amount, for sums between any two amounts: one element for each
 * occurring amount, ascending.
 */
export const dayAmounts = pgTable(
  'day_amounts',
  {
    clinicId: clinicId(),
    day: day(),
    amountsMinor: minors(),
    orders: integer().array().notNull(),
    totalsMinor: sumsUpTo(),
    /** The payments without refunds deducted. */
    paidMinor: sumsUpTo(),
    refundedMinor: sumsUpTo(),
  },
  (table) => [primaryKey({ columns: [table.clinicId, table.day] })],
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
