/** Form state of an expense and the request bodies made from it. */
import type { ExpenseResource, ExpenseDraft, NewExpense } from '#domain/expense/resources.ts';
import { blankExpense } from '#domain/expense/rules.ts';

export interface ExpenseFormDraft extends NewExpense {
  /** A chosen receipt that is not uploaded yet. */
  receipt: File | null;
}

/** @param today the clinic's business day */
export const blankForm = (today: string): ExpenseFormDraft => ({
  ...blankExpense(today),
  receipt: null,
});

export function draftOf({
  title,
  description,
  amount,
  category,
  expense_date,
  receipt_url,
  notes,
  paid_from_drawer,
}: ExpenseResource): ExpenseFormDraft {
  return {
    title,
    description,
    amount,
    category,
    expense_date,
    receipt_url,
    notes,
    paid_from_drawer,
    drawer_id: null,
    receipt: null,
  };
}

export function createBody({ receipt: _receipt, ...draft }: ExpenseFormDraft): NewExpense {
  return draft;
}

/** Leaves out the drawer fields, which can only be set when the expense is created. */
export function updateBody(form: ExpenseFormDraft): ExpenseDraft {
  const { paid_from_drawer: _paid, drawer_id: _drawer, ...draft } = createBody(form);
  return draft;
}
