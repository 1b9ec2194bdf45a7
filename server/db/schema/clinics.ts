/**
 * Every row belongs to a clinic, and the clinic leads every key and index, so that clinics can neither see nor slow each
 * other and the tables can be distributed by clinic. Only `clinics`, `installation` and `guesses` stand above that.
 */
import { sql } from 'drizzle-orm';
import {
  bigint,
  boolean,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core';
import type { ClinicSettings } from '../../../domain/settings/settings.ts';
import { clinicId, feedXid, instant, writtenAt } from './columns.ts';

/** What belongs to the installation rather than to a clinic. One row at most. */
export const installation = pgTable('installation', {
  only: boolean().primaryKey().default(true),
  /** Signs session tokens where several processes share this database and no data folder. */
  tokenSecret: text().notNull(),
});

export const clinics = pgTable('clinics', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  name: text().notNull(),
  /** Renewed by a restore, so that tablets notice (SYNC-16). */
  epoch: uuid().notNull().defaultRandom(),
  /** How many device codes were granted; the next device gets the code of this number (SYNC-12). */
  nextDevice: integer().notNull().default(0),
  /** How many purchase orders were numbered. */
  purchaseOrders: integer().notNull().default(0),
  createdAt: writtenAt.createdAt,
});

export const settings = pgTable('settings', {
  clinicId: integer()
    .primaryKey()
    .references(() => clinics.id),
  data: jsonb().$type<ClinicSettings>().notNull(),
  updatedAt: writtenAt.updatedAt,
  xid: feedXid(),
});

export const devices = pgTable(
  'devices',
  {
    clinicId: clinicId().references(() => clinics.id),
    id: integer().notNull().generatedAlwaysAsIdentity(),
    /** SHA-256 of the device's 256-bit key; null for the server's own device, which nobody can claim. */
    keyHash: text(),
    name: text().notNull().default(''),
    /** The code under which it numbers now; earlier ones stay in `device_codes`. */
    code: text().notNull(),
    /** The highest operation sequence seen from it. */
    lastSeq: bigint({ mode: 'number' }).notNull().default(0),
    createdAt: writtenAt.createdAt,
    lastSeenAt: instant(),
    /** How many operations waited on it at its last report, and when it last reported that none did. */
    waiting: integer().notNull().default(0),
    clearedAt: instant(),
  },
  (table) => [primaryKey({ columns: [table.clinicId, table.id] })],
);

/** Every code ever granted, and how many numbers of each series were seen under it (SYNC-12). A code is never reused. */
export const deviceCodes = pgTable(
  'device_codes',
  {
    clinicId: clinicId(),
    code: text().notNull(),
    deviceId: integer().notNull(),
    treatment: integer().notNull().default(0),
    invoice: integer().notNull().default(0),
    creditNote: integer().notNull().default(0),
    grantedAt: instant()
      .notNull()
      .default(sql`now()`),
  },
  (table) => [
    primaryKey({ columns: [table.clinicId, table.code] }),
    index().on(table.clinicId, table.deviceId),
    foreignKey({ columns: [table.clinicId, table.deviceId], foreignColumns: [devices.clinicId, devices.id] }),
  ],
);
