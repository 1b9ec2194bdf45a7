import { sql } from 'drizzle-orm';
import { date, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { ExpenseCategory, ExpenseStatus } from '../../../domain/expense/vocabulary.ts';
import { clinics } from './clinics.ts';
import { clinicId, instant, minor, writtenAt } from './columns.ts';

/** What the clinic spent, and who agreed to it. Deleted ones stay, because they were once counted. */
export const expenses = pgTable(
  'expenses',
  {
    clinicId: clinicId().references(() => clinics.id),
    id: integer().notNull().generatedAlwaysAsIdentity(),
    title: text().notNull(),
    description: text().notNull(),
    /** Title and description in the form in which they are searched. */
    searchKey: text().notNull(),
    amountMinor: minor().notNull(),
    category: text().$type<ExpenseCategory>().notNull(),
    expenseDate: date({ mode: 'string' }).notNull(),
    receiptUrl: text(),
    notes: text().notNull().default(''),
    /** The cash drawer that it was paid from. */
    drawerId: uuid(),
    status: text().$type<ExpenseStatus>().notNull().default('pending'),
    submittedBy: integer().notNull(),
    decidedBy: integer(),
    decidedAt: instant(),
    /** Why it was rejected, or what was remarked on its approval. */
    decisionNotes: text().notNull().default(''),
    deletedAt: instant(),
    ...writtenAt,
  },
  (table) => [
    primaryKey({ columns: [table.clinicId, table.id] }),
    // In the order of the list; the other filters are read off the index as well, so that counting touches no row.
    index()
      .on(table.clinicId, table.expenseDate, table.id, table.status, table.category)
      .where(sql`deleted_at is null`),
  ],
);
