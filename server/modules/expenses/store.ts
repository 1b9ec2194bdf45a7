/** Expenses in SQL. PostgreSQL builds the resources, a page in one round trip. */
import { paginationOf } from '#domain/pagination.ts';
import type { ExpenseResource, ExpenseDraft, ExpenseList, ExpenseSummary } from '#domain/expense/resources.ts';
import type { DaySpan } from '#domain/expense/periods.ts';
import type { ExpenseCategory, ExpenseSort, ExpenseStatus } from '#domain/expense/vocabulary.ts';
import { minorFromWire, minorToWire } from '#domain/money.ts';
import { searchKey } from '#domain/search-key.ts';
import { isoOf } from '#domain/instant.ts';
import { amountOf, isoText, keyOf, likeText, naturally, rowsOf } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';

const nameOf = (column: string) =>
  `(select json_build_object('name', u.name) from users u where u.clinic_id = e.clinic_id and u.id = ${column})`;

const expenseJson = `json_build_object(
  'id', e.id, 'title', e.title, 'description', e.description, 'amount', ${amountOf('e.amount_minor')}, 'category', e.category,
  'expense_date', e.expense_date, 'receipt_url', e.receipt_url, 'notes', e.notes, 'status', e.status,
  'paid_from_drawer', e.drawer_id is not null,
  'Submitter', ${nameOf('e.submitted_by')}, 'Approver', ${nameOf('e.decided_by')}, 'decided_at', ${isoText('e.decided_at')},
  'approval_notes', case when e.status = 'approved' then e.decision_notes else '' end,
  'rejection_reason', case when e.status = 'rejected' then e.decision_notes end,
  'created_at', ${isoText('e.created_at')}, 'updated_at', ${isoText('e.updated_at')})`;

/** Returns an expense; undefined when the clinic has none of that id, or has deleted it. */
export async function loadExpense(sql: Sql, clinicId: number, id: number): Promise<ExpenseResource | undefined> {
  const rows = await rowsOf<{ row: ExpenseResource }>(
    sql,
    'expense',
    `select ${expenseJson} as row from expenses e where e.clinic_id = $1 and e.id = $2 and e.deleted_at is null`,
    [clinicId, id],
  );
  return rows[0]?.row;
}

/** Returns an expense that is there or deleted. */
export async function loadAnyExpense(sql: Sql, clinicId: number, id: number): Promise<ExpenseResource | undefined> {
  const rows = await rowsOf<{ row: ExpenseResource }>(
    sql,
    'expense, deleted or not',
    `select ${expenseJson} as row from expenses e where e.clinic_id = $1 and e.id = $2`,
    [clinicId, id],
  );
  return rows[0]?.row;
}

export interface ExpenseQuery {
  page: number;
  per_page: number;
  /** Matches the beginning of any word of title and description. */
  search?: string | undefined;
  status: 'all' | ExpenseStatus;
  category: 'all' | ExpenseCategory;
  /** The span includes both days; either may be missing. */
  start_date?: string | undefined;
  end_date?: string | undefined;
  sort: ExpenseSort;
  order: 'asc' | 'desc';
}

/** What the list is sorted by, in columns of `e`. */
const sorts: Record<ExpenseSort, string> = {
  expense_date: 'e.expense_date',
  title: naturally(keyOf('e.title')),
  amount: 'e.amount_minor',
  category: 'e.category',
  status: 'e.status',
};

/**
 * Returns one page and the number of matches. A search reads every expense of the clinic because
 * a word may begin anywhere, so its matches are materialised once for the page and the count. Without a search the
 * index serves both queries faster.
 */
export async function listExpenses(sql: Sql, clinicId: number, query: ExpenseQuery): Promise<ExpenseList> {
  const values: unknown[] = [clinicId];
  const conditions = ['clinic_id = $1', 'deleted_at is null'];
  const where = (condition: string, value: unknown) => {
    values.push(value);
    conditions.push(`${condition} $${values.length}`);
  };
  const wanted = likeText(searchKey(query.search ?? ''));
  if (query.start_date) where('expense_date >=', query.start_date);
  if (query.end_date) where('expense_date <=', query.end_date);
  if (query.status !== 'all') where('status =', query.status);
  if (query.category !== 'all') where('category =', query.category);
  if (wanted !== '') where(`' ' || search_key like`, `% ${wanted}%`);

  const { page, per_page } = query;
  const order = `order by ${sorts[query.sort]} ${query.order}, e.id ${query.order}`;
  const { rows } = await sql.query(
    `with matching as ${wanted === '' ? 'not materialized' : 'materialized'} (select id, expense_date, title, amount_minor, category, status from expenses where ${conditions.join(' and ')}),
       page as (select e.id from matching e ${order} limit ${per_page} offset ${(page - 1) * per_page})
     select (select count(*)::int from matching) as total,
       (select coalesce(json_agg(${expenseJson} ${order}), '[]'::json)
        from page join expenses e on e.clinic_id = $1 and e.id = page.id) as expenses`,
    values,
  );
  const { total, expenses } = rows[0] as { total: number; expenses: ExpenseResource[] };
  return { expenses, pagination: paginationOf({ total, page, per_page }) };
}

