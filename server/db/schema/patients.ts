import { sql } from 'drizzle-orm';
import { bigint, index, integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { Recipient } from '#domain/tax/document.ts';
import { clinics } from './clinics.ts';
import { clinicId, feedXid, instant } from './columns.ts';

/** The time of the last update of a field; the beginning of 1970 before the first. */
const stated = () =>
  instant()
    .notNull()
    .default(sql`to_timestamp(0)`);

/** Patients. The tablet that meets a patient first creates the row, also offline. */
export const patients = pgTable(
  'patients',
  {
    clinicId: clinicId().references(() => clinics.id),
    id: uuid().notNull(),
    name: text().notNull(),
    /** The place of the last update (`domain/fact-order.ts`); of two updates the later one wins. */
    nameAt: instant().notNull(),
    nameDeviceId: integer().notNull().default(0),
    nameDeviceSeq: bigint({ mode: 'number' }).notNull().default(0),
    /** The search key of the name. */
    searchKey: text().notNull(),
    phone: text().notNull().default(''),
    phoneAt: instant().notNull(),
    phoneDeviceId: integer().notNull().default(0),
    phoneDeviceSeq: bigint({ mode: 'number' }).notNull().default(0),
    /** The digits of the phone number. */
    phoneKey: text().notNull().default(''),
    email: text().notNull().default(''),
    emailAt: stated(),
    emailDeviceId: integer().notNull().default(0),
    emailDeviceSeq: bigint({ mode: 'number' }).notNull().default(0),
    /** Notes for the counter. */
    notes: text().notNull().default(''),
    notesAt: stated(),
    notesDeviceId: integer().notNull().default(0),
    notesDeviceSeq: bigint({ mode: 'number' }).notNull().default(0),
    /** Who receives full invoices: entered with the patient, or with the last of them. */
    recipient: jsonb().$type<Recipient>(),
    recipientAt: stated(),
    recipientDeviceId: integer().notNull().default(0),
    recipientDeviceSeq: bigint({ mode: 'number' }).notNull().default(0),
    /** The search keys of e-mail address and recipient, each after a space. */
    detailsKey: text().notNull().default(''),
    /** The time of the erasure, after which all else is empty; null for others. */
    erasedAt: instant(),
    xid: feedXid(),
  },
  (table) => [
    primaryKey({ columns: [table.clinicId, table.id] }),
    index().on(table.clinicId, table.xid, table.id),
    index().on(table.clinicId, table.searchKey, table.id),
  ],
);

/**
 * Erased patients, by id alone. Operations that arrive later, and a restored backup, are erased by it too.
 */
export const patientErasures = pgTable(
  'patient_erasures',
  {
    clinicId: clinicId().references(() => clinics.id),
    patientId: uuid().notNull(),
    erasedAt: instant().notNull(),
    /** Null when the retention period ended. */
    erasedBy: integer(),
    /** Does not name the patient. */
    reason: text().notNull().default(''),
  },
  (table) => [primaryKey({ columns: [table.clinicId, table.patientId] })],
);

/** Patients whose retention period has ended, by id alone, with the time at which that was first said to a manager. */
export const retentionNotices = pgTable(
  'retention_notices',
  {
    clinicId: clinicId().references(() => clinics.id),
    patientId: uuid().notNull(),
    saidAt: instant().notNull(),
  },
  (table) => [primaryKey({ columns: [table.clinicId, table.patientId] })],
);
