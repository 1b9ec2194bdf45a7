/**
 * What the clinic spends. Callers hold the expense's lock and a transaction; every decision is the domain's, and nothing is
 * written before it is made. The audit log names the deed, the category and the amount, never what somebody wrote.
 */
import { businessDay } from '../../../domain/business-day.ts';
import type { ExpenseDocument, ExpenseDraft, ExpenseSummary } from '../../../domain/expense/documents.ts';
import { monthOf } from '../../../domain/expense/periods.ts';
import { agreePending, expenseProblems, rejectionProblem } from '../../../domain/expense/rules.ts';
import { isSound, problemSentences } from '../../../domain/problems.ts';
import { accept, refuse } from '../../../domain/result.ts';
import type { Result } from '../../../domain/result.ts';
import { queriesOver } from '../../db/database.ts';
import type { Sql } from '../../db/sql.ts';
import { recordAudit } from '../audit/service.ts';
import { clinicSettings } from '../clinics/service.ts';
import { hideExpense, insertExpense, loadExpense, replaceExpense, saveDecision, sumExpenses } from './store.ts';
import type { Decision } from './store.ts';

/** Who works, and when: milliseconds since 1970. */
export interface Bookkeeper {
  clinicId: number;
  userId: number;
  deviceId: number | null;
  atMs: number;
}

export async function createExpense(sql: Sql, keeper: Bookkeeper, draft: ExpenseDraft): Promise<Result<ExpenseDocument>> {
  const sound = complete(draft);
  if (!sound.ok) return sound;
  const id = await insertExpense(sql, keeper, sound.value);
  return done(sql, keeper, id, 'create');
}

export async function changeExpense(sql: Sql, keeper: Bookkeeper, id: number, draft: ExpenseDraft): Promise<Result<ExpenseDocument>> {
  const pending = await loadPending(sql, keeper, id);
  if (!pending.ok) return pending;
  const sound = complete(draft);
  if (!sound.ok) return sound;
  await replaceExpense(sql, keeper.clinicId, id, keeper.atMs, sound.value);
  return done(sql, keeper, id, 'change');
}

export const approveExpense = (sql: Sql, keeper: Bookkeeper, id: number, notes: string) => decide(sql, keeper, id, { status: 'approved', notes });

export async function rejectExpense(sql: Sql, keeper: Bookkeeper, id: number, reason: string): Promise<Result<ExpenseDocument>> {
  const problem = rejectionProblem(reason);
  if (problem) return refuse('VALIDATION', problemSentences({ rejection_reason: problem }));
  return decide(sql, keeper, id, { status: 'rejected', notes: reason });
}

export async function deleteExpense(sql: Sql, keeper: Bookkeeper, id: number): Promise<Result<null>> {
  const expense = await loadExpense(sql, keeper.clinicId, id);
  if (!expense) return refuse('EXPENSE_NOT_FOUND');
  await hideExpense(sql, keeper.clinicId, id, keeper.atMs);
  await audit(sql, keeper, 'delete', expense);
  return accept(null);
}

/** The month in which this instant falls, by the clinic's own calendar. */
export async function summariseMonth(sql: Sql, clinicId: number, atMs: number): Promise<ExpenseSummary> {
  const { time_zone } = await clinicSettings(queriesOver(sql), clinicId);
  return sumExpenses(sql, clinicId, monthOf(businessDay(atMs, time_zone)));
}

async function decide(sql: Sql, keeper: Bookkeeper, id: number, { status, notes }: Pick<Decision, 'status' | 'notes'>): Promise<Result<ExpenseDocument>> {
  const pending = await loadPending(sql, keeper, id);
  if (!pending.ok) return pending;
  await saveDecision(sql, keeper.clinicId, id, { status, userId: keeper.userId, atMs: keeper.atMs, notes: notes.trim() });
  return done(sql, keeper, id, status === 'approved' ? 'approve' : 'reject');
}

async function loadPending(sql: Sql, { clinicId }: Bookkeeper, id: number): Promise<Result<null>> {
  const expense = await loadExpense(sql, clinicId, id);
  return expense ? agreePending(expense) : refuse('EXPENSE_NOT_FOUND');
}

/** A draft as it is kept, once its form is sound. */
function complete(draft: ExpenseDraft): Result<ExpenseDraft> {
  const problems = expenseProblems(draft);
  if (!isSound(problems)) return refuse('VALIDATION', problemSentences(problems));
  return accept({ ...draft, title: draft.title.trim(), description: draft.description.trim(), notes: draft.notes.trim() });
}

/** Writes the deed down and answers with the expense as it stands now. */
async function done(sql: Sql, keeper: Bookkeeper, id: number, action: string): Promise<Result<ExpenseDocument>> {
  const expense = (await loadExpense(sql, keeper.clinicId, id))!;
  await audit(sql, keeper, action, expense);
  return accept(expense);
}

function audit(sql: Sql, keeper: Bookkeeper, action: string, { id, status, category, amount }: ExpenseDocument): Promise<void> {
  return recordAudit(queriesOver(sql), keeper, { action: `expense.${action}`, subject: `expense:${id}`, details: { status, category, amount }, at: keeper.atMs });
}
