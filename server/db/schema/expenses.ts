import { sql } from 'drizzle-orm';
import { date, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import type { ExpenseCategory, ExpenseStatus } from '#domain/expense/vocabulary.ts';
import { clinics } from './clinics.ts';
import { clinicId, instant, minor, writtenAt } from './columns.ts';

/** Expenses and their decisions. Deleted rows stay, because earlier totals include them. */
export const expenses = pgTable(
  'expenses',
  {
    clinicId: clinicId().references(() => clinics.id),
    id: integer().notNull().generatedAlwaysAsIdentity(),
    title: text().notNull(),
    description: text().notNull(),
    /** The search key of title and description. */
    searchKey: text().notNull(),
    amountMinor: minor().notNull(),
    category: text().$type<ExpenseCategory>().notNull(),
    expenseDate: date({ mode: 'string' }).notNull(),
    receiptUrl: text(),
    notes: text().notNull().default(''),
    /** The cash drawer that paid the expense. */
    drawerId: uuid(),
    status: text().$type<ExpenseStatus>().notNull().default('pending'),
    submittedBy: integer().notNull(),
    decidedBy: integer(),
    decidedAt: instant(),
    /** The reason of a rejection, or the notes of an approval. */
    decisionNotes: text().notNull().default(''),
    deletedAt: instant(),
    ...writtenAt,
  },
  (table) => [
    primaryKey({ columns: [table.clinicId, table.id] }),
    // The order of the list. The index also contains the filtered columns, so counting reads no row.
    index()
      .on(table.clinicId, table.expenseDate, table.id, table.status, table.category)
      .where(sql`deleted_at is null`),
  ],
);
