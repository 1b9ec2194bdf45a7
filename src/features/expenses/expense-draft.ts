/** What the form of an expense holds, and what of it is sent. */
import type { ExpenseResource, ExpenseDraft, NewExpense } from '../../../domain/expense/resources.ts';
import { defaultExpenseCategory } from '../../../domain/expense/vocabulary.ts';

export interface ExpenseFields extends NewExpense {
  /** A receipt that was chosen and is not uploaded yet. */
  receipt: File | null;
  /**
   * What was sent last, and under which key. It belongs to the draft, because an answer may be lost with the page that
   * waited for it: the same, sent again under its key, makes one expense.
   */
  sent: { body: string; key: string } | null;
}

/** @param today the clinic's business day */
export const blankExpense = (today: string): ExpenseFields => ({
  title: '',
  description: '',
  amount: 0,
  category: defaultExpenseCategory,
  expense_date: today,
  receipt_url: null,
  notes: '',
  paid_from_drawer: false,
  drawer_id: null,
  receipt: null,
  sent: null,
});

export function fieldsOf({
  title,
  description,
  amount,
  category,
  expense_date,
  receipt_url,
  notes,
  paid_from_drawer,
}: ExpenseResource): ExpenseFields {
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
    sent: null,
  };
}

export function bodyOf({ receipt: _receipt, sent: _sent, ...draft }: ExpenseFields): NewExpense {
  return draft;
}

/** Whether it was paid from the drawer is said once, when it is written down. */
export function changeOf(fields: ExpenseFields): ExpenseDraft {
  const { paid_from_drawer: _paid, drawer_id: _drawer, ...draft } = bodyOf(fields);
  return draft;
}
