import { ReceiptText } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { longPageSize } from '#domain/pagination.ts';
import { expensePeriods, spanOf } from '#domain/expense/periods.ts';
import type { ExpenseResource } from '#domain/expense/resources.ts';
import { isUploadedReceipt } from '#domain/expense/rules.ts';
import { expenseSeen } from '#domain/expense/seen.ts';
import { seenOf } from '#domain/seen.ts';
import { expenseCategories, expenseSorts, expenseStatuses } from '#domain/expense/vocabulary.ts';
import { expensePaths, useExpenses } from '#src/server-data/expenses.ts';
import { useToday } from '#src/formats/clock.ts';
import { oneOf } from '#src/lists/list-address.ts';
import { ListScreen } from '#src/lists/list-screen.tsx';
import { useList } from '#src/lists/use-list.ts';
import { useMoney } from '#src/formats/money.tsx';
import { useMay } from '#src/session/session.ts';
import { Button } from '#src/ui/button.tsx';
import { ApproveDialog, RejectDialog } from './decision-dialogs.tsx';
import { useExpenseActions } from './expense-actions.tsx';
import type { ExpenseAction, OnExpenseAction } from './expense-actions.tsx';
import { ExpenseDialog } from './expense-dialog.tsx';
import { useExpenseViews } from './expense-views.tsx';
import { useExpenseWords } from './expense-words.ts';
import { ReceiptDialog } from './receipt-dialog.tsx';

const filters = {
  period: oneOf(expensePeriods),
  status: oneOf(['all', ...expenseStatuses]),
  category: oneOf(['all', ...expenseCategories]),
};

/** List of all expenses. The server searches, filters, sorts and pages it. */
export function ExpenseList({ onAdd, onEdit }: { onAdd: () => void; onEdit: (expense: ExpenseResource) => void }) {
  const { t } = useTranslation();
  const today = useToday();
  const amount = useMoney();
  const mayWrite = useMay('expense.write');
  const words = useExpenseWords();
  const list = useList({
    name: 'expenses',
    filters,
    sort: { by: 'expense_date', order: 'desc' },
    sorts: expenseSorts,
    size: longPageSize,
  });
  const { period } = list.filters;
  const span = today ? spanOf(period, today) : null;
  const expenses = useExpenses(list, span);
  const [open, setOpen] = useState<{ action: ExpenseAction | 'details'; expense: ExpenseResource } | null>(null);
  const close = () => setOpen(null);
  // The list may have heard of a decision since it was opened.
  const latest = expenses.value?.expenses.find(({ id }) => id === open?.expense.id) ?? open?.expense ?? null;
  const opened = (action: ExpenseAction | 'details') => (open?.action === action ? latest : null);
  const onAction: OnExpenseAction = (action, expense) => {
    if (action === 'edit') onEdit(expense);
    // A receipt on another server opens in a new tab: a request to that server must not carry our session.
    else if (action === 'receipt' && !isUploadedReceipt(expense.receipt_url!))
      window.open(expense.receipt_url!, '_blank', 'noopener,noreferrer');
    else setOpen({ action, expense });
  };
  const actionsOf = useExpenseActions(onAction);
  return (
    <>
      <ListScreen
        label={t('expenses.title')}
        icon={<ReceiptText />}
        list={list}
        data={expenses}
        rows={expenses.value?.expenses}
        total={expenses.value?.pagination.total}
        rowKey={({ id }) => id}
        nameOf={({ title }) => title}
        {...useExpenseViews(onAction)}
        dense
        search={t('expenses.search')}
        filters={[
          {
            name: 'period',
            label: t('expenses.periods.label'),
            options: expensePeriods.map((value) => ({ value, label: t(`expenses.periods.${value}`) })),
          },
          {
            name: 'status',
            label: t('expenses.statusFilter'),
            options: [
              { value: 'all', label: t('expenses.allStatuses') },
              ...expenseStatuses.map((value) => ({ value, label: t(`expenses.status.${value}`) })),
            ],
          },
          {
            name: 'category',
            label: t('expenses.categoryFilter'),
            options: [
              { value: 'all', label: t('expenses.allCategories') },
              ...expenseCategories.map((value) => ({ value, label: t(`expenses.categories.${value}`) })),
            ],
          },
        ]}
        noMatch={{ title: t('expenses.noMatch.title'), text: t('expenses.noMatch.text') }}
        empty={{
          title: t('expenses.empty.title'),
          text: t('expenses.empty.text'),
          action: (
            <Button variant="primary" onClick={onAdd}>
              {t('expenses.add')}
            </Button>
          ),
        }}
        onOpen={(expense) => setOpen({ action: 'details', expense })}
        actions={actionsOf}
        refreshes={expensePaths}
        deletion={{
          path: ({ id }) => `expenses/${id}`,
          may: () => mayWrite,
          isRestorable: true,
          seen: (expense) => seenOf(expense, expenseSeen),
          words,
          title: t('expenses.delete.title'),
          text: (expense) =>
            [
              t('expenses.delete.text', { title: expense.title, amount: amount(expense.amount) }),
              ...(expense.paid_from_drawer ? [t('expenses.drawer.stays')] : []),
            ].join(' '),
          done: ({ title }) => t('expenses.delete.done', { title }),
          failed: t('expenses.delete.failed'),
        }}
      />
      <ExpenseDialog expense={opened('details')} onAction={onAction} onClose={close} />
      {/* What is decided on stands still: it must not change under the finger. */}
      {open?.action === 'approve' && <ApproveDialog expense={open.expense} onDone={close} />}
      {open?.action === 'reject' && <RejectDialog expense={open.expense} onDone={close} />}
      <ReceiptDialog expense={opened('receipt')} onClose={close} />
    </>
  );
}
