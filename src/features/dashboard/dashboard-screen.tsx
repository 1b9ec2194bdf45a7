import { chakra } from '@chakra-ui/react';
import { ClipboardList, Hourglass, TrendingDown, TrendingUp, Wallet } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { DashboardStats } from '../../../domain/report/resources.ts';
import { changeOf } from '../../../domain/report/totals.ts';
import { dashboardPaths, useDashboardNow, useDashboardStats } from '../../server-data/dashboard.ts';
import { LoadError } from '../../server-data/load-error.tsx';
import { useOldestResponse, useRefresh } from '../../server-data/use-server-data.ts';
import { useClinicFormats } from '../../formats/use-formats.ts';
import { useLikelyToday, useToday } from '../../formats/clock.ts';
import { PageFrame } from '../../back-office/page-frame.tsx';
import { useGrowth } from '../../formats/use-growth.ts';
import { useMoney } from '../../formats/money.tsx';
import { StatCard } from '../../ui/stat-card.tsx';
import { OtherCurrencies } from '../../back-office/other-currencies.tsx';
import { ChartPanel } from '../../back-office/chart-panel.tsx';
import { IncomeReportSection } from './income-report.tsx';
import { NeedsAttention } from './needs-attention.tsx';
import { SameHourPanel } from './same-hour.tsx';
import { Shortcuts } from './shortcuts.tsx';

const wideAndNarrow = { base: 'minmax(0, 1fr)', lg: 'minmax(0, 5fr) minmax(0, 3fr)' };

/** Dashboard of the clinic: what needs a hand, today, the last seven days, shortcuts and the income report. */
export function DashboardScreen() {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const today = useToday();
  const refresh = useRefresh(...dashboardPaths);
  const now = useDashboardNow();
  const stats = useDashboardStats();
  return (
    <PageFrame
      title={t('dashboard.title')}
      detail={formats.longDay(useLikelyToday())}
      onRefresh={refresh.run}
      isRefreshing={refresh.isRunning}
      oldSince={useOldestResponse()}
    >
      {stats.fault ? (
        <LoadError data={stats} />
      ) : (
        <chakra.section aria-labelledby="today" display="flex" flexDirection="column" gap="4">
          <chakra.h2 id="today" srOnly>
            {t('reports.periods.today')}
          </chakra.h2>
          {!now.fault && (
            <chakra.div display="grid" gap="4" gridTemplateColumns={wideAndNarrow}>
              <NeedsAttention now={now.value?.data} />
              <SameHourPanel day={today} figures={now.value?.data.sameHour} />
            </chakra.div>
          )}
          <TodayCards stats={stats.value?.data} />
          <chakra.div display="grid" gap="4" gridTemplateColumns={wideAndNarrow}>
            <WeekChart week={stats.value?.data.week} />
            <Shortcuts />
          </chakra.div>
          <OtherCurrencies others={stats.value?.data.others} />
        </chakra.section>
      )}
      <IncomeReportSection />
    </PageFrame>
  );
}

/** Figures of today, compared with yesterday. */
function TodayCards({ stats }: { stats: DashboardStats | undefined }) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const money = useMoney();
  const { growth, versus } = useGrowth();
  const percentage = stats ? stats.todaysRevenue.percentageChange : 0;
  const isGain = percentage === null ? stats!.todaysRevenue.amount > 0 : percentage >= 0;
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
        note={stats && versus('today', changeOf(stats.todaysOrders.count, stats.todaysOrders.yesterday))}
      />
      <StatCard
        label={t('dashboard.cards.revenue')}
        icon={<Wallet size={18} />}
        value={stats && money(stats.todaysRevenue.amount)}
        note={stats && versus('today', percentage)}
      />
      <StatCard
        label={t('dashboard.cards.active')}
        icon={<Hourglass size={18} />}
        value={stats && formats.quantity(stats.activeOrders)}
        note={t('dashboard.cards.activeNote')}
      />
      <StatCard
        label={t('dashboard.cards.growth')}
        icon={isGain ? <TrendingUp size={18} /> : <TrendingDown size={18} />}
        value={stats && growth(percentage)}
        tone={isGain ? 'paid' : 'refused'}
        note={stats && t('dashboard.cards.yesterday', { amount: money(stats.todaysRevenue.yesterday) })}
      />
    </chakra.div>
  );
}

/** Revenue of each of the last seven days. */
function WeekChart({ week }: { week: DashboardStats['week'] | undefined }) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const money = useMoney();
  return (
    <ChartPanel
      title={t('dashboard.week.title')}
      pointHead={t('dashboard.week.day')}
      heads={[t('dashboard.week.revenue'), t('dashboard.week.orders')]}
      points={week?.map(({ day, orders, revenue }) => ({
        key: day,
        tick: formats.shortWeekday(day),
        name: formats.day(day),
        value: revenue,
        cells: [money(revenue), formats.quantity(orders)],
      }))}
      empty={t('dashboard.week.empty')}
    />
  );
}
