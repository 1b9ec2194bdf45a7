import { customType, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { UploadPurpose } from '../../../domain/uploads.ts';
import { clinics } from './clinics.ts';
import { clinicId, writtenAt } from './columns.ts';

const bytes = customType<{ data: Buffer; driverData: Buffer }>({ dataType: () => 'bytea' });

/** Pictures and receipts, in the database like everything else, so that one backup holds them and processes stay stateless. */
export const uploads = pgTable(
  'uploads',
  {
    clinicId: clinicId().references(() => clinics.id),
    /** Random, and part of the address: who does not know it cannot guess it. */
    id: uuid().notNull().defaultRandom(),
    /** A picture shows at the counter and is served to whoever knows its address; a receipt only to whom the server allows. */
    purpose: text().$type<UploadPurpose>().notNull(),
    mediaType: text().notNull(),
    content: bytes().notNull(),
    size: integer().notNull(),
    uploadedBy: integer().notNull(),
    createdAt: writtenAt.createdAt,
  },
  (table) => [primaryKey({ columns: [table.clinicId, table.id] }), index().on(table.clinicId, table.createdAt)],
);
