/**
 * The rules of expenses: form validation and status.
 *
 *   pending ──approve──▶ approved
 *      └─────reject────▶ rejected
 *
 * Only a pending expense can be changed or decided. An expense can be deleted at any time; deleting hides it and erases
 * nothing. Money paid from a cash drawer stays a movement of the drawer, whatever happens to the expense: its amount can't
 * be changed, and returned money is another movement.
 */
import { isDay } from '../business-day.ts';
import { isAmount, textLimits } from '../limits.ts';
import { minorFromWire, minorToWire } from '../money.ts';
import type { Problem, Problems } from '../problems.ts';
import { accept, refuse } from '../result.ts';
import type { Result } from '../result.ts';
import type { ExpenseResource, ExpenseDraft, NewExpense } from './resources.ts';
import { defaultExpenseCategory, expenseCategories } from './vocabulary.ts';
import type { ExpenseStatus } from './vocabulary.ts';

/** A new expense. @param today the clinic's business day */
export const blankExpense = (today: string): NewExpense => ({
  title: '',
  description: '',
  amount: 0,
  category: defaultExpenseCategory,
  expense_date: today,
  receipt_url: null,
  notes: '',
  paid_from_drawer: false,
  drawer_id: null,
});

const minTextLength = 3;

const isShort = (text: string) => text.trim().length < minTextLength;

/** The address of a receipt on this server. */
const uploadedReceipt = /^\/api\/uploads\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** True when this server stores the receipt. The session token must not be sent to any other address. */
export const isUploadedReceipt = (url: string): boolean => uploadedReceipt.test(url);

const isReceiptUrl = (url: string): boolean =>
  isUploadedReceipt(url) || (/^https:\/\/[^\s/]+(\/\S*)?$/i.test(url) && url.length <= textLimits.notes);

/** The amount can be 0, for example for a sample or a warranty repair. */
function amountProblem(amount: number): Problem | undefined {
  if (!(amount >= 0)) return 'AMOUNT_NEGATIVE';
  return isAmount(amount) && minorToWire(minorFromWire(amount)) === amount ? undefined : 'NUMBER_UNFIT';
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
  else if (title.length > textLimits.name) problems.title = 'TOO_LONG';
  if (isShort(description)) problems.description = 'DESCRIPTION_SHORT';
  else if (description.length > textLimits.notes) problems.description = 'TOO_LONG';
  const wrongAmount = amountProblem(amount);
  if (wrongAmount) problems.amount = wrongAmount;
  if (!(expenseCategories as readonly string[]).includes(category)) problems.category = 'CATEGORY_UNKNOWN';
  if (expense_date === '') problems.expense_date = 'REQUIRED';
  else if (!isDay(expense_date)) problems.expense_date = 'DATE_INVALID';
  if (receipt_url && !isReceiptUrl(receipt_url)) problems.receipt_url = 'RECEIPT_UNFIT';
  if (notes.length > textLimits.notes) problems.notes = 'TOO_LONG';
  return problems;
}

/** Checks a new expense. An amount paid from a drawer must be greater than 0. */
export function newExpenseProblems(draft: NewExpense): Problems<keyof NewExpense> {
  const problems = expenseProblems(draft);
  return draft.paid_from_drawer && draft.amount === 0 ? { amount: 'AMOUNT_NOT_POSITIVE', ...problems } : problems;
}

/** Checks a changed expense. An amount paid from a drawer can't be changed. */
export function changedExpenseProblems(
  before: Pick<ExpenseResource, 'amount' | 'paid_from_drawer'>,
  draft: ExpenseDraft,
): Problems<keyof ExpenseDraft> {
  const problems = expenseProblems(draft);
  return before.paid_from_drawer && draft.amount !== before.amount ? { ...problems, amount: 'AMOUNT_TAKEN' } : problems;
}

/** Checks the reason of a rejection. */
export function rejectionProblem(reason: string): Problem | undefined {
  if (isShort(reason)) return 'REJECTION_REASON_SHORT';
  return reason.length > textLimits.notes ? 'TOO_LONG' : undefined;
}

/** Any status other than approved or rejected counts as pending. */
export const shownStatus = (status: string): ExpenseStatus =>
  status === 'approved' || status === 'rejected' ? status : 'pending';

export const isPending = ({ status }: { status: string }): boolean => shownStatus(status) === 'pending';

/** Refuses to change, approve or reject an expense that is already decided. */
export function decidePending(expense: { status: string }): Result<null> {
  return isPending(expense) ? accept(null) : refuse('EXPENSE_DECIDED', { status: expense.status });
}
