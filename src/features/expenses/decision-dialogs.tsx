import { chakra } from '@chakra-ui/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ExpenseResource } from '#domain/expense/resources.ts';
import { rejectionProblem } from '#domain/expense/rules.ts';
import type { CallFault } from '#src/api/client.ts';
import { callServer } from '#src/api/client.ts';
import { expensePaths } from '#src/server-data/expenses.ts';
import { useServerCall } from '#src/server-data/use-server-call.ts';
import { refreshData } from '#src/server-data/use-server-data.ts';
import { ConfirmDialog, Dialog } from '#src/ui/dialog.tsx';
import { Button } from '#src/ui/button.tsx';
import { TextArea } from '#src/ui/text-area.tsx';
import { useMoney } from '#src/formats/money.tsx';

interface DecisionProps {
  /** Null closes the dialog. */
  expense: ExpenseResource | null;
  onDone: () => void;
}

/** Reloads the list when somebody else decided or deleted the expense first. Returns false so that a toast shows the refusal. */
function refreshIfDecided({ code }: CallFault): false {
  if (code === 'EXPENSE_DECIDED' || code === 'EXPENSE_NOT_FOUND') void refreshData(...expensePaths);
  return false;
}

export function ApproveDialog({ expense, onDone }: DecisionProps) {
  const { t } = useTranslation();
  const amount = useMoney();
  const approval = useServerCall(
    ({ id }: ExpenseResource, headers) => callServer('post', `expenses/${id}/approve`, {}, headers),
    {
      refreshes: expensePaths,
      done: ({ title }) => t('expenses.approve.done', { title }),
      failed: t('expenses.approve.failed'),
      onRefused: refreshIfDecided,
    },
  );
  return (
    <ConfirmDialog
      open={expense !== null}
      title={t('expenses.approve.title')}
      text={t('expenses.approve.text', { title: expense?.title ?? '', amount: amount(expense?.amount ?? 0) })}
      confirmLabel={t('expenses.approve.confirm')}
      cancelLabel={t('form.cancel')}
      onCancel={onDone}
      onConfirm={() => {
        if (expense) void approval.run(expense);
        onDone();
      }}
    />
  );
}

/** Asks for the reason of a rejection. The dialog stays open when the request fails, so that the user can retry. */
export function RejectDialog({ expense, onDone }: DecisionProps) {
  const { t } = useTranslation();
  const amount = useMoney();
  const [reason, setReason] = useState('');
  const [submitted, setSubmitted] = useState(false);
  const problem = rejectionProblem(reason);
  const rejection = useServerCall(
    ({ id, rejection_reason }: { id: number; title: string; rejection_reason: string }, headers) =>
      callServer('post', `expenses/${id}/reject`, { rejection_reason }, headers),
    {
      refreshes: expensePaths,
      done: ({ title }) => t('expenses.reject.done', { title }),
      failed: t('expenses.reject.failed'),
      onRefused: refreshIfDecided,
    },
  );
  async function reject({ id, title }: ExpenseResource) {
    setSubmitted(true);
    if (!problem && (await rejection.run({ id, title, rejection_reason: reason }))) onDone();
  }
  return (
    <Dialog
      open={expense !== null}
      onClose={onDone}
      title={t('expenses.reject.title')}
      actions={
        <>
          <Button onClick={onDone}>{t('form.cancel')}</Button>
          <Button variant="danger" disabled={rejection.isRunning} onClick={() => expense && void reject(expense)}>
            {t('expenses.reject.confirm')}
          </Button>
        </>
      }
    >
      <chakra.p color="fg.muted" overflowWrap="anywhere">
        {t('expenses.reject.text', { title: expense?.title ?? '', amount: amount(expense?.amount ?? 0) })}
      </chakra.p>
      {expense?.paid_from_drawer && <chakra.p color="fg.muted">{t('expenses.drawer.stays')}</chakra.p>}
      <TextArea
        label={t('expenses.reject.reason')}
        hint={t('expenses.reject.hint')}
        error={submitted && problem ? t(`problems.${problem}`) : undefined}
        maxLength={2000}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
    </Dialog>
  );
}
