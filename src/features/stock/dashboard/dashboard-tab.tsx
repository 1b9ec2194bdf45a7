import { chakra } from '@chakra-ui/react';
import { Boxes, Coins, PackageMinus, PackageX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { minorFromWire } from '#domain/money.ts';
import type { StockActivity, StockStats } from '#domain/stock/resources.ts';
import { useLatestAlerts, useStockActivity, useStockStats } from '#src/server-data/inventory.ts';
import { LoadError, NotLoaded } from '#src/server-data/load-error.tsx';
import { useCurrency } from '#src/local-data/use-clinic-settings.ts';
import { MoneyText, useMoney } from '#src/formats/money.tsx';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { StatCard } from '#src/ui/stat-card.tsx';
import { Panel } from '#src/ui/panel.tsx';
import { RankedRows } from '#src/ui/ranked-rows.tsx';
import { WeeklyActivity } from './weekly-activity.tsx';
import { latestAlerts, LatestAlerts } from './latest-alerts.tsx';
import { RecentTransactions } from './recent-transactions.tsx';

const twoColumns = 'repeat(2, minmax(0, 1fr))';
const oneOrTwoColumns = { base: 'minmax(0, 1fr)', lg: twoColumns };

/** Overview of stock: levels, suppliers, open alerts and recent transactions. Shows each part that has loaded. */
export function DashboardTab() {
  const stats = useStockStats();
  const activity = useStockActivity();
  const alerts = useLatestAlerts(latestAlerts);
  const hasStats = Boolean(stats.value ?? stats.fault);
  const hasUpper = hasStats && Boolean(alerts.value ?? alerts.fault);
  if (stats.fault && activity.fault) return <NotLoaded data={stats} />;
  return (
    <chakra.div display="grid" gap="4">
      {stats.fault ? <LoadError data={stats} /> : <LevelCards stats={stats.value?.data} />}
      <chakra.div display="grid" gap="4" gridTemplateColumns={oneOrTwoColumns}>
        {!stats.fault && <TopSuppliers suppliers={stats.value?.data.topSuppliers} />}
        {hasStats && <LatestAlerts />}
      </chakra.div>
      {!hasUpper ? (
        // What is above has its height only with the data.
        <span aria-busy />
      ) : activity.fault ? (
        <LoadError data={activity} />
      ) : (
        <chakra.div display="grid" gap="4" gridTemplateColumns={oneOrTwoColumns}>
          <MovementCards activity={activity.value?.data} />
          <WeeklyActivity days={activity.value?.data.days} />
        </chakra.div>
      )}
      {hasUpper && (activity.value ?? activity.fault) && <RecentTransactions />}
    </chakra.div>
  );
}

function LevelCards({ stats }: { stats: StockStats | undefined }) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const currency = useCurrency();
  return (
    <chakra.div display="grid" gap="4" gridTemplateColumns={{ base: twoColumns, lg: 'repeat(4, minmax(0, 1fr))' }}>
      <StatCard
        label={t('stock.dashboard.total')}
        icon={<Boxes size={18} />}
        value={stats && formats.quantity(stats.total)}
        note={stats && t('stock.dashboard.inStock', { count: stats.inStock })}
      />
      <StatCard
        label={t('stock.dashboard.value')}
        icon={<Coins size={18} />}
        value={stats && <MoneyText minor={minorFromWire(stats.totalValue)} currency={currency} whiteSpace="normal" />}
        note={t('stock.dashboard.valueNote')}
      />
      <StatCard
        label={t('stock.dashboard.low')}
        icon={<PackageMinus size={18} />}
        value={stats && formats.quantity(stats.lowStock)}
        note={t('stock.dashboard.lowNote')}
        tone={stats && stats.lowStock > 0 ? 'low' : undefined}
      />
      <StatCard
        label={t('stock.dashboard.out')}
        icon={<PackageX size={18} />}
        value={stats && formats.quantity(stats.outOfStock)}
        note={t('stock.dashboard.outNote')}
        tone={stats && stats.outOfStock > 0 ? 'refused' : undefined}
      />
    </chakra.div>
  );
}

function MovementCards({ activity }: { activity: StockActivity | undefined }) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const currency = useCurrency();
  return (
    <chakra.div display="grid" gap="4" gridTemplateColumns={twoColumns}>
      <StatCard
        label={t('stock.dashboard.transactions')}
        value={activity && formats.quantity(activity.count)}
        note={activity && t('stock.dashboard.lastDays', { count: activity.last7Days })}
      />
      <StatCard
        label={t('stock.dashboard.usage')}
        value={
          activity && <MoneyText minor={minorFromWire(activity.usageCost)} currency={currency} whiteSpace="normal" />
        }
        note={t('stock.dashboard.usageNote')}
      />
      <StatCard
        label={t('stock.dashboard.today')}
        value={activity && formats.quantity(activity.today)}
        note={t('stock.dashboard.todayNote')}
      />
      <StatCard
        label={t('stock.dashboard.movements')}
        value={
          activity &&
          t('stock.dashboard.inOut', {
            in: formats.quantity(activity.movementsIn),
            out: formats.quantity(activity.movementsOut),
          })
        }
        note={t('stock.dashboard.inOutNote')}
      />
    </chakra.div>
  );
}

/** The server's name for the supplier of items without one. */
const unnamed = 'Unknown';

/** Suppliers with the highest stock value, each with its share as a bar. */
function TopSuppliers({ suppliers }: { suppliers: StockStats['topSuppliers'] | undefined }) {
  const { t } = useTranslation();
  const formats = useClinicFormats();
  const money = useMoney();
  return (
    <Panel title={t('stock.dashboard.suppliers')}>
      <RankedRows
        rows={suppliers?.map(({ supplier, count, value, percent }) => ({
          key: supplier,
          name: supplier === unnamed ? t('stock.dashboard.unnamedSupplier') : supplier,
          value: money(value),
          notes: [t('stock.dashboard.items', { count }), formats.percent(percent)],
          share: percent / 100,
        }))}
        empty={t('stock.dashboard.noSuppliers')}
      />
    </Panel>
  );
}
