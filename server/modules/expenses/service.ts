/**
 * Expenses. Callers hold the expense's lock and a transaction; the domain makes every decision before anything is
 * written. The audit log names the action, the category and the amount, never the texts that staff wrote.
 */
import { businessDay } from '#domain/business-day.ts';
import type { ExpenseResource, ExpenseDraft, ExpenseSummary, NewExpense } from '#domain/expense/resources.ts';
import { monthOf } from '#domain/expense/periods.ts';
import { decidePending, changedExpenseProblems, newExpenseProblems, rejectionProblem } from '#domain/expense/rules.ts';
import { minorFromWire } from '#domain/money.ts';
import { isValid, problemMessages } from '#domain/problems.ts';
import type { Problems } from '#domain/problems.ts';
import { accept, refuse } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';
import type { Author } from '#server/context.ts';
import type { Sql } from '#server/db/sql.ts';
import { withChanges } from '#server/partial-update.ts';
import { recordAudit } from '../audit/service.ts';
import { clinicSettings } from '../clinics/service.ts';
import { holdUploads } from '../uploads/service.ts';
import {
  hideExpense,
  showExpense,
  insertExpense,
  loadExpense,
  replaceExpense,
  saveDecision,
  sumExpenses,
} from './store.ts';
import type { Decision } from './store.ts';

export { sumApproved } from './store.ts';

type ExpenseAuthor = Omit<Author, 'newId'>;

/** Takes an amount (minor units) out of a cash drawer and returns the drawer's id. */
export type TakeCash = (amountMinor: number, reason: string) => Promise<Result<string>>;

const noDrawer: TakeCash = async () => refuse('DRAWER_NOT_OPEN');

/** @param takeCash pays an expense from the drawer; when it refuses, nothing is written */
export async function createExpense(
  sql: Sql,
  author: ExpenseAuthor,
  draft: NewExpense,
  takeCash: TakeCash = noDrawer,
): Promise<Result<ExpenseResource>> {
  const sound = complete(draft, newExpenseProblems(draft));
  if (!sound.ok) return sound;
  const { title, amount } = sound.value;
  const taken = draft.paid_from_drawer ? await takeCash(minorFromWire(amount), title) : accept(null);
  if (!taken.ok) return taken;
  await holdUploads(sql, author.clinicId, [sound.value.receipt_url]);
  const id = await insertExpense(sql, author, sound.value, taken.value);
  return done(sql, author, id, 'create');
}

/** The fields of a change; missing ones stay unchanged. */
type ExpenseChanges = { [Field in keyof ExpenseDraft]?: ExpenseDraft[Field] | undefined };

/** The fields that a form edits. */
const draftOf = (expense: ExpenseResource): ExpenseDraft => {
  const { title, description, amount, category, expense_date, receipt_url, notes } = expense;
  return { title, description, amount, category, expense_date, receipt_url, notes };
};

export async function changeExpense(
  sql: Sql,
  author: ExpenseAuthor,
  id: number,
  changes: ExpenseChanges,
): Promise<Result<ExpenseResource>> {
  const pending = await loadPending(sql, author, id);
  if (!pending.ok) return pending;
  const draft = withChanges(draftOf(pending.value), changes);
  const sound = complete(draft, changedExpenseProblems(pending.value, draft));
  if (!sound.ok) return sound;
  await holdUploads(sql, author.clinicId, [sound.value.receipt_url]);
  await replaceExpense(sql, author.clinicId, id, { atMs: author.atMs, draft: sound.value });
  return done(sql, author, id, 'change');
}

export const approveExpense = (sql: Sql, author: ExpenseAuthor, id: number, notes: string) =>
  decide(sql, author, id, { status: 'approved', notes });

export async function rejectExpense(
  sql: Sql,
  author: ExpenseAuthor,
  id: number,
  reason: string,
): Promise<Result<ExpenseResource>> {
  const problem = rejectionProblem(reason);
  if (problem) return refuse('VALIDATION', problemMessages({ rejection_reason: problem }));
  return decide(sql, author, id, { status: 'rejected', notes: reason });
}

export async function deleteExpense(sql: Sql, author: ExpenseAuthor, id: number): Promise<Result<null>> {
  const expense = await loadExpense(sql, author.clinicId, id);
  if (!expense) return refuse('EXPENSE_NOT_FOUND');
  await hideExpense(sql, author.clinicId, id, author.atMs);
  await audit(sql, author, 'delete', expense);
  return accept(null);
}

/** Takes a deletion back. An expense that is there is left as it is, so that a repeated call succeeds. */
export async function restoreExpense(sql: Sql, author: ExpenseAuthor, id: number): Promise<Result<ExpenseResource>> {
  const stored = await loadExpense(sql, author.clinicId, id);
  if (stored) return accept(stored);
  const isRestored = await showExpense(sql, author.clinicId, id, author.atMs);
  return isRestored ? done(sql, author, id, 'restore') : refuse('EXPENSE_NOT_FOUND');
}

/** Sums the month of the given instant, in the clinic's time zone. */
export async function summariseMonth(sql: Sql, clinicId: number, atMs: number): Promise<ExpenseSummary> {
  const { time_zone } = await clinicSettings(sql, clinicId);
  return sumExpenses(sql, clinicId, monthOf(businessDay(atMs, time_zone)));
}

async function decide(
  sql: Sql,
  author: ExpenseAuthor,
  id: number,
  { status, notes }: Pick<Decision, 'status' | 'notes'>,
): Promise<Result<ExpenseResource>> {
  const pending = await loadPending(sql, author, id);
  if (!pending.ok) return pending;
  await saveDecision(sql, author.clinicId, id, {
    status,
    userId: author.userId,
    atMs: author.atMs,
    notes: notes.trim(),
  });
  return done(sql, author, id, status === 'approved' ? 'approve' : 'reject');
}

async function loadPending(sql: Sql, { clinicId }: ExpenseAuthor, id: number): Promise<Result<ExpenseResource>> {
  const expense = await loadExpense(sql, clinicId, id);
  if (!expense) return refuse('EXPENSE_NOT_FOUND');
  const agreed = decidePending(expense);
  return agreed.ok ? accept(expense) : agreed;
}

/** Validates a draft and trims its texts. */
function complete<Draft extends ExpenseDraft>(draft: Draft, problems: Problems<keyof Draft & string>): Result<Draft> {
  if (!isValid(problems)) return refuse('VALIDATION', problemMessages(problems));
  return accept({
    ...draft,
    title: draft.title.trim(),
    description: draft.description.trim(),
    notes: draft.notes.trim(),
  });
}

type ExpenseAction = 'create' | 'change' | 'approve' | 'reject' | 'delete' | 'restore';

/** Records the action in the audit log and returns the expense as stored. */
async function done(
  sql: Sql,
  author: ExpenseAuthor,
  id: number,
  action: ExpenseAction,
): Promise<Result<ExpenseResource>> {
  const expense = (await loadExpense(sql, author.clinicId, id))!;
  await audit(sql, author, action, expense);
  return accept(expense);
}

function audit(
  sql: Sql,
  author: ExpenseAuthor,
  action: ExpenseAction,
  { id, status, category, amount, paid_from_drawer }: ExpenseResource,
): Promise<void> {
  const details = { status, category, amount, ...(paid_from_drawer && { paid_from: 'drawer' }) };
  return recordAudit(sql, author, {
    action: `expense.${action}`,
    subject: `expense:${id}`,
    details,
    at: author.atMs,
  });
}
