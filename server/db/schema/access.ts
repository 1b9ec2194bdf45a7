import { sql } from 'drizzle-orm';
import {
  bigint,
  foreignKey,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import { blankStaff } from '#domain/staff/decisions.ts';
import type { Role, UserStatus } from '#domain/staff/roles.ts';
import { clinics, devices } from './clinics.ts';
import { bytes, clinicId, instant, writtenAt } from './columns.ts';

export const users = pgTable(
  'users',
  {
    clinicId: clinicId().references(() => clinics.id),
    id: integer().notNull().generatedAlwaysAsIdentity(),
    name: text().notNull(),
    /** Lower case. */
    email: text().notNull(),
    phone: text(),
    passwordHash: text().notNull(),
    role: text().$type<Role>().notNull(),
    status: text().$type<UserStatus>().notNull().default(blankStaff.status),
    deactivatedAt: instant(),
    deletedAt: instant(),
    ...writtenAt,
  },
  (table) => [
    primaryKey({ columns: [table.clinicId, table.id] }),
    // Sign-in does not know the clinic: it probes this index once per clinic instead of needing one led by the email.
    uniqueIndex()
      .on(table.clinicId, table.email)
      .where(sql`deleted_at is null`),
  ],
);

/** Issued tokens, one row each. Rows stay: a drawer waits for the devices that had a session in its time. */
export const sessions = pgTable(
  'sessions',
  {
    clinicId: clinicId(),
    jti: uuid().notNull(),
    /** Names the session in lists, because the `jti` is part of the token. */
    id: integer().notNull().generatedAlwaysAsIdentity(),
    userId: integer().notNull(),
    deviceId: integer(),
    createdAt: writtenAt.createdAt,
    expiresAt: instant().notNull(),
    lastSeenAt: instant(),
    endedAt: instant(),
    /** The unlock that page tokens name, and until when the session counts as unlocked; null after a lock. */
    unlockId: uuid(),
    unlockedUntil: instant(),
    /** When the actor key of the session ended, because somebody ended the session from elsewhere. */
    keyEndedAt: instant(),
    /** The number of device codes that this session was granted. */
    codesGranted: integer().notNull().default(0),
  },
  (table) => [
    primaryKey({ columns: [table.clinicId, table.jti] }),
    uniqueIndex().on(table.clinicId, table.id),
    index().on(table.clinicId, table.expiresAt),
    index().on(table.clinicId, table.userId),
    index().on(table.clinicId, table.deviceId, table.userId),
    foreignKey({ columns: [table.clinicId, table.userId], foreignColumns: [users.clinicId, users.id] }),
    foreignKey({ columns: [table.clinicId, table.deviceId], foreignColumns: [devices.clinicId, devices.id] }),
  ],
);

/** Passkeys, by which people sign in at enrolled devices. A new password, a deactivation and a restore end them. */
export const passkeys = pgTable(
  'passkeys',
  {
    clinicId: clinicId(),
    id: integer().notNull().generatedAlwaysAsIdentity(),
    userId: integer().notNull(),
    credentialId: bytes().notNull(),
    /** SPKI in DER. */
    publicKey: bytes().notNull(),
    /** The origin for which the authenticator made the key. */
    origin: text().notNull(),
    /** The authenticator's own count, which grows unless it is always 0. A copy of an authenticator falls behind. */
    signatures: bigint({ mode: 'number' }).notNull(),
    /** When the challenge was made that it answered last. It answers no older one, nor that one again. */
    challengedAt: instant().notNull(),
    createdAt: writtenAt.createdAt,
  },
  (table) => [
    primaryKey({ columns: [table.clinicId, table.id] }),
    uniqueIndex().on(table.clinicId, table.credentialId),
    index().on(table.clinicId, table.userId),
    foreignKey({ columns: [table.clinicId, table.userId], foreignColumns: [users.clinicId, users.id] }),
  ],
);

/** The audit log. A trigger refuses updates and deletes. It contains no patient text. */
export const auditLog = pgTable(
  'audit_log',
  {
    clinicId: clinicId(),
    id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    at: instant()
      .notNull()
      .default(sql`now()`),
    userId: integer(),
    deviceId: integer(),
    /** Whose session sent the operation, when it was somebody else's. */
    uploadedBy: integer(),
    /** The names at that time; null where there is no such person. */
    userName: text(),
    uploaderName: text(),
    /** The name of the person that the entry is about. */
    subjectName: text(),
    action: text().notNull(),
    subject: text().notNull().default(''),
    details: jsonb().$type<Record<string, string | number>>().notNull().default({}),
  },
  (table) => [primaryKey({ columns: [table.clinicId, table.id] }), index().on(table.clinicId, table.at)],
);
