import { index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { clinics } from './clinics.ts';
import { clinicId, feedXid, instant } from './columns.ts';

/** Who is treated: made by the tablet that met them first, so that it can be done without a network. */
export const patients = pgTable(
  'patients',
  {
    clinicId: clinicId().references(() => clinics.id),
    id: uuid().notNull(),
    name: text().notNull(),
    /** When the name was said, and below when the phone number was: the later word stands. */
    nameAt: instant().notNull(),
    /** The words of the name in their normal form. */
    searchKey: text().notNull(),
    phone: text().notNull().default(''),
    phoneAt: instant().notNull(),
    /** The digits of the phone number alone. */
    phoneKey: text().notNull().default(''),
    xid: feedXid(),
  },
  (table) => [
    primaryKey({ columns: [table.clinicId, table.id] }),
    index().on(table.clinicId, table.xid, table.id),
    index().on(table.clinicId, table.searchKey, table.id),
  ],
);
