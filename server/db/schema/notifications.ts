/** Emails: one row per clinic, kind and day for those after a business day, and what happened to the system. */
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

const systemEventKinds = ['version', 'migration', 'backup_failed'] as const;
export type SystemEventKind = (typeof systemEventKinds)[number];

export const systemEvents = pgTable(
  'system_events',
  {
    clinicId: clinicId().references(() => clinics.id),
    kind: text().$type<SystemEventKind>().notNull(),
    /** Version, number of migrations or night: the same event of several processes is one row. */
    reference: text().notNull(),
    occurredAt: instant().notNull(),
    attempts: integer().notNull().default(0),
    /** The earliest time of the next attempt to send it; null once it is sent, or when nobody needs to know it. */
    nextAt: instant(),
  },
  (table) => [primaryKey({ columns: [table.clinicId, table.kind, table.reference] })],
);
