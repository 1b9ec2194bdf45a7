import { Flex } from '@chakra-ui/react';
import { ReceiptText } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { longPageSize } from '../../../domain/pagination.ts';
import type { ExpenseResource } from '../../../domain/expense/resources.ts';
import { spanOf } from '../../../domain/expense/periods.ts';
import { isUploadedReceipt } from '../../../domain/expense/rules.ts';
import { PageToolbar } from '../../back-office/page-frame.tsx';
import { useExpenses } from '../../server-data/expenses.ts';
import { LoadError } from '../../server-data/load-error.tsx';
import { useToday } from '../../formats/clock.ts';
import { Pagination } from '../../lists/pagination.tsx';
import { useList } from '../../lists/use-list.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ApproveDialog, DeleteDialog, RejectDialog } from './decision-dialogs.tsx';
import type { ExpenseAction, OnExpenseAction } from './expense-actions.tsx';
import { Filters, noFilters } from './expense-filters.tsx';
import type { ExpenseFilters } from './expense-filters.tsx';
import { useExpenseViews } from './expense-views.tsx';
import { ReceiptDialog } from './receipt-dialog.tsx';

/** List of all expenses. The server searches, filters and pages it. */
export function ExpenseList({ onAdd, onEdit }: { onAdd: () => void; onEdit: (expense: ExpenseResource) => void }) {
  const { t } = useTranslation();
  const today = useToday();
  const list = useList<ExpenseFilters>({ filters: noFilters, size: longPageSize });
  const { settledSearch, filters } = list;
  const { period, status, category } = filters;
  const span = today ? spanOf(period, today) : null;
  const expenses = useExpenses(list, span);
  const [open, setOpen] = useState<{ action: ExpenseAction; expense: ExpenseResource } | null>(null);
  const close = () => setOpen(null);
  const opened = (action: ExpenseAction) => (open?.action === action ? open.expense : null);
  const onAction: OnExpenseAction = (action, expense) => {
    if (action === 'edit') onEdit(expense);
    // A receipt on another server opens in a new tab: a request to that server must not carry our session.
    else if (action === 'receipt' && !isUploadedReceipt(expense.receipt_url!))
      window.open(expense.receipt_url!, '_blank', 'noopener,noreferrer');
    else setOpen({ action, expense });
  };
  const views = useExpenseViews(onAction);
  const isFiltered = settledSearch !== '' || period !== 'all' || status !== 'all' || category !== 'all';
  return (
    <Flex direction="column" gap="4">
      <PageToolbar>
        <Filters list={list} />
      </PageToolbar>
      {expenses.fault ? (
        <LoadError data={expenses} />
      ) : (
        <DataTable
          label={t('expenses.title')}
          {...views}
          dense
          rows={expenses.value?.expenses}
          rowKey={({ id }) => id}
          empty={
            isFiltered ? (
              <EmptyState icon={<ReceiptText />} title={t('expenses.noMatch.title')} text={t('expenses.noMatch.text')}>
                <Button
                  onClick={() => {
                    list.setSearch('');
                    list.setFilters(noFilters);
                  }}
                >
                  {t('expenses.noMatch.showAll')}
                </Button>
              </EmptyState>
            ) : (
              <EmptyState icon={<ReceiptText />} title={t('expenses.empty.title')} text={t('expenses.empty.text')}>
                <Button variant="primary" onClick={onAdd}>
                  {t('expenses.add')}
                </Button>
              </EmptyState>
            )
          }
        />
      )}
      {expenses.value && (
        <Pagination
          page={list.page}
          size={longPageSize}
          total={expenses.value.pagination.total}
          onPage={list.setPage}
        />
      )}
      <ApproveDialog expense={opened('approve')} onDone={close} />
      <DeleteDialog expense={opened('delete')} onDone={close} />
      <RejectDialog key={`reject ${opened('reject')?.id}`} expense={opened('reject')} onDone={close} />
      <ReceiptDialog expense={opened('receipt')} onClose={close} />
    </Flex>
  );
}
