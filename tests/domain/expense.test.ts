import { describe, expect, test } from 'vitest';
import type { ExpenseDraft } from '#domain/expense/resources.ts';
import { monthOf, spanOf, weekOf } from '#domain/expense/periods.ts';
import {
  decidePending,
  changedExpenseProblems,
  expenseProblems,
  isUploadedReceipt,
  newExpenseProblems,
  rejectionProblem,
  shownStatus,
} from '#domain/expense/rules.ts';
import { expenseCategories } from '#domain/expense/vocabulary.ts';
import { may } from '#domain/permissions.ts';
import { problemCatalogue } from '#domain/problems.ts';
import { roles } from '#domain/staff/roles.ts';

const receipt = '/api/uploads/0190a5b0-0000-7000-8000-000000000000';
const sound: ExpenseDraft = {
  title: 'Rent',
  description: 'Premises, March',
  amount: 1850,
  category: 'rent',
  expense_date: '2026-03-01',
  receipt_url: null,
  notes: '',
};
const problemsOf = (over: Partial<ExpenseDraft>) =>
  Object.fromEntries(
    Object.entries(expenseProblems({ ...sound, ...over })).map(([field, problem]) => [
      field,
      problemCatalogue[problem],
    ]),
  );

describe('the form of an expense', () => {
  test.each<[Partial<ExpenseDraft>, Record<string, string>]>([
    [{}, {}],
    [{ title: 'ab' }, { title: 'Title must be at least 3 characters' }],
    [{ title: ' a b ' }, {}],
    [{ title: '  ab  ' }, { title: 'Title must be at least 3 characters' }],
    [{ title: 'a'.repeat(201) }, { title: 'This text is too long' }],
    [{ description: 'ab' }, { description: 'Description must be at least 3 characters' }],
    [{ description: 'a'.repeat(2001) }, { description: 'This text is too long' }],
    [{ notes: 'a'.repeat(2001) }, { notes: 'This text is too long' }],
    [{ amount: 0 }, {}],
    [{ amount: 0.01 }, {}],
    [{ amount: 100_000_000 }, {}],
    [{ amount: -0.01 }, { amount: 'Amount must be 0 or greater' }],
    [{ amount: NaN }, { amount: 'Amount must be 0 or greater' }],
    [{ amount: 0.001 }, { amount: 'This number is too large or has too many decimals' }],
    [{ amount: 100_000_000.01 }, { amount: 'This number is too large or has too many decimals' }],
    [{ category: 'gifts' }, { category: 'This category no longer exists' }],
    [{ category: '' }, { category: 'This category no longer exists' }],
    [{ expense_date: '' }, { expense_date: 'This field is required' }],
    [{ expense_date: '2026-02-30' }, { expense_date: 'Enter a date' }],
    [{ expense_date: '0026-03-01' }, { expense_date: 'Enter a date' }],
    [{ expense_date: '01/03/2026' }, { expense_date: 'Enter a date' }],
    [{ receipt_url: receipt }, {}],
    [{ receipt_url: 'https://books.test/r/12.pdf?v=1' }, {}],
    [{ receipt_url: '' }, {}],
    ...[
      'http://books.test/r',
      'javascript:alert(1)',
      'https://',
      '/uploads/1/x.webp',
      `${receipt}/..`,
      'data:image/png;base64,aa',
      'https://a b',
    ].map((receipt_url): [Partial<ExpenseDraft>, Record<string, string>] => [
      { receipt_url },
      { receipt_url: 'This is not the address of an uploaded receipt' },
    ]),
  ])('with %j has the problems %j', (over, problems) => {
    expect(problemsOf(over)).toEqual(problems);
  });

  test('accepts each of the ten categories', () => {
    expect(expenseCategories).toHaveLength(10);
    for (const category of expenseCategories) expect(problemsOf({ category })).toEqual({});
  });

  test('accepts only receipt addresses of this server, so that the session goes to no other', () => {
    expect(
      [receipt, `https://evil.test${receipt}`, `/api/uploads/x`, `//evil.test${receipt}`].map(isUploadedReceipt),
    ).toEqual([true, false, false, false]);
  });
});

