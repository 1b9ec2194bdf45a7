import { Banknote } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { ExpenseResource } from '../../../domain/expense/resources.ts';
import { Badge } from '../../ui/badge.tsx';

/** Says that the money came out of the cash drawer; nothing where it did not. */
export function DrawerBadge({ expense }: { expense: ExpenseResource }) {
  const { t } = useTranslation();
  if (!expense.paid_from_drawer) return null;
  return (
    <Badge>
      <Banknote aria-hidden />
      {t('expenses.drawer.badge')}
    </Badge>
  );
}
