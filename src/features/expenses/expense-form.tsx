import { Flex } from '@chakra-ui/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ExpenseResource } from '#domain/expense/resources.ts';
import { changedExpenseProblems, isPending, newExpenseProblems } from '#domain/expense/rules.ts';
import type { ErrorCode } from '#domain/protocol/errors.ts';
import type { CallFault } from '#src/api/client.ts';
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
import { edited } from '#src/forms/edited-record.ts';
import type { EditedRecord } from '#src/forms/edited-record.ts';
import { useReopened } from '#src/forms/use-reopened.ts';
import { useFieldTexts } from '#src/forms/use-field-texts.ts';
import { useSaveRecord } from '#src/forms/use-save-record.ts';
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

const draftName = (id: number | 'new') => `expense:${id}`;

/** Returns why an expense can be changed no more. */
function overOf(expense: ExpenseResource | 'new', fault: CallFault | null): ErrorCode | undefined {
  if (fault?.code === 'EXPENSE_NOT_FOUND') return fault.code;
  return expense !== 'new' && !isPending(expense) ? 'EXPENSE_DECIDED' : undefined;
}

/** Expense form that replaces the list. It refuses to edit an expense that is no longer pending. */
export function ExpenseForm({ id, onClose }: ExpenseFormProps) {
  const { t } = useTranslation();
  const today = useToday();
  const expense = useExpense(id);
  const [opened, setOpened] = useState<ExpenseResource | null>(null);
  const [hasDraft, setHasDraft] = useState(false);
  useReopened(draftName(id), () => setHasDraft(true));
  // Before the form: the note about them has one line or two.
  const drawers = useLiveQuery(() => openLocalDrawers(db), []);
  const read = expense.value?.data;
  const stored = expense.isBusy && !opened ? undefined : read;
  // The form opens with what the server has, and stays when the expense is decided meanwhile, as does what was typed before.
  if (!opened && stored && (isPending(stored) || hasDraft)) setOpened(stored);
  const shown = id === 'new' ? 'new' : opened && (read ?? opened);
  if (shown && today && drawers)
    return <LoadedForm {...{ id, today, drawers, onClose }} expense={shown} over={overOf(shown, expense.fault)} />;
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
  expense,
  over,
  today,
  drawers,
  onClose,
}: ExpenseFormProps & {
  over: ErrorCode | undefined;
  expense: ExpenseResource | 'new';
  today: string;
  drawers: readonly OpenDrawer[];
}) {
  const { t } = useTranslation();
  const isNew = expense === 'new';
  const views = useExpenseViews();
  const form = useDraftForm<ExpenseFormDraft>({
    name: draftName(id),
    initial: blankForm(today),
    record: edited<ExpenseResource, ExpenseFormDraft>(expense, {
      draftOf,
      bodyOf: updateBody,
      views,
    }),
    problemsOf: isNew ? newExpenseProblems : (draft) => changedExpenseProblems(expense, draft),
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
      over={over && t(`errors.${over}`)}
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

/** Returns how the form shows its fields in a sentence. */
function useExpenseViews(): EditedRecord<ExpenseFormDraft>['views'] {
  const { t } = useTranslation();
  const texts = useFieldTexts();
  return {
    title: { label: t('expenses.columns.title') },
    description: { label: t('expenses.columns.description') },
    amount: { label: t('expenses.columns.amount'), text: texts.money },
    category: {
      label: t('expenses.columns.category'),
      text: (category: ExpenseResource['category']) => t(`expenses.categories.${category}`),
    },
    expense_date: { label: t('expenses.columns.date'), text: texts.day },
    receipt_url: {
      label: t('expenses.form.receipt'),
      text: texts.picture,
      picture: { file: 'receipt', isPrivate: true },
    },
    notes: { label: t('expenses.form.notes') },
  };
}

/** Creates or updates an expense. Uploads a new receipt first, and saves nothing when the upload fails. */
function useSaveExpense(id: number | 'new', form: DraftForm<ExpenseFormDraft>) {
  const { t } = useTranslation();
  const upload = useUpload('receipt');
  const isNew = id === 'new';
  const saving = useSaveRecord({
    form,
    path: isNew ? 'expenses' : `expenses/${id}`,
    bodyOf: createBody,
    refreshes: expensePaths,
    done: ({ title }) => t(isNew ? 'expenses.form.created' : 'expenses.form.updated', { title }),
    failed: t(isNew ? 'expenses.form.createFailed' : 'expenses.form.updateFailed'),
    // The page may close before the reply arrives: the same sent again creates one expense.
    keepAs: `expense:${id}:sent`,
    settledAtOnce: ['paid_from_drawer', 'drawer_id'],
  });
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
      return complete !== null && saving.save(complete);
    },
    upload,
  };
}
