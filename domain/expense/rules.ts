/**
 * Expenses: what a form must say, and what may become of one.
 *
 *   pending ──approve──▶ approved
 *      └─────reject────▶ rejected
 *
 * Only a pending expense may be changed or decided: from then on it is part of the books. It may be deleted at any time;
 * deleting hides it and erases nothing. What was paid from the cash drawer has left it, whatever becomes of the expense: its
 * amount stays, and so does the movement in the drawer's report. Money that comes back is a movement of its own.
 */
import { isDay } from '../business-day.ts';
import { maxMinor, minorFromWire, minorToWire } from '../money.ts';
import type { Problem, Problems } from '../problems.ts';
import { accept, refuse } from '../result.ts';
import type { Result } from '../result.ts';
import type { ExpenseResource, ExpenseDraft, NewExpense } from './resources.ts';
import { expenseCategories } from './vocabulary.ts';
import type { ExpenseStatus } from './vocabulary.ts';

const minTextLength = 3;
const maxTitleLength = 200;
const maxTextLength = 2000;

const isShort = (text: string) => text.trim().length < minTextLength;

/** The address of a receipt that was uploaded here. */
const keptReceipt = /^\/api\/uploads\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether the clinic's own server keeps this receipt; nothing of a session may be sent to any other. */
export const isKeptReceipt = (url: string): boolean => keptReceipt.test(url);

const isReceiptUrl = (url: string): boolean =>
  isKeptReceipt(url) || (/^https:\/\/[^\s/]+(\/\S*)?$/i.test(url) && url.length <= maxTextLength);

/** An expense may cost nothing, such as a sample or a warranty repair, but never less. */
function amountProblem(amount: number): Problem | undefined {
  if (!(amount >= 0)) return 'AMOUNT_NEGATIVE';
  return amount * 100 <= maxMinor && minorToWire(minorFromWire(amount)) === amount ? undefined : 'NUMBER_UNFIT';
}

export function expenseProblems({
  title,
  description,
  amount,
  category,
  expense_date,
  receipt_url,
  notes,
}: ExpenseDraft): Problems<keyof ExpenseDraft> {
  const problems: Problems<keyof ExpenseDraft> = {};
  if (isShort(title)) problems.title = 'TITLE_SHORT';
  else if (title.length > maxTitleLength) problems.title = 'TOO_LONG';
  if (isShort(description)) problems.description = 'DESCRIPTION_SHORT';
  else if (description.length > maxTextLength) problems.description = 'TOO_LONG';
  const wrongAmount = amountProblem(amount);
  if (wrongAmount) problems.amount = wrongAmount;
  if (!(expenseCategories as readonly string[]).includes(category)) problems.category = 'CATEGORY_UNKNOWN';
  if (expense_date === '') problems.expense_date = 'REQUIRED';
  else if (!isDay(expense_date)) problems.expense_date = 'DATE_INVALID';
  if (receipt_url && !isReceiptUrl(receipt_url)) problems.receipt_url = 'RECEIPT_UNFIT';
  if (notes.length > maxTextLength) problems.notes = 'TOO_LONG';
  return problems;
}

/** As `expenseProblems`; what is paid from the drawer must be some money. */
export function newExpenseProblems(draft: NewExpense): Problems<keyof NewExpense> {
  const problems = expenseProblems(draft);
  return draft.paid_from_drawer && draft.amount === 0 ? { amount: 'AMOUNT_NOT_POSITIVE', ...problems } : problems;
}

/** As `expenseProblems`; an amount that was taken out of the drawer is what it is. */
export function changedExpenseProblems(
  before: Pick<ExpenseResource, 'amount' | 'paid_from_drawer'>,
  draft: ExpenseDraft,
): Problems<keyof ExpenseDraft> {
  const problems = expenseProblems(draft);
  return before.paid_from_drawer && draft.amount !== before.amount ? { ...problems, amount: 'AMOUNT_TAKEN' } : problems;
}

/** What is wrong with the reason of a rejection, if anything. */
export function rejectionProblem(reason: string): Problem | undefined {
  if (isShort(reason)) return 'REJECTION_REASON_SHORT';
  return reason.length > maxTextLength ? 'TOO_LONG' : undefined;
}

/** Whatever is neither approved nor rejected waits for a decision. */
export const shownStatus = (status: string): ExpenseStatus =>
  status === 'approved' || status === 'rejected' ? status : 'pending';

export const isPending = ({ status }: { status: string }): boolean => shownStatus(status) === 'pending';

/** Whether an expense may still be changed, approved or rejected. */
export function decidePending(expense: { status: string }): Result<null> {
  return isPending(expense) ? accept(null) : refuse('EXPENSE_DECIDED', { status: expense.status });
}
