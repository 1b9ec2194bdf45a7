import { chakra } from '@chakra-ui/react';
import { ClipboardList, Hourglass, TrendingDown, TrendingUp, Wallet } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { DashboardStats } from '../../../domain/report/resources.ts';
import { changeOf } from '../../../domain/report/totals.ts';
import { useClinicFormats } from '../../formats/use-clinic-formats.ts';
import { useMoney } from '../../formats/use-money.ts';
import { StatCard } from '../../ui/stat-card.tsx';

/** Today beside yesterday. */
export function TodayCards({ stats }: { stats: DashboardStats | undefined }) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const money = useMoney();
  const versus = (percent: number) => t('comparison.today', { change: formats.growth(percent) });
  const growth = stats?.todaysRevenue.percentageChange ?? 0;
  return (
    <chakra.div
      display="grid"
      gap="4"
      gridTemplateColumns={{ base: 'repeat(2, minmax(0, 1fr))', lg: 'repeat(4, minmax(0, 1fr))' }}
    >
      <StatCard
        label={t('dashboard.cards.orders')}
        icon={<ClipboardList size={18} />}
        value={stats && formats.quantity(stats.todaysOrders.count)}
        note={stats && versus(changeOf(stats.todaysOrders.count, stats.todaysOrders.yesterday))}
      />
      <StatCard
        label={t('dashboard.cards.revenue')}
        icon={<Wallet size={18} />}
        value={stats && money(stats.todaysRevenue.amount)}
        note={stats && versus(growth)}
      />
      <StatCard
        label={t('dashboard.cards.active')}
        icon={<Hourglass size={18} />}
        value={stats && formats.quantity(stats.activeOrders)}
        note={t('dashboard.cards.activeNote')}
      />
      <StatCard
        label={t('dashboard.cards.growth')}
        icon={growth >= 0 ? <TrendingUp size={18} /> : <TrendingDown size={18} />}
        value={stats && formats.growth(growth)}
        tone={growth >= 0 ? 'paid' : 'refused'}
        note={stats && t('dashboard.cards.yesterday', { amount: money(stats.todaysRevenue.yesterday) })}
      />
    </chakra.div>
  );
}
