import { chakra } from '@chakra-ui/react';
import { ClipboardCheck, Receipt, TrendingDown, TrendingUp, Wallet } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Analytics } from '../../../../domain/report/resources.ts';
import { useClinicFormats } from '../../../formats/use-clinic-formats.ts';
import { useMoney } from '../../../formats/use-money.ts';
import { StatCard } from '../../../ui/stat-card.tsx';

/** The period in four figures. */
export function PeriodCards({ analytics }: { analytics: Analytics | undefined }) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const money = useMoney();
  const growth = analytics?.growthRate.percentage ?? 0;
  return (
    <chakra.div
      display="grid"
      gap="4"
      gridTemplateColumns={{ base: 'repeat(2, minmax(0, 1fr))', lg: 'repeat(4, minmax(0, 1fr))' }}
    >
      <StatCard
        label={t('reports.cards.revenue')}
        icon={<Wallet size={18} />}
        value={analytics && money(analytics.totalRevenue.amount)}
        note={analytics && t(`comparison.${analytics.period}`, { change: formats.growth(growth) })}
      />
      <StatCard
        label={t('reports.cards.completed')}
        icon={<ClipboardCheck size={18} />}
        value={analytics && formats.quantity(analytics.completedOrders)}
        note={analytics && t('reports.cards.cancelled', { count: analytics.cancelledOrders })}
      />
      <StatCard
        label={t('reports.cards.average')}
        icon={<Receipt size={18} />}
        value={analytics && money(analytics.averageOrder.amount)}
        note={t('reports.cards.averageNote')}
      />
      <StatCard
        label={t('reports.cards.growth')}
        icon={growth >= 0 ? <TrendingUp size={18} /> : <TrendingDown size={18} />}
        value={analytics && formats.growth(growth)}
        tone={growth >= 0 ? 'paid' : 'refused'}
        note={
          analytics && t(`reports.cards.before.${analytics.period}`, { amount: money(analytics.totalRevenue.previous) })
        }
      />
    </chakra.div>
  );
}
