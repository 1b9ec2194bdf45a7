import { useTranslation } from 'react-i18next';
import type { ExpenseDraft } from '../../../domain/expense/resources.ts';
import { idempotencyHeader } from '../../../domain/protocol/sync.ts';
import type { DraftForm } from '../../forms/draft-form.ts';
import { callServer, newKey, useServerCall } from '../../api/server-call.ts';
import { useUpload } from '../../api/upload.ts';
import { bodyOf, changeOf } from './expense-draft.ts';
import type { ExpenseFields } from './expense-draft.ts';

/** Creates or changes an expense; its new receipt is uploaded first, and without it nothing is saved. */
export function useSaveExpense(id: number | 'new', form: DraftForm<ExpenseFields>) {
  const { t } = useTranslation();
  const upload = useUpload('receipt');
  const isNew = id === 'new';
  const saving = useServerCall(
    ({ body, key }: { body: ExpenseDraft; key: string }) => {
      const headers = { [idempotencyHeader]: key };
      return isNew ? callServer('post', 'expenses', body, headers) : callServer('put', `expenses/${id}`, body, headers);
    },
    {
      refreshes: ['expenses'],
      done: ({ body: { title } }) => t(isNew ? 'expenses.form.created' : 'expenses.form.updated', { title }),
      failed: t(isNew ? 'expenses.form.createFailed' : 'expenses.form.updateFailed'),
      onRefused: form.takeRefusal,
    },
  );
  async function uploaded(draft: ExpenseFields): Promise<ExpenseFields | null> {
    if (!draft.receipt) return draft;
    const url = await upload.send(draft.receipt);
    if (!url) return null;
    // Should the expense itself be refused, its receipt need not travel again.
    form.setValue('receipt_url', url, { shouldDirty: true });
    form.setValue('receipt', null, { shouldDirty: true });
    return { ...draft, receipt_url: url, receipt: null };
  }
  return {
    /** @returns whether it is saved; if not, the form or a toast has said why */
    save: async (draft: ExpenseFields): Promise<boolean> => {
      const complete = await uploaded(draft);
      if (!complete) return false;
      const body = isNew ? bodyOf(complete) : changeOf(complete);
      const text = JSON.stringify(body);
      const key = draft.sent?.body === text ? draft.sent.key : newKey();
      form.setValue('sent', { body: text, key }, { shouldDirty: true });
      return saving.run({ body, key });
    },
    upload,
  };
}
