/** What was sent by mail: one row per clinic, kind and day, which says whether it still is to be sent. */
import { date, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';
import { clinics } from './clinics.ts';
import { clinicId, instant } from './columns.ts';

export const emailKinds = ['day_end', 'low_stock', 'attention'] as const;
export type EmailKind = (typeof emailKinds)[number];

export const letters = pgTable(
  'letters',
  {
    clinicId: clinicId().references(() => clinics.id),
    kind: text().$type<EmailKind>().notNull(),
    /** The business day that it is about. */
    day: date({ mode: 'string' }).notNull(),
    /** `empty`: there was nothing to say. */
    status: text().$type<'due' | 'sent' | 'empty'>().notNull().default('due'),
    attempts: integer().notNull().default(0),
    /** Not before this time. */
    nextAt: instant().notNull(),
    settledAt: instant(),
  },
  (table) => [primaryKey({ columns: [table.clinicId, table.kind, table.day] })],
);
