import { chakra } from '@chakra-ui/react';
import { CircleCheck, Clock, ListChecks, Sigma } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { ExpenseSummary } from '../../../domain/expense/resources.ts';
import { useServerData } from '../../api/server-data.ts';
import { useToday } from '../../formats/use-today.ts';
import { useClinicFormats } from '../../formats/use-clinic-formats.ts';
import { StatCard } from '../../ui/stat-card.tsx';
import { useAmount } from './use-amount.ts';

/** What the present month has cost so far. */
export function SummaryCards() {
  const { t } = useTranslation();
  const id = useId();
  const formats = useClinicFormats();
  const { amount } = useAmount();
  const today = useToday();
  const summary = useServerData<{ data: ExpenseSummary }>('expenses/summary').value?.data;
  return (
    <section aria-labelledby={id}>
      <chakra.h2 id={id} minHeight="6" mb="2" fontSize="sm" fontWeight="medium" color="fg.muted">
        {today && t('expenses.summary.month', { month: formats.month(today) })}
      </chakra.h2>
      <chakra.div display="grid" gridTemplateColumns={{ base: '1fr 1fr', lg: 'repeat(4, 1fr)' }} gap="3">
        <StatCard label={t('expenses.summary.count')} value={summary?.totalCount} icon={<ListChecks size={18} />} />
        <StatCard
          label={t('expenses.summary.pending')}
          value={summary && amount(summary.pendingAmount)}
          icon={<Clock size={18} />}
        />
        <StatCard
          label={t('expenses.summary.approved')}
          value={summary && amount(summary.approvedAmount)}
          icon={<CircleCheck size={18} />}
        />
        <StatCard
          label={t('expenses.summary.total')}
          value={summary && amount(summary.totalAmount)}
          icon={<Sigma size={18} />}
        />
      </chakra.div>
    </section>
  );
}