export async function sumExpenses(sql: Sql, clinicId: number, { start, end }: DaySpan): Promise<ExpenseSummary> {
  const [sums] = await rowsOf<{ total: number; approved: number; pending: number; count: number }>(
    sql,
    'expense summary',
    `select coalesce(sum(amount_minor), 0)::float8 as total,
       coalesce(sum(amount_minor) filter (where status = 'approved'), 0)::float8 as approved,
       coalesce(sum(amount_minor) filter (where status = 'pending'), 0)::float8 as pending, count(*)::int as count
     from expenses where clinic_id = $1 and deleted_at is null and expense_date between $2 and $3`,
    [clinicId, start, end],
  );
  const { total, approved, pending, count } = sums!;
  return {
    totalAmount: minorToWire(total),
    approvedAmount: minorToWire(approved),
    pendingAmount: minorToWire(pending),
    totalCount: count,
  };
}

/** Returns the sum of the approved expenses of a span of days, in minor units. */
export async function sumApproved(sql: Sql, clinicId: number, { start, end }: DaySpan): Promise<number> {
  const [row] = await rowsOf<{ approved: number }>(
    sql,
    'approved expenses',
    `select coalesce(sum(amount_minor), 0)::float8 as approved
     from expenses where clinic_id = $1 and deleted_at is null and status = 'approved' and expense_date between $2 and $3`,
    [clinicId, start, end],
  );
  return row!.approved;
}

const contentOf = ({ title, description, amount, category, expense_date, receipt_url, notes }: ExpenseDraft) => [
  title,
  description,
  searchKey(`${title} ${description}`),
  minorFromWire(amount),
  category,
  expense_date,
  receipt_url,
  notes,
];

/**
 * @param drawerId the cash drawer that paid the expense
 * @returns the id of the new expense
 */
export async function insertExpense(
  sql: Sql,
  { clinicId, userId, atMs }: { clinicId: number; userId: number; atMs: number },
  draft: ExpenseDraft,
  drawerId: string | null,
): Promise<number> {
  const [row] = await rowsOf<{ id: number }>(
    sql,
    'insert expense',
    `insert into expenses (clinic_id, submitted_by, created_at, updated_at, drawer_id,
       title, description, search_key, amount_minor, category, expense_date, receipt_url, notes)
     values ($1, $2, $3, $3, $4::uuid, $5, $6, $7, $8, $9, $10, $11, $12) returning id`,
    [clinicId, userId, isoOf(atMs), drawerId, ...contentOf(draft)],
  );
  return row!.id;
}

export async function replaceExpense(
  sql: Sql,
  clinicId: number,
  id: number,
  { atMs, draft }: { atMs: number; draft: ExpenseDraft },
): Promise<void> {
  await sql.query({
    name: 'replace expense',
    text: `update expenses set updated_at = $3, title = $4, description = $5, search_key = $6, amount_minor = $7, category = $8,
             expense_date = $9, receipt_url = $10, notes = $11
           where clinic_id = $1 and id = $2`,
    values: [clinicId, id, isoOf(atMs), ...contentOf(draft)],
  });
}

export interface Decision {
  status: 'approved' | 'rejected';
  userId: number;
  atMs: number;
  notes: string;
}

export async function saveDecision(
  sql: Sql,
  clinicId: number,
  id: number,
  { status, userId, atMs, notes }: Decision,
): Promise<void> {
  await sql.query({
    name: 'decide expense',
    text: `update expenses set status = $3, decided_by = $4, decided_at = $5, updated_at = $5, decision_notes = $6
           where clinic_id = $1 and id = $2`,
    values: [clinicId, id, status, userId, isoOf(atMs), notes],
  });
}

export async function hideExpense(sql: Sql, clinicId: number, id: number, atMs: number): Promise<void> {
  await sql.query({
    name: 'delete expense',
    text: 'update expenses set deleted_at = $3, updated_at = $3 where clinic_id = $1 and id = $2',
    values: [clinicId, id, isoOf(atMs)],
  });
}

/** Takes a deletion back. Returns false if the clinic has deleted no such expense. */
export async function showExpense(sql: Sql, clinicId: number, id: number, atMs: number): Promise<boolean> {
  const { rowCount } = await sql.query({
    name: 'restore expense',
    text: `update expenses set deleted_at = null, updated_at = $3
           where clinic_id = $1 and id = $2 and deleted_at is not null`,
    values: [clinicId, id, isoOf(atMs)],
  });
  return rowCount === 1;
}
