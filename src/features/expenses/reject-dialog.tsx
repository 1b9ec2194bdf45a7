import { chakra } from '@chakra-ui/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ExpenseResource } from '../../../domain/expense/resources.ts';
import { rejectionProblem } from '../../../domain/expense/rules.ts';
import { callServer, useServerCall } from '../../api/server-call.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { rereadIfDecided } from './decision-dialogs.tsx';
import { useAmount } from './use-amount.ts';

/** Asks why. Without a reason nothing happens to the expense; one that did not arrive stays here to be sent again. */
export function RejectDialog({ expense, onDone }: { expense: ExpenseResource | null; onDone: () => void }) {
  const { t } = useTranslation();
  const { amount } = useAmount();
  const [reason, setReason] = useState('');
  const [wasTried, setTried] = useState(false);
  const problem = rejectionProblem(reason);
  const rejection = useServerCall(
    ({ id, rejection_reason }: { id: number; title: string; rejection_reason: string }, headers) =>
      callServer('post', `expenses/${id}/reject`, { rejection_reason }, headers),
    {
      refreshes: ['expenses'],
      done: ({ title }) => t('expenses.reject.done', { title }),
      failed: t('expenses.reject.failed'),
      onRefused: rereadIfDecided,
    },
  );
  async function reject({ id, title }: ExpenseResource) {
    setTried(true);
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
        error={wasTried && problem ? t(`problems.${problem}`) : undefined}
        maxLength={2000}
        value={reason}
        onChange={({ target }) => setReason(target.value)}
      />
    </Dialog>
  );
}
