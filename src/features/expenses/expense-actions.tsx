import { chakra } from '@chakra-ui/react';
import { Check, Paperclip, Pencil, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { ExpenseResource } from '#domain/expense/resources.ts';
import { isPending } from '#domain/expense/rules.ts';
import { useMay } from '#src/session/session.ts';
import type { MenuItem } from '#src/ui/menu.tsx';

export type ExpenseAction = 'receipt' | 'approve' | 'reject' | 'edit';
export type OnExpenseAction = (action: ExpenseAction, expense: ExpenseResource) => void;

const icons = { approve: <Check />, reject: <X />, edit: <Pencil /> } as const;

/** Returns what the signed-in person may do with an expense in its current status, besides deleting it. */
export function useExpenseActions(onAction: OnExpenseAction): (expense: ExpenseResource) => MenuItem[] {
  const { t } = useTranslation();
  const [mayWrite, mayDecide] = [useMay('expense.write'), useMay('expense.decide')];
  return (expense) => {
    if (!isPending(expense)) return [];
    const allowed = [...(mayDecide ? (['approve', 'reject'] as const) : []), ...(mayWrite ? (['edit'] as const) : [])];
    return allowed.map((key) => ({
      key,
      label: t(`expenses.words.${key}`),
      icon: icons[key],
      onSelect: () => onAction(key, expense),
    }));
  };
}

/** Opens the receipt; renders nothing for an expense without one. */
export function ReceiptLink({ expense, onAction }: { expense: ExpenseResource; onAction: OnExpenseAction }) {
  const { t } = useTranslation();
  if (!expense.receipt_url) return null;
  return (
    <chakra.button
      type="button"
      aria-label={t('expenses.actions.receipt', { title: expense.title })}
      onClick={() => onAction('receipt', expense)}
      display="inline-flex"
      alignItems="center"
      gap="1"
      minHeight="8"
      color="accent.fg"
      fontWeight="medium"
      cursor="pointer"
      borderRadius="md"
      _hover={{ textDecoration: 'underline' }}
    >
      <Paperclip size={14} aria-hidden />
      {t('expenses.words.receipt')}
    </chakra.button>
  );
}
