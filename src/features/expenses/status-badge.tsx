import { useTranslation } from 'react-i18next';
import { shownStatus } from '../../../domain/expense/rules.ts';
import type { ExpenseStatus } from '../../../domain/expense/vocabulary.ts';
import { Badge } from '../../ui/badge.tsx';
import type { Tone } from '../../ui/tone.ts';

const tones: Record<ExpenseStatus, Tone> = { pending: 'due', approved: 'paid', rejected: 'refused' };

export function StatusBadge({ status }: { status: string }) {
  const { t } = useTranslation();
  const shown = shownStatus(status);
  return <Badge tone={tones[shown]}>{t(`expenses.status.${shown}`)}</Badge>;
}
