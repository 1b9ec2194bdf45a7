import { index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';

/** Failed guesses of passwords. They belong to no clinic, because the guesser has not signed in to one. */
export const guesses = pgTable(
  'guesses',
  {
    /** An account or an address as a keyed hash, because people may type anything into the email field. */
    who: text().primaryKey(),
    failures: integer().notNull(),
    lastAt: instant().notNull(),
  },
  (table) => [index().on(table.lastAt)],
);
