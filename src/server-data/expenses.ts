/** Reads of the expenses, and what a write of one reloads. */
import type { ExpenseList, ExpenseResource, ExpenseSummary } from '#domain/expense/resources.ts';
import type { ExpenseCategory, ExpenseStatus } from '#domain/expense/vocabulary.ts';
import { listParams } from './list-query.ts';
import type { ListQuery, Reply } from './list-query.ts';
import { useServerData } from './use-server-data.ts';

interface ExpenseFilters {
  status: 'all' | ExpenseStatus;
  category: 'all' | ExpenseCategory;
}

/** @param days the first and the last day; null for all */
export const useExpenses = (list: ListQuery<ExpenseFilters>, days: { start: string; end: string } | null) =>
  useServerData<ExpenseList>('expenses', {
    ...listParams(list),
    status: list.filters.status,
    category: list.filters.category,
    start_date: days?.start,
    end_date: days?.end,
  });

export const useExpense = (id: number | 'new') =>
  useServerData<Reply<ExpenseResource>>(`expenses/${id}`, {}, { enabled: id !== 'new' });

export const useExpenseSummary = () => useServerData<Reply<ExpenseSummary>>('expenses/summary');

export const expensePaths = ['expenses'];
