import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';

/** Failed attempts at a password, for as long as they count. They stand above the clinics: whoever guesses has not signed in to one. */
export const guesses = pgTable(
  'guesses',
  {
    /** An account or an address, sealed: what somebody typed for an email may be anything. */
    who: text().primaryKey(),
    failures: integer().notNull(),
    lastAt: instant().notNull(),
  },
  (table) => [index().on(table.lastAt)],
);
