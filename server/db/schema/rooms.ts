/** Rooms. Occupation by treatments is derived from the orders. */
import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { clinics } from './clinics.ts';
import { clinicId, feedXid, instant, writtenAt } from './columns.ts';

export const rooms = pgTable(
  'rooms',
  {
    clinicId: clinicId().references(() => clinics.id),
    id: integer().notNull().generatedAlwaysAsIdentity(),
    number: text().notNull(),
    capacity: integer().notNull(),
    location: text().notNull().default(''),
    /** Occupied by hand. */
    isOccupied: boolean().notNull().default(false),
    deletedAt: instant(),
    ...writtenAt,
    xid: feedXid(),
  },
  (table) => [
    primaryKey({ columns: [table.clinicId, table.id] }),
    index().on(table.clinicId, table.xid, table.id),
    uniqueIndex()
      .on(table.clinicId, table.number)
      .where(sql`deleted_at is null`),
  ],
);
