import { chakra, Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ExpenseResource } from '../../../domain/expense/resources.ts';
import { shownStatus } from '../../../domain/expense/rules.ts';
import { useClinicFormats } from '../../formats/use-clinic-formats.ts';
import type { Column } from '../../ui/data-table.tsx';
import { ExpenseActions, ReceiptLink } from './expense-actions.tsx';
import type { OnDeed } from './expense-actions.tsx';
import { DrawerBadge } from './drawer-badge.tsx';
import { StatusBadge } from './status-badge.tsx';
import { useAmount } from './use-amount.ts';

const Cut = chakra('span', { base: { lineClamp: '2', overflowWrap: 'anywhere' } });

/** How an expense looks in a list: in a table, and on a phone. */
export function useExpenseViews(onDeed: OnDeed): {
  columns: Column<ExpenseResource>[];
  card: (expense: ExpenseResource) => ReactNode;
} {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const { amount } = useAmount();
  const columns: Column<ExpenseResource>[] = [
    {
      key: 'title',
      header: t('expenses.columns.title'),
      cell: ({ title }) => (
        <Cut minWidth="7rem" fontWeight="medium">
          {title}
        </Cut>
      ),
    },
    {
      key: 'description',
      header: t('expenses.columns.description'),
      cell: (expense) => <Description expense={expense} onDeed={onDeed} />,
    },
    { key: 'amount', header: t('expenses.columns.amount'), numeric: true, cell: (expense) => amount(expense.amount) },
    {
      key: 'category',
      header: t('expenses.columns.category'),
      cell: ({ category }) => t(`expenses.categories.${category}`),
    },
    {
      key: 'expense_date',
      header: t('expenses.columns.date'),
      cell: ({ expense_date }) => <chakra.span whiteSpace="nowrap">{formats.day(expense_date)}</chakra.span>,
    },
    { key: 'status', header: t('expenses.columns.status'), cell: ({ status }) => <StatusBadge status={status} /> },
    {
      key: 'submitter',
      header: t('expenses.columns.submittedBy'),
      cell: ({ Submitter }) => <Cut>{Submitter?.name ?? t('expenses.unknown')}</Cut>,
    },
    { key: 'approver', header: t('expenses.columns.approvedBy'), cell: (expense) => <Approval expense={expense} /> },
    {
      key: 'actions',
      header: t('expenses.columns.actions'),
      actions: true,
      cell: (expense) => <ExpenseActions expense={expense} onDeed={onDeed} />,
    },
  ];
  return { columns, card: (expense) => <ExpenseCard expense={expense} onDeed={onDeed} /> };
}

interface ViewProps {
  expense: ExpenseResource;
  onDeed: OnDeed;
}

/** With the notes, the drawer and the receipt beneath, which have no columns of their own. */
function Description({ expense, onDeed }: ViewProps) {
  const { description, notes } = expense;
  return (
    <chakra.div minWidth="6.75rem">
      <Cut>{description}</Cut>
      {notes && <Cut color="fg.muted">{notes}</Cut>}
      <Flex gap="2" wrap="wrap" align="center">
        <DrawerBadge expense={expense} />
        <ReceiptLink expense={expense} onDeed={onDeed} />
      </Flex>
    </chakra.div>
  );
}

/** Who approved it, or that it was rejected and why. */
function Approval({ expense: { status, Approver, rejection_reason } }: { expense: ExpenseResource }) {
  const { t } = useTranslation();
  const shown = shownStatus(status);
  if (shown === 'approved') return <Cut>{Approver?.name ?? t('expenses.unknown')}</Cut>;
  if (shown === 'pending') return <chakra.span color="fg.muted">{t('expenses.notApproved')}</chakra.span>;
  return (
    <chakra.div minWidth="7rem">
      {t('expenses.rejected')}
      {rejection_reason && (
        <Cut color="fg.muted" title={rejection_reason}>
          {rejection_reason}
        </Cut>
      )}
    </chakra.div>
  );
}

function ExpenseCard({ expense, onDeed }: ViewProps) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const { amount } = useAmount();
  const { title, category, expense_date, status, Submitter, Approver, rejection_reason } = expense;
  const decided = {
    pending: null,
    approved: t('expenses.card.approved', { name: Approver?.name ?? t('expenses.unknown') }),
    rejected: t('expenses.card.rejected', { reason: rejection_reason ?? '' }),
  }[shownStatus(status)];
  return (
    <Flex direction="column" gap="2">
      <Flex gap="3" align="flex-start" justify="space-between">
        <chakra.h3 flex="1" minWidth="0" fontWeight="medium" overflowWrap="anywhere">
          {title}
        </chakra.h3>
        <chakra.span fontWeight="semibold" fontVariantNumeric="tabular-nums" whiteSpace="nowrap">
          {amount(expense.amount)}
        </chakra.span>
      </Flex>
      <chakra.div fontSize="sm">
        <Description expense={expense} onDeed={onDeed} />
      </chakra.div>
      <Flex align="center" justify="space-between" gap="2" wrap="wrap" fontSize="sm" color="fg.muted">
        <span>{`${t(`expenses.categories.${category}`)} · ${formats.day(expense_date)}`}</span>
        <StatusBadge status={status} />
      </Flex>
      <chakra.div fontSize="sm" color="fg.muted" overflowWrap="anywhere">
        <p>{t('expenses.card.submitted', { name: Submitter?.name ?? t('expenses.unknown') })}</p>
        {decided && <p>{decided}</p>}
      </chakra.div>
      <Flex gap="1" wrap="wrap" mx="-2" mb="-2">
        <ExpenseActions expense={expense} onDeed={onDeed} words />
      </Flex>
    </Flex>
  );
}
