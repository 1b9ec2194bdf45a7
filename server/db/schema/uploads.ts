import { index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { UploadPurpose } from '#domain/uploads.ts';
import { clinics } from './clinics.ts';
import { bytes, clinicId, writtenAt } from './columns.ts';

/**
 * Pictures and receipts. They are stored in the database, so that one backup contains them and processes stay
 * stateless.
 */
export const uploads = pgTable(
  'uploads',
  {
    clinicId: clinicId().references(() => clinics.id),
    /** Random and part of the address, so nobody can guess the address. */
    id: uuid().notNull().defaultRandom(),
    /** Anybody who knows its address may read a picture; a receipt needs permission. */
    purpose: text().$type<UploadPurpose>().notNull(),
    mediaType: text().notNull(),
    content: bytes().notNull(),
    size: integer().notNull(),
    uploadedBy: integer().notNull(),
    createdAt: writtenAt.createdAt,
  },
  (table) => [primaryKey({ columns: [table.clinicId, table.id] }), index().on(table.clinicId, table.createdAt)],
);
