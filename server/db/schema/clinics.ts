/**
 * Every row belongs to a clinic, and `clinic_id` leads every key and index, so that clinics can neither see nor slow
 * each other and the tables can be distributed by clinic. Only `clinics`, `installation`,
 * `home_cluster`, `guesses`, `fiscal_senders`, `fiscal_inquiries`, `taxpayer_codes` and `forgotten_prefixes` have no clinic.
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
import type { ClinicSettings } from '#domain/settings/settings.ts';
import { bytes, clinicId, feedXid, instant, writtenAt } from './columns.ts';

/** Data of the installation rather than of a clinic; at most one row. */
export const installation = pgTable('installation', {
  only: boolean().primaryKey().default(true),
  /** Signs session tokens where several processes share the database without a common data folder. */
  tokenSecret: text().notNull(),
});

/** The PostgreSQL cluster in which the data were last at home; at most one row (`db/home-cluster.ts`). */
export const homeCluster = pgTable('home_cluster', {
  only: boolean().primaryKey().default(true),
  /** Null where the role may not ask for it. */
  systemIdentifier: text(),
  databaseOid: bigint({ mode: 'number' }).notNull(),
  /** Of this table: it survives an upgrade in place, and no dump. */
  tableOid: bigint({ mode: 'number' }).notNull(),
});

export const clinics = pgTable('clinics', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  name: text().notNull(),
  /** A restore renews it, and tablets notice (SYNC-16). */
  epoch: uuid().notNull().defaultRandom(),
  /** 32 random bytes, from which the actor keys of users on devices are derived (SYNC-8). A backup contains it. */
  actorKeySecret: bytes()
    .notNull()
    .default(sql`sha256((gen_random_uuid()::text || gen_random_uuid()::text)::bytea)`),
  /** The number of granted device codes; the next device gets the code of this number (SYNC-12). */
  nextDevice: integer().notNull().default(0),
  /** The number of purchase orders. */
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
    /** The current code; earlier ones stay in `device_codes`. */
    code: text().notNull(),
    /** The highest operation sequence received from the device. */
    lastSeq: bigint({ mode: 'number' }).notNull().default(0),
    createdAt: writtenAt.createdAt,
    lastSeenAt: instant(),
    /** The number of unsent operations at the last report; `cleared_at` is the last report of none. */
    waiting: integer().notNull().default(0),
    clearedAt: instant(),
    /** Its sessions and keys end here, and a person must approve its operations. It stays revoked. */
    revokedAt: instant(),
    revokedBy: integer(),
    revokedReason: text(),
    /** The browser that last introduced itself as this device, by `browserName`. */
    browser: text().notNull().default(''),
    /** When a manager asked it to lock. The device locks at its next contact, once for each such time. */
    lockAskedAt: instant(),
  },
  (table) => [primaryKey({ columns: [table.clinicId, table.id] })],
);

/** The codes of each taxpayer: one sequence for all clinics, so that no two of them number alike (SYNC-12). */
export const taxpayerCodes = pgTable('taxpayer_codes', {
  taxId: text().primaryKey(),
  /** The random letters with which the codes begin; null until the next grant draws them. */
  prefix: text(),
  /** The number of granted codes. It also counts on under a new prefix. */
  granted: integer().notNull().default(0),
});

/** The letters of codes that a restore made the installation forget: it granted them after the backup. */
export const forgottenPrefixes = pgTable(
  'forgotten_prefixes',
  { taxId: text().notNull(), prefix: text().notNull() },
  (table) => [primaryKey({ columns: [table.taxId, table.prefix] })],
);

/** Every granted code, with the highest number of each series seen under it (SYNC-12). A code is never reused. */
export const deviceCodes = pgTable(
  'device_codes',
  {
    clinicId: clinicId(),
    code: text().notNull(),
    deviceId: integer().notNull(),
    treatment: integer().notNull().default(0),
    invoice: integer().notNull().default(0),
    creditNote: integer().notNull().default(0),
    fullInvoice: integer().notNull().default(0),
    fullCreditNote: integer().notNull().default(0),
    grantedAt: instant()
      .notNull()
      .default(sql`now()`),
    /** When the code lost its use: its device gets another at the next contact. */
    retiredAt: instant(),
    /** The taxpayer among all of whose clinics the code is unique; null for a code that is unique in its clinic only. */
    taxId: text(),
  },
  (table) => [
    primaryKey({ columns: [table.clinicId, table.code] }),
    index().on(table.clinicId, table.deviceId),
    foreignKey({ columns: [table.clinicId, table.deviceId], foreignColumns: [devices.clinicId, devices.id] }),
  ],
);
