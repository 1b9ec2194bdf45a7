/**
 * Cash drawers: opened with a float, changed by movements, closed with a count. Payments are assigned by their time.
 */
import { foreignKey, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { ByMethod } from '#domain/drawer/drawer.ts';
import { clinics } from './clinics.ts';
import { clinicId, feedXid, instant, minor } from './columns.ts';

export const drawers = pgTable(
  'drawers',
  {
    clinicId: clinicId().references(() => clinics.id),
    id: uuid().notNull(),
    openedAt: instant().notNull(),
    openedBy: integer().notNull(),
    deviceId: integer().notNull(),
    currency: text().notNull(),
    floatMinor: minor().notNull(),
    closedAt: instant(),
    closedBy: integer(),
    /** The counted amounts by method, in minor units. */
    counted: jsonb().$type<ByMethod>(),
    notes: text().notNull().default(''),
    xid: feedXid(),
  },
  (table) => [
    primaryKey({ columns: [table.clinicId, table.id] }),
    index().on(table.clinicId, table.xid, table.id),
    index().on(table.clinicId, table.openedAt),
    index().on(table.clinicId, table.closedAt),
  ],
);

/** Money put into a drawer or taken out of it. */
export const drawerMovements = pgTable(
  'drawer_movements',
  {
    clinicId: clinicId(),
    /** The operation that made the movement; unique, so it makes only one. */
    opId: uuid().notNull(),
    drawerId: uuid().notNull(),
    /** Negative when taken out. */
    amountMinor: minor().notNull(),
    reason: text().notNull(),
    actorId: integer().notNull(),
    effectiveAt: instant().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.clinicId, table.opId] }),
    index().on(table.clinicId, table.drawerId),
    foreignKey({ columns: [table.clinicId, table.drawerId], foreignColumns: [drawers.clinicId, drawers.id] }),
  ],
);
