import { useTranslation } from 'react-i18next';
import type { ExpenseResource } from '#domain/expense/resources.ts';
import { shownStatus } from '#domain/expense/rules.ts';
import type { NounWords } from '#src/decisions/changes.ts';
import { useMoney } from '#src/formats/money.tsx';
import { useClinicFormats } from '#src/formats/use-formats.ts';

/** The fields of an expense in words, for what has changed since it was opened. */
export function useExpenseWords(): NounWords {
  const { t } = useTranslation();
  const { day } = useClinicFormats();
  const money = useMoney();
  return {
    title: { label: t('expenses.columns.title') },
    description: { label: t('expenses.columns.description') },
    amount: { label: t('expenses.columns.amount'), text: money },
    category: {
      label: t('expenses.columns.category'),
      text: (category: ExpenseResource['category']) => t(`expenses.categories.${category}`),
    },
    expense_date: { label: t('expenses.columns.date'), text: day },
    receipt_url: {
      label: t('expenses.words.receipt'),
      // A file has no words of its own.
      parts: (was: string | null, now: string | null) => [
        {
          label: t('expenses.words.receipt'),
          was: was ? t('decisions.there') : '–',
          now: now ? t(was ? 'decisions.another' : 'decisions.there') : '–',
        },
      ],
    },
    paid_from_drawer: {
      label: t('expenses.drawer.label'),
      text: (isPaid: boolean) => t(isPaid ? 'decisions.yes' : 'decisions.no'),
    },
    notes: { label: t('expenses.columns.notes') },
    status: {
      label: t('expenses.columns.status'),
      text: (status: string) => t(`expenses.status.${shownStatus(status)}`),
    },
  };
}
