/** Emails after a business day: one row per clinic, kind and day with its status. */
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
    /** The business day that the email reports. */
    day: date({ mode: 'string' }).notNull(),
    /** `empty`: there was nothing to report. */
    status: text().$type<'due' | 'sent' | 'empty'>().notNull().default('due'),
    attempts: integer().notNull().default(0),
    /** The earliest time of the next attempt. */
    nextAt: instant().notNull(),
    settledAt: instant(),
  },
  (table) => [primaryKey({ columns: [table.clinicId, table.kind, table.day] })],
);
