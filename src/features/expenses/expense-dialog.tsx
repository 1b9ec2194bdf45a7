import { Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import type { ExpenseResource } from '#domain/expense/resources.ts';
import { shownStatus } from '#domain/expense/rules.ts';
import { useMoney } from '#src/formats/money.tsx';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { Facts } from '#src/ui/facts.tsx';
import { ReceiptLink, useExpenseActions } from './expense-actions.tsx';
import type { OnExpenseAction } from './expense-actions.tsx';
import { DrawerBadge, StatusBadge } from './expense-views.tsx';

/** All that is known of an expense, of which its row shows one line, and what may be done with it. */
export function ExpenseDialog({
  expense,
  onAction,
  onClose,
}: {
  expense: ExpenseResource | null;
  onAction: OnExpenseAction;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const actionsOf = useExpenseActions(onAction);
  return (
    <Dialog
      open={expense !== null}
      onClose={onClose}
      title={expense?.title ?? ''}
      actions={
        <>
          <Button onClick={onClose}>{t('form.close')}</Button>
          {expense &&
            actionsOf(expense).map(({ key, label, icon, onSelect }) => (
              <Button key={key} onClick={onSelect}>
                {icon}
                {label}
              </Button>
            ))}
        </>
      }
    >
      {expense && <Details expense={expense} onAction={onAction} />}
    </Dialog>
  );
}

function Details({ expense, onAction }: { expense: ExpenseResource; onAction: OnExpenseAction }) {
  const { t } = useTranslation();
  const { day } = useClinicFormats();
  const money = useMoney();
  const { description, notes, amount, category, expense_date, status, Submitter, Approver, rejection_reason } = expense;
  const decidedBy = shownStatus(status) === 'approved' && (Approver?.name ?? t('expenses.unknown'));
  return (
    <Facts
      facts={[
        ['amount', t('expenses.columns.amount'), money(amount)],
        [
          'status',
          t('expenses.columns.status'),
          <Flex key="badges" gap="2" wrap="wrap">
            <StatusBadge status={status} />
            <DrawerBadge expense={expense} isSaid />
          </Flex>,
        ],
        ['reason', t('expenses.reject.reason'), shownStatus(status) === 'rejected' && rejection_reason],
        ['description', t('expenses.columns.description'), description],
        ['notes', t('expenses.columns.notes'), notes],
        ['category', t('expenses.columns.category'), t(`expenses.categories.${category}`)],
        ['date', t('expenses.columns.date'), day(expense_date)],
        ['submitter', t('expenses.columns.submittedBy'), Submitter?.name ?? t('expenses.unknown')],
        ['approver', t('expenses.columns.approvedBy'), decidedBy],
        [
          'receipt',
          t('expenses.words.receipt'),
          expense.receipt_url && <ReceiptLink key="link" {...{ expense, onAction }} />,
        ],
      ]}
    />
  );
}
