import type { ExpenseResource } from './resources.ts';

/** What a screen shows of an expense, on which a change or a decision rests. */
export const expenseSeen = [
  'title',
  'description',
  'amount',
  'category',
  'expense_date',
  'receipt_url',
  'notes',
  'paid_from_drawer',
  'status',
] as const satisfies readonly (keyof ExpenseResource)[];
