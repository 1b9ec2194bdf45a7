import { chakra } from '@chakra-ui/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ExpenseResource } from '#domain/expense/resources.ts';
import { isPending, rejectionProblem } from '#domain/expense/rules.ts';
import { expenseSeen } from '#domain/expense/seen.ts';
import type { CallFault } from '#src/api/client.ts';
import { callServer } from '#src/api/client.ts';
import { DecisionDialog } from '#src/decisions/decision-dialog.tsx';
import { useDecision } from '#src/decisions/use-decision.ts';
import { expensePaths } from '#src/server-data/expenses.ts';
import { refreshData } from '#src/server-data/use-server-data.ts';
import { TextArea } from '#src/ui/text-area.tsx';
import { useMoney } from '#src/formats/money.tsx';
import { useExpenseWords } from './expense-words.ts';

interface DecisionProps {
  /** As it stood when the dialog was opened. */
  expense: ExpenseResource;
  onDone: () => void;
}

/** Reloads the list when somebody else deleted the expense first. Returns false so that a toast shows the refusal. */
function refreshIfGone({ code }: CallFault): false {
  if (code === 'EXPENSE_NOT_FOUND') void refreshData(...expensePaths);
  return false;
}

export function ApproveDialog({ expense, onDone }: DecisionProps) {
  const { t } = useTranslation();
  const amount = useMoney();
  const approval = useDecision(expense, {
    fields: expenseSeen,
    words: useExpenseWords(),
    call: (body, headers, { id }) => callServer('post', `expenses/${id}/approve`, body, headers),
    refreshes: expensePaths,
    done: () => t('expenses.approve.done', { title: expense.title }),
    failed: t('expenses.approve.failed'),
    onRefused: refreshIfGone,
  });
  const { shown } = approval;
  return (
    <DecisionDialog
      decision={approval}
      title={t('expenses.approve.title')}
      confirmLabel={t('expenses.approve.confirm')}
      isPossible={isPending(shown)}
      onClose={onDone}
      onConfirm={() => void approval.run({}).then((done) => done && onDone())}
    >
      <chakra.p color="fg.muted" overflowWrap="anywhere">
        {t('expenses.approve.text', { title: shown.title, amount: amount(shown.amount) })}
      </chakra.p>
    </DecisionDialog>
  );
}

/** Asks for the reason of a rejection. The dialog stays open when the request fails, so that the user can retry. */
export function RejectDialog({ expense, onDone }: DecisionProps) {
  const { t } = useTranslation();
  const amount = useMoney();
  const [reason, setReason] = useState('');
  const [submitted, setSubmitted] = useState(false);
  const problem = rejectionProblem(reason);
  const rejection = useDecision<ExpenseResource, { rejection_reason: string }>(expense, {
    fields: expenseSeen,
    words: useExpenseWords(),
    call: (body, headers, { id }) => callServer('post', `expenses/${id}/reject`, body, headers),
    refreshes: expensePaths,
    done: () => t('expenses.reject.done', { title: expense.title }),
    failed: t('expenses.reject.failed'),
    onRefused: refreshIfGone,
  });
  const { shown } = rejection;
  async function reject() {
    setSubmitted(true);
    if (!problem && (await rejection.run({ rejection_reason: reason }))) onDone();
  }
  return (
    <DecisionDialog
      decision={rejection}
      title={t('expenses.reject.title')}
      width="26rem"
      confirmLabel={t('expenses.reject.confirm')}
      danger
      isPossible={isPending(shown)}
      onClose={onDone}
      onConfirm={() => void reject()}
    >
      <chakra.p color="fg.muted" overflowWrap="anywhere">
        {t('expenses.reject.text', { title: shown.title, amount: amount(shown.amount) })}
      </chakra.p>
      {shown.paid_from_drawer && <chakra.p color="fg.muted">{t('expenses.drawer.stays')}</chakra.p>}
      <TextArea
        label={t('expenses.reject.reason')}
        hint={t('expenses.reject.hint')}
        error={submitted && problem ? t(`problems.${problem}`) : undefined}
        maxLength={2000}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
    </DecisionDialog>
  );
}
