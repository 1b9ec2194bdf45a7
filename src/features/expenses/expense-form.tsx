import { Flex } from '@chakra-ui/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ExpenseDraft } from '#domain/expense/resources.ts';
import { changedExpenseProblems, isPending, newExpenseProblems } from '#domain/expense/rules.ts';
import { idempotencyHeader } from '#domain/protocol/sync.ts';
import { useDraftForm } from '#src/forms/draft-form.ts';
import type { DraftForm } from '#src/forms/draft-form.ts';
import { expensePaths, useExpense } from '#src/server-data/expenses.ts';
import { NotLoaded } from '#src/server-data/load-error.tsx';
import { useOutboxSummary } from '#src/sync/use-outbox-summary.ts';
import { useToday } from '#src/formats/clock.ts';
import { FullScreenForm } from '#src/forms/form-frames.tsx';
import { Banner } from '#src/ui/banner.tsx';
import { Button } from '#src/ui/button.tsx';
import { FullDialog } from '#src/ui/full-dialog.tsx';
import { Skeleton } from '#src/ui/skeleton.tsx';
import { callServer } from '#src/api/client.ts';
import { newIdempotencyKey } from '#src/api/idempotency-key.ts';
import { useServerCall } from '#src/server-data/use-server-call.ts';
import { useUpload } from '#src/api/use-upload.ts';
import { blankForm, draftOf, createBody, updateBody } from './expense-draft.ts';
import type { ExpenseFormDraft } from './expense-draft.ts';
import { ExpenseFields } from './expense-fields.tsx';
import type { OpenDrawer } from './expense-fields.tsx';
import { openLocalDrawers } from '#src/db/queries/drawers.ts';
import { db } from '#src/local-data/database.ts';
import { useLiveQuery } from '#src/local-data/live.ts';

interface ExpenseFormProps {
  /** The expense to edit, or `new` to create one. */
  id: number | 'new';
  onClose: () => void;
}

/** Expense form that replaces the list. It refuses to edit an expense that is no longer pending. */
export function ExpenseForm({ id, onClose }: ExpenseFormProps) {
  const { t } = useTranslation();
  const today = useToday();
  const expense = useExpense(id);
  const stored = expense.isBusy ? undefined : expense.value?.data;
  const [initial, setInitial] = useState<ExpenseFormDraft | null>(null);
  // Before the form: the note about them has one line or two.
  const drawers = useLiveQuery(() => openLocalDrawers(db), []);
  // Set once: a later refetch must not overwrite what the user is typing.
  if (!initial && id === 'new' && today) setInitial(blankForm(today));
  if (!initial && stored && isPending(stored)) setInitial(draftOf(stored));
  if (initial && drawers) return <LoadedForm id={id} initial={initial} drawers={drawers} onClose={onClose} />;
  return (
    <FullDialog
      title={t(id === 'new' ? 'expenses.form.createTitle' : 'expenses.form.editTitle')}
      closeLabel={t('form.close')}
      onClose={onClose}
      actions={<Button onClick={onClose}>{t('form.back')}</Button>}
    >
      <Flex direction="column" gap="5" maxWidth="40rem" mx="auto" p={{ base: '4', md: '8' }}>
        {stored && !isPending(stored) && <Banner tone="due">{t('errors.EXPENSE_DECIDED')}</Banner>}
        {expense.fault && <NotLoaded data={expense} />}
        {!stored && !expense.fault && [1, 2, 3, 4].map((row) => <Skeleton key={row} height="12" />)}
      </Flex>
    </FullDialog>
  );
}

function LoadedForm({
  id,
  initial,
  drawers,
  onClose,
}: ExpenseFormProps & { initial: ExpenseFormDraft; drawers: readonly OpenDrawer[] }) {
  const { t } = useTranslation();
  const isNew = id === 'new';
  const form = useDraftForm<ExpenseFormDraft>({
    name: `expense:${id}`,
    initial,
    problemsOf: isNew ? newExpenseProblems : (draft) => changedExpenseProblems(initial, draft),
  });
  const { save, upload } = useSaveExpense(id, form);
  const isOffline = useOutboxSummary()?.link === 'offline';
  return (
    <FullScreenForm
      maxWidth="40rem"
      gap="5"
      pt="6"
      form={form}
      title={t(isNew ? 'expenses.form.createTitle' : 'expenses.form.editTitle')}
      isNew={isNew}
      submitLabel={t(isNew ? 'expenses.form.create' : 'expenses.form.update')}
      save={save}
      onClose={onClose}
      lead={
        isOffline && (
          <Banner tone="due" title={t('expenses.form.away.title')}>
            {t(isNew ? 'expenses.form.away.create' : 'expenses.form.away.update')}
          </Banner>
        )
      }
    >
      <ExpenseFields form={form} isNew={isNew} upload={upload} drawers={drawers} />
    </FullScreenForm>
  );
}

/** Creates or updates an expense. Uploads a new receipt first, and saves nothing when the upload fails. */
function useSaveExpense(id: number | 'new', form: DraftForm<ExpenseFormDraft>) {
  const { t } = useTranslation();
  const upload = useUpload('receipt');
  const isNew = id === 'new';
  const saving = useServerCall(
    ({ body, key }: { body: ExpenseDraft; key: string }) => {
      const headers = { [idempotencyHeader]: key };
      return isNew ? callServer('post', 'expenses', body, headers) : callServer('put', `expenses/${id}`, body, headers);
    },
    {
      refreshes: expensePaths,
      done: ({ body: { title } }) => t(isNew ? 'expenses.form.created' : 'expenses.form.updated', { title }),
      failed: t(isNew ? 'expenses.form.createFailed' : 'expenses.form.updateFailed'),
      onRefused: form.takeRefusal,
    },
  );
  async function uploadReceipt(draft: ExpenseFormDraft): Promise<ExpenseFormDraft | null> {
    if (!draft.receipt) return draft;
    const url = await upload.send(draft.receipt);
    if (!url) return null;
    // Kept in the form so that a retry after a refusal does not upload the receipt again.
    form.setValue('receipt_url', url, { shouldDirty: true });
    form.setValue('receipt', null, { shouldDirty: true });
    return { ...draft, receipt_url: url, receipt: null };
  }
  return {
    /** @returns false when nothing was saved; the form or a toast then shows the reason */
    save: async (draft: ExpenseFormDraft): Promise<boolean> => {
      const complete = await uploadReceipt(draft);
      if (!complete) return false;
      const body = isNew ? createBody(complete) : updateBody(complete);
      const text = JSON.stringify(body);
      const key = draft.sent?.body === text ? draft.sent.key : newIdempotencyKey();
      form.setValue('sent', { body: text, key }, { shouldDirty: true });
      return saving.run({ body, key });
    },
    upload,
  };
}
