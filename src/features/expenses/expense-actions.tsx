import { chakra } from '@chakra-ui/react';
import { Check, Paperclip, Pencil, Trash2, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { ExpenseResource } from '../../../domain/expense/resources.ts';
import { isPending } from '../../../domain/expense/rules.ts';
import { useMay } from '../../session/session.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { StyledButton } from '../../ui/styled.tsx';

export type ExpenseAction = 'receipt' | 'approve' | 'reject' | 'edit' | 'delete';
export type OnExpenseAction = (action: ExpenseAction, expense: ExpenseResource) => void;

const icons: Record<Exclude<ExpenseAction, 'receipt'>, ReactNode> = {
  approve: <Check />,
  reject: <X />,
  edit: <Pencil />,
  delete: <Trash2 />,
};
/** Colours that show on hover only: a coloured column would draw the eye to rarely used buttons. */
const hoverStyles = {
  approve: { _hover: { bg: 'paid.subtle', color: 'paid.fg' } },
  reject: { _hover: { bg: 'refused.subtle', color: 'refused.fg' } },
  delete: { _hover: { bg: 'refused.subtle', color: 'refused.fg' } },
} as const;

/** Returns the actions that the signed-in user may take on an expense in its current status. */
function useAllowedActions(expense: ExpenseResource): Exclude<ExpenseAction, 'receipt'>[] {
  const [mayWrite, mayDecide] = [useMay('expense.write'), useMay('expense.decide')];
  const pending = isPending(expense);
  return [
    ...(pending && mayDecide ? (['approve', 'reject'] as const) : []),
    ...(pending && mayWrite ? (['edit'] as const) : []),
    ...(mayWrite ? (['delete'] as const) : []),
  ];
}

/** Buttons for the allowed actions: with labels on a phone's card, as icons in the narrow column of the table. */
export function ExpenseActions({
  expense,
  onAction,
  showLabels = false,
}: {
  expense: ExpenseResource;
  onAction: OnExpenseAction;
  showLabels?: boolean;
}) {
  const { t } = useTranslation();
  const allowed = useAllowedActions(expense);
  return allowed.map((action) => {
    const label = t(`expenses.actions.${action}`, { title: expense.title });
    const style = {
      color: 'fg.muted',
      ...(action in hoverStyles && hoverStyles[action as keyof typeof hoverStyles]),
    };
    return showLabels ? (
      <StyledButton
        key={action}
        size="sm"
        variant="quiet"
        px="2"
        aria-label={label}
        onClick={() => onAction(action, expense)}
        {...style}
      >
        {icons[action]}
        {t(`expenses.words.${action}`)}
      </StyledButton>
    ) : (
      <IconButton key={action} size="sm" label={label} onClick={() => onAction(action, expense)} {...style}>
        {icons[action]}
      </IconButton>
    );
  });
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
