import { chakra } from '@chakra-ui/react';
import { Check, Paperclip, Pencil, Trash2, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ExpenseResource } from '../../../domain/expense/resources.ts';
import { isPending } from '../../../domain/expense/rules.ts';
import { useMay } from '../../session/use-may.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';

export type ExpenseDeed = 'receipt' | 'approve' | 'reject' | 'edit' | 'delete';
export type OnDeed = (deed: ExpenseDeed, expense: ExpenseResource) => void;

const icons: Record<Exclude<ExpenseDeed, 'receipt'>, ReactNode> = {
  approve: <Check />,
  reject: <X />,
  edit: <Pencil />,
  delete: <Trash2 />,
};
/** Red only where somebody means it: a column of colour draws the eye to what is rarely wanted. */
const meant = {
  approve: { _hover: { bg: 'paid.subtle', color: 'paid.fg' } },
  reject: { _hover: { bg: 'refused.subtle', color: 'refused.fg' } },
  delete: { _hover: { bg: 'refused.subtle', color: 'refused.fg' } },
} as const;

/** What the signed-in person can do about an expense in its present state. */
function useDeeds(expense: ExpenseResource): Exclude<ExpenseDeed, 'receipt'>[] {
  const [mayWrite, mayDecide] = [useMay('expense.write'), useMay('expense.decide')];
  const waits = isPending(expense);
  return [
    ...(waits && mayDecide ? (['approve', 'reject'] as const) : []),
    ...(waits && mayWrite ? (['edit'] as const) : []),
    ...(mayWrite ? (['delete'] as const) : []),
  ];
}

/** With words on a phone's card, as icons in the narrow column of the table. */
export function ExpenseActions({
  expense,
  onDeed,
  words = false,
}: {
  expense: ExpenseResource;
  onDeed: OnDeed;
  words?: boolean;
}) {
  const { t } = useTranslation();
  const deeds = useDeeds(expense);
  return deeds.map((deed) => {
    const label = t(`expenses.actions.${deed}`, { title: expense.title });
    const style = { color: 'fg.muted', ...(deed in meant && meant[deed as keyof typeof meant]) };
    return words ? (
      <Button
        key={deed}
        size="sm"
        variant="quiet"
        px="2"
        aria-label={label}
        onClick={() => onDeed(deed, expense)}
        {...style}
      >
        {icons[deed]}
        {t(`expenses.words.${deed}`)}
      </Button>
    ) : (
      <IconButton key={deed} size="sm" label={label} onClick={() => onDeed(deed, expense)} {...style}>
        {icons[deed]}
      </IconButton>
    );
  });
}

/** Leads to the receipt, from beneath the words that it proves. */
export function ReceiptLink({ expense, onDeed }: { expense: ExpenseResource; onDeed: OnDeed }) {
  const { t } = useTranslation();
  if (!expense.receipt_url) return null;
  return (
    <chakra.button
      type="button"
      aria-label={t('expenses.actions.receipt', { title: expense.title })}
      onClick={() => onDeed('receipt', expense)}
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
