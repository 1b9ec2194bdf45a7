/**
 * What reports keep of finished days. All of it follows from treatments, payments and lines, and may be emptied at any time: it
 * is then made again by whoever reads next.
 */
import { bigint, date, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { OrderStatus, OrderType } from '../../../domain/order/vocabulary.ts';
import type { DailyTotals } from '../../../domain/report/totals.ts';
import { clinicId, minor } from './columns.ts';

const day = () => date({ mode: 'string' }).notNull();
const minorsUpTo = () => bigint({ mode: 'number' }).array().notNull();

export const dayFigures = pgTable(
  'day_figures',
  { clinicId: clinicId(), day: day(), figures: jsonb().$type<DailyTotals>().notNull() },
  (table) => [primaryKey({ columns: [table.clinicId, table.day] })],
);

/** The day's treatments counted and summed, as a preview of many days needs them. */
export const dayOrders = pgTable(
  'day_orders',
  {
    clinicId: clinicId(),
    day: day(),
    type: text().$type<OrderType>().notNull(),
    status: text().$type<OrderStatus>().notNull(),
    orders: integer().notNull(),
    totalMinor: minor().notNull(),
    /** All that was ever paid for them, what was given back not taken off. */
    paidMinor: minor().notNull(),
    refundedMinor: minor().notNull(),
  },
  (table) => [primaryKey({ columns: [table.clinicId, table.day, table.type, table.status] })],
);

/**
 * The day's treatments by amount, for sums between any two amounts: each amount that occurs, ascending, and beside it all
 * treatments of up to that amount counted and summed.
 */
export const dayAmounts = pgTable(
  'day_amounts',
  {
    clinicId: clinicId(),
    day: day(),
    amountsMinor: minorsUpTo(),
    orders: integer().array().notNull(),
    totalsMinor: minorsUpTo(),
    /** As `day_orders` has it: what was given back not taken off. */
    paidMinor: minorsUpTo(),
    refundedMinor: minorsUpTo(),
  },
  (table) => [primaryKey({ columns: [table.clinicId, table.day] })],
);

/**
 * Days that a late fact touched: what is kept of them no longer holds. Triggers write these, each change its own, so that
 * writers never wait for each other; whoever makes a day again removes those that it saw.
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
