import { chakra } from '@chakra-ui/react';
import { ClipboardList, Hourglass, Target, TrendingDown, TrendingUp } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { DashboardStats, RevenueTarget } from '#domain/report/resources.ts';
import { changeOf } from '#domain/report/totals.ts';
import { dashboardPaths, useDashboardNow, useDashboardStats } from '#src/server-data/dashboard.ts';
import { NotLoaded } from '#src/server-data/load-error.tsx';
import { useOldestResponse, useRefresh } from '#src/server-data/use-server-data.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { useLikelyToday, useToday } from '#src/formats/clock.ts';
import { PageFrame } from '#src/back-office/page-frame.tsx';
import { useGrowth } from '#src/formats/use-growth.ts';
import { unbroken, useMoney } from '#src/formats/money.tsx';
import { StatCard } from '#src/ui/stat-card.tsx';
import { OtherCurrencies } from '#src/back-office/other-currencies.tsx';
import { ChartPanel } from '#src/back-office/chart-panel.tsx';
import { useSession } from '#src/session/session.ts';
import { SetupChecklist } from '#src/setup/checklist.tsx';
import { IncomeReportSection } from './income-report.tsx';
import { NeedsAttention } from './needs-attention.tsx';
import { TodaysRevenue } from './todays-revenue.tsx';
import { Shortcuts } from './shortcuts.tsx';

const wideAndNarrow = { base: 'minmax(0, 1fr)', lg: 'minmax(0, 5fr) minmax(0, 3fr)' };

/** Dashboard of the clinic: what needs a hand, today, the last seven days, shortcuts and the income report. */
export function DashboardScreen() {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const today = useToday();
  const isAdmin = useSession(({ user }) => user?.role === 'admin');
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
      {isAdmin && <SetupChecklist />}
      {stats.fault ? (
        <NotLoaded data={stats} />
      ) : (
        <chakra.section aria-labelledby="today" display="flex" flexDirection="column" gap="4">
          <chakra.h2 id="today" srOnly>
            {t('reports.periods.today')}
          </chakra.h2>
          <chakra.div display="grid" gap="4" gridTemplateColumns={now.fault ? 'minmax(0, 1fr)' : wideAndNarrow}>
            {!now.fault && <NeedsAttention now={now.value?.data} />}
            <TodaysRevenue
              day={today}
              stats={stats.value?.data}
              sameHour={now.fault ? null : now.value?.data.sameHour}
            />
          </chakra.div>
          <TodayCards day={today} stats={stats.value?.data} />
          <chakra.div display="grid" gap="4" gridTemplateColumns={wideAndNarrow}>
            <WeekChart stats={stats.value?.data} />
            <Shortcuts />
          </chakra.div>
          <OtherCurrencies others={stats.value?.data.others} />
        </chakra.section>
      )}
      {/* One message for a page that is not there. */}
      {!stats.fault && <IncomeReportSection />}
    </PageFrame>
  );
}

/** Figures of today, compared with the last day on which the clinic worked. */
function TodayCards({ day, stats }: { day: string | undefined; stats: DashboardStats | undefined }) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const money = useMoney();
  const { growth, versus, before } = useGrowth();
  const percentage = stats ? stats.todaysRevenue.percentageChange : 0;
  const isGain = percentage === null ? stats!.todaysRevenue.amount > 0 : percentage >= 0;
  const target = stats?.target;
  const compared =
    stats &&
    day !== undefined &&
    ({ period: 'today', comparison: 'before', today: day, start: stats.comparedDay } as const);
  return (
    <chakra.div
      display="grid"
      gap="4"
      gridTemplateColumns={{
        base: 'repeat(2, minmax(0, 1fr))',
        md: `repeat(${target ? 2 : 3}, minmax(0, 1fr))`,
        lg: `repeat(${target ? 4 : 3}, minmax(0, 1fr))`,
      }}
    >
      <StatCard
        label={t('dashboard.cards.orders')}
        icon={<ClipboardList size={18} />}
        value={stats && formats.quantity(stats.todaysOrders.count)}
        note={compared && versus(compared, changeOf(stats.todaysOrders.count, stats.todaysOrders.previous))}
      />
      <StatCard
        label={t('dashboard.cards.active')}
        icon={<Hourglass size={18} />}
        value={stats && formats.quantity(stats.activeOrders)}
        note={t('dashboard.cards.activeNote')}
      />
      <chakra.div gridColumn={{ base: target ? 'auto' : '1 / -1', md: 'auto' }} display="grid">
        <StatCard
          label={t('dashboard.cards.growth')}
          icon={isGain ? <TrendingUp size={18} /> : <TrendingDown size={18} />}
          value={stats && growth(percentage)}
          tone={isGain ? 'paid' : 'refused'}
          note={compared && before(compared, money(stats.todaysRevenue.previous))}
        />
      </chakra.div>
      {target && <MonthTarget target={target} />}
    </chakra.div>
  );
}

/** How much of the month's target is reached. */
function MonthTarget({ target: { month, reached } }: { target: RevenueTarget }) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const money = useMoney();
  const share = reached / month;
  return (
    <StatCard
      label={t('dashboard.target.month')}
      icon={<Target size={18} />}
      value={formats.percent(share * 100)}
      note={t('dashboard.target.reached', { reached: unbroken(money(reached)), month: unbroken(money(month)) })}
    />
  );
}

/** Revenue of each of the last seven days, before the same weekdays of the week before. */
function WeekChart({ stats }: { stats: DashboardStats | undefined }) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const money = useMoney();
  return (
    <ChartPanel
      title={t('dashboard.week.title')}
      pointHead={t('dashboard.week.day')}
      heads={[t('dashboard.week.revenue'), t('dashboard.week.before'), t('dashboard.week.orders')]}
      points={stats?.week.map(({ day, orders, revenue, compared }) => ({
        key: day,
        tick: formats.shortWeekday(day),
        name: formats.weekdayAndDay(day),
        value: revenue,
        compared: compared?.revenue,
        cells: [money(revenue), money(compared?.revenue ?? 0), formats.quantity(orders)],
      }))}
      target={stats?.target?.day}
      comparedName={t('dashboard.week.before')}
      empty={t('dashboard.week.empty')}
    />
  );
}