describe('an expense paid from the drawer', () => {
  test("requires an amount above 0, which can't be changed", () => {
    const paid = { ...sound, paid_from_drawer: true, drawer_id: null };
    expect([newExpenseProblems(paid), newExpenseProblems({ ...paid, amount: 0.01 })]).toEqual([{}, {}]);
    expect(newExpenseProblems({ ...paid, amount: 0 })).toEqual({ amount: 'AMOUNT_NOT_POSITIVE' });
    expect(newExpenseProblems({ ...paid, amount: -1 })).toEqual({ amount: 'AMOUNT_NEGATIVE' });
    expect(newExpenseProblems({ ...paid, paid_from_drawer: false, amount: 0 })).toEqual({});
    const before = { amount: 5, paid_from_drawer: true };
    expect(changedExpenseProblems(before, { ...sound, amount: 5 })).toEqual({});
    expect(changedExpenseProblems(before, { ...sound, amount: 5.01 })).toEqual({ amount: 'AMOUNT_TAKEN' });
    expect(changedExpenseProblems({ ...before, paid_from_drawer: false }, { ...sound, amount: 5.01 })).toEqual({});
  });
});

describe('the status of an expense', () => {
  test('can be decided only while pending; any unknown status counts as pending', () => {
    for (const status of ['pending', 'draft', '']) {
      expect(shownStatus(status)).toBe('pending');
      expect(decidePending({ status }).ok).toBe(true);
    }
    for (const status of ['approved', 'rejected'] as const) {
      expect(shownStatus(status)).toBe(status);
      expect(decidePending({ status })).toEqual({
        ok: false,
        refusal: { code: 'EXPENSE_DECIDED', details: { status } },
      });
    }
  });

  test('is rejected for a reason of at least three characters, without outer blanks', () => {
    expect(['', '  ', ' ab ', 'abc', 'a'.repeat(2001)].map(rejectionProblem)).toEqual([
      'REJECTION_REASON_SHORT',
      'REJECTION_REASON_SHORT',
      'REJECTION_REASON_SHORT',
      undefined,
      'TOO_LONG',
    ]);
    expect(problemCatalogue.REJECTION_REASON_SHORT).toBe('Rejection reason must be at least 3 characters');
  });

  test('is accessible to administrators and managers only', () => {
    for (const action of ['expense.read', 'expense.write', 'expense.decide'] as const) {
      expect(roles.filter((role) => may(role, action))).toEqual(['admin', 'manager']);
    }
  });
});

describe('spans of days', () => {
  test.each([
    ['2026-03-01', '2026-03-01', '2026-03-07'],
    ['2026-03-04', '2026-03-01', '2026-03-07'],
    ['2026-03-07', '2026-03-01', '2026-03-07'],
    ['2026-01-01', '2025-12-28', '2026-01-03'],
  ])('the week of %s is %s to %s, Sunday to Saturday', (day, start, end) => {
    expect(weekOf(day)).toEqual({ start, end });
    expect(new Date(`${start}T00:00:00Z`).getUTCDay()).toBe(0);
  });

  test.each([
    ['2026-02-15', '2026-02-01', '2026-02-28'],
    ['2024-02-01', '2024-02-01', '2024-02-29'],
    ['2026-12-31', '2026-12-01', '2026-12-31'],
    ['2026-04-30', '2026-04-01', '2026-04-30'],
  ])('the month of %s is %s to %s', (day, start, end) => {
    expect(monthOf(day)).toEqual({ start, end });
  });

  test('are null, the day, its week or its month', () => {
    const today = '2026-03-04';
    expect([spanOf('all', today), spanOf('today', today), spanOf('week', today), spanOf('month', today)]).toEqual([
      null,
      { start: today, end: today },
      { start: '2026-03-01', end: '2026-03-07' },
      { start: '2026-03-01', end: '2026-03-31' },
    ]);
  });
});
