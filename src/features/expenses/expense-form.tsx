import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ExpenseResource } from '../../../domain/expense/resources.ts';
import { changedExpenseProblems, isPending, newExpenseProblems } from '../../../domain/expense/rules.ts';
import { useDraftForm } from '../../forms/draft-form.ts';
import { NoAnswer } from '../../api/load-error.tsx';
import { useServerData } from '../../api/server-data.ts';
import { useOutboxSummary } from '../../sync/use-outbox-summary.ts';
import { useToday } from '../../formats/use-today.ts';
import { FormPage } from '../../forms/form-frames.tsx';
import { PageFrame } from '../../layout/page-frame.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { blankExpense, fieldsOf } from './expense-draft.ts';
import type { ExpenseFields as Fields } from './expense-draft.ts';
import { ExpenseFields } from './expense-fields.tsx';
import { useSaveExpense } from './use-save-expense.ts';

interface ExpenseFormProps {
  /** The expense to edit; `new` for one to come. */
  id: number | 'new';
  onClose: () => void;
}

/** The form of an expense, in the place of the list. */
export function ExpenseForm({ id, onClose }: ExpenseFormProps) {
  const { t } = useTranslation();
  const today = useToday();
  const expense = useServerData<{ data: ExpenseResource }>(`expenses/${id}`, {}, { enabled: id !== 'new' });
  const stored = expense.isBusy ? undefined : expense.value?.data;
  const [opened, setOpened] = useState<Fields | null>(null);
  // The form begins with what holds now; what comes later must not change it under somebody's hands.
  if (!opened && id === 'new' && today) setOpened(blankExpense(today));
  if (!opened && stored && isPending(stored)) setOpened(fieldsOf(stored));
  if (opened) return <OpenForm id={id} opened={opened} onClose={onClose} />;
  return (
    <PageFrame
      title={t(id === 'new' ? 'expenses.form.createTitle' : 'expenses.form.editTitle')}
      actions={<Button onClick={onClose}>{t('form.back')}</Button>}
    >
      {stored && !isPending(stored) && <Banner tone="due">{t('errors.EXPENSE_DECIDED')}</Banner>}
      {expense.fault && <NoAnswer data={expense} />}
      {!stored && !expense.fault && [1, 2, 3, 4].map((row) => <Skeleton key={row} height="12" maxWidth="40rem" />)}
    </PageFrame>
  );
}

function OpenForm({ id, opened, onClose }: ExpenseFormProps & { opened: Fields }) {
  const { t } = useTranslation();
  const isNew = id === 'new';
  const form = useDraftForm<Fields>({
    name: `expense:${id}`,
    initial: opened,
    problemsOf: isNew ? newExpenseProblems : (draft) => changedExpenseProblems(opened, draft),
  });
  const { save, upload } = useSaveExpense(id, form);
  const isAway = useOutboxSummary()?.link === 'offline';
  return (
    <FormPage
      form={form}
      title={t(isNew ? 'expenses.form.createTitle' : 'expenses.form.editTitle')}
      isNew={isNew}
      submitLabel={t(isNew ? 'expenses.form.create' : 'expenses.form.update')}
      save={save}
      onClose={onClose}
      lead={
        isAway && (
          <Banner tone="due" title={t('expenses.form.away.title')}>
            {t(isNew ? 'expenses.form.away.create' : 'expenses.form.away.update')}
          </Banner>
        )
      }
    >
      <ExpenseFields form={form} isNew={isNew} upload={upload} />
    </FormPage>
  );
}
