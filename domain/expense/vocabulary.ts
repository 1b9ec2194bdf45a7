/** The enumerations of expenses. */

export const expenseCategories = [
  'utilities',
  'rent',
  'salaries',
  'supplies',
  'maintenance',
  'marketing',
  'transportation',
  'equipment',
  'food_ingredients',
  'other',
] as const;
export type ExpenseCategory = (typeof expenseCategories)[number];
export const defaultExpenseCategory: ExpenseCategory = 'other';

/** `approved` and `rejected` are final. */
export const expenseStatuses = ['pending', 'approved', 'rejected'] as const;
export type ExpenseStatus = (typeof expenseStatuses)[number];

/** What the list of expenses is sorted by. */
export const expenseSorts = ['expense_date', 'title', 'amount', 'category', 'status'] as const;
export type ExpenseSort = (typeof expenseSorts)[number];
