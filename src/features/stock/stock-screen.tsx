import { Plus } from 'lucide-react';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate } from 'react-router-dom';
import { useOpenAlertCount } from '#src/server-data/inventory.ts';
import { deliveryPaths } from '#src/server-data/purchasing.ts';
import { useOldestResponse, useRefresh } from '#src/server-data/use-server-data.ts';
import { PageFrame } from '#src/back-office/page-frame.tsx';
import { PageTabs } from '#src/back-office/page-tabs.tsx';
import { Button } from '#src/ui/button.tsx';
import { loadLater } from '#src/ui/load-later.tsx';
import { OpenedItem } from './items/opened-item.tsx';
import { useStockTab } from './use-stock-tab.ts';
import type { TabName } from './use-stock-tab.ts';
import { pathOf } from '#src/navigation/path-of.ts';
import { useOpened } from '#src/navigation/use-opened.ts';
import { useSession } from '#src/session/session.ts';

interface StockTab {
  name: TabName;
  screen: ComponentType;
}

/** Tabs in display order. Each is loaded when it is first opened. */
const tabs: readonly StockTab[] = [
  {
    name: 'dashboard',
    screen: loadLater(async () => (await import('./dashboard/dashboard-tab.tsx')).DashboardTab),
  },
  { name: 'inventory', screen: loadLater(async () => (await import('./items/items-tab.tsx')).ItemsTab) },
  {
    name: 'stock-management',
    screen: loadLater(async () => (await import('./adjustments/adjustments-tab.tsx')).AdjustmentsTab),
  },
  { name: 'alerts', screen: loadLater(async () => (await import('./alerts/alerts-tab.tsx')).AlertsTab) },
  {
    name: 'transactions',
    screen: loadLater(async () => (await import('./transactions/transactions-tab.tsx')).TransactionsTab),
  },
];

/** Tabs that the specification names here and that are sections of their own, or tabs of one. */
const elsewhere = new Map([
  ['menu-management', 'services'],
  ['categories', 'services?tab=categories'],
]);

export function StockScreen() {
  const { tab } = useStockTab();
  const role = useSession(({ user }) => user?.role);
  const section = tab === null ? undefined : elsewhere.get(tab);
  return section && role ? <Navigate to={pathOf(role, section)} replace /> : <StockTabs />;
}

function StockTabs() {
  const { t } = useTranslation();
  const { tab: requested, openTab } = useStockTab();
  const item = useOpened('item');
  const refresh = useRefresh(...deliveryPaths);
  const openAlerts = useOpenAlertCount();
  const { name, screen: Screen } = tabs.find((tab) => tab.name === requested) ?? tabs[0]!;
  return (
    <PageFrame
      title={t('stock.title')}
      text={t('stock.text')}
      onRefresh={refresh.run}
      isRefreshing={refresh.isRunning}
      oldSince={useOldestResponse()}
      actions={
        <Button variant="primary" onClick={() => item.open('new')}>
          <Plus />
          {t('stock.add')}
        </Button>
      }
    >
      <PageTabs
        id="stock-tab"
        label={t('stock.tabs.label')}
        chosen={name}
        onChange={openTab}
        tabs={tabs.map((tab) => ({
          value: tab.name,
          label: t(`stock.tabs.${tab.name}`),
          badge: tab.name === 'alerts' ? badgeOf(openAlerts) : undefined,
        }))}
      >
        <Screen />
      </PageTabs>
      <OpenedItem />
    </PageFrame>
  );
}

/** A higher count of alerts shows as "9+". */
const maxBadgeCount = 9;

const badgeOf = (count: number): string =>
  count > maxBadgeCount ? `${maxBadgeCount}+` : count > 0 ? String(count) : '';
