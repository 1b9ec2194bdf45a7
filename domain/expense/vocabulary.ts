/** The closed vocabularies of expenses. */

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

/** `pending` waits for a decision; `approved` and `rejected` are decided and stay so. */
export const expenseStatuses = ['pending', 'approved', 'rejected'] as const;
export type ExpenseStatus = (typeof expenseStatuses)[number];
