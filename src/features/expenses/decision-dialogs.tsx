import { useTranslation } from 'react-i18next';
import type { ExpenseResource } from '../../../domain/expense/resources.ts';
import type { CallFault } from '../../api/client.ts';
import { callServer, useServerCall } from '../../api/server-call.ts';
import { refreshData } from '../../api/server-data.ts';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { useAmount } from './use-amount.ts';

interface DecisionProps {
  /** Null closes the dialog. */
  expense: ExpenseResource | null;
  onDone: () => void;
}

/** Somebody else was quicker: the list shows what they did, and a toast says why nothing was done here. */
export function rereadIfDecided({ code }: CallFault): false {
  if (code === 'EXPENSE_DECIDED' || code === 'EXPENSE_NOT_FOUND') void refreshData('expenses');
  return false;
}

export function ApproveDialog({ expense, onDone }: DecisionProps) {
  const { t } = useTranslation();
  const approval = useServerCall(
    ({ id }: ExpenseResource, headers) => callServer('post', `expenses/${id}/approve`, {}, headers),
    {
      refreshes: ['expenses'],
      done: ({ title }) => t('expenses.approve.done', { title }),
      failed: t('expenses.approve.failed'),
      onRefused: rereadIfDecided,
    },
  );
  return (
    <Confirmation kind="approve" expense={expense} onDone={onDone} onConfirm={(chosen) => void approval.run(chosen)} />
  );
}

export function DeleteDialog({ expense, onDone }: DecisionProps) {
  const { t } = useTranslation();
  const deletion = useServerCall(
    ({ id }: ExpenseResource, headers) => callServer('delete', `expenses/${id}`, undefined, headers),
    {
      refreshes: ['expenses'],
      done: ({ title }) => t('expenses.delete.done', { title }),
      failed: t('expenses.delete.failed'),
      onRefused: rereadIfDecided,
    },
  );
  return (
    <Confirmation kind="delete" expense={expense} onDone={onDone} onConfirm={(chosen) => void deletion.run(chosen)} />
  );
}

function Confirmation({
  kind,
  expense,
  onDone,
  onConfirm,
}: DecisionProps & { kind: 'approve' | 'delete'; onConfirm: (expense: ExpenseResource) => void }) {
  const { t } = useTranslation();
  const { amount } = useAmount();
  return (
    <ConfirmDialog
      open={expense !== null}
      danger={kind === 'delete'}
      title={t(`expenses.${kind}.title`)}
      text={[
        t(`expenses.${kind}.text`, { title: expense?.title ?? '', amount: amount(expense?.amount ?? 0) }),
        ...(kind === 'delete' && expense?.paid_from_drawer ? [t('expenses.drawer.stays')] : []),
      ].join(' ')}
      confirmLabel={t(`expenses.${kind}.confirm`)}
      cancelLabel={t('form.cancel')}
      onCancel={onDone}
      onConfirm={() => {
        if (expense) onConfirm(expense);
        onDone();
      }}
    />
  );
}
