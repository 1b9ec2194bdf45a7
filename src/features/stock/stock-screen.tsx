import { chakra } from '@chakra-ui/react';
import { Plus } from 'lucide-react';
import { Suspense } from 'react';
import type { ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import type { StockAlertStats } from '../../../domain/stock/resources.ts';
import { useOldestResponse, useRefresh, useServerData } from '../../server-data/use-server-data.ts';
import { PageFrame } from '../../back-office/page-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { loadLater } from '../../ui/load-later.tsx';
import { TabBar } from '../../ui/tab-bar.tsx';
import { AddService } from './products/add-service.tsx';
import { useStockTab } from './use-stock-tab.ts';
import type { TabName } from './use-stock-tab.ts';
import { useOpened } from '../../navigation/use-opened.ts';

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
  {
    name: 'purchase-orders',
    screen: loadLater(async () => (await import('./purchase-orders/purchase-orders-tab.tsx')).PurchaseOrdersTab),
  },
  { name: 'lots', screen: loadLater(async () => (await import('./lots/lots-tab.tsx')).LotsTab) },
  { name: 'menu-management', screen: loadLater(async () => (await import('./products/services-tab.tsx')).ServicesTab) },
  { name: 'categories', screen: loadLater(async () => (await import('./categories/category-list.tsx')).CategoryList) },
];

const StockItemForm = loadLater(async () => (await import('./items/item-form.tsx')).StockItemForm);

export function StockScreen() {
  const { t } = useTranslation();
  const { tab: requested, openTab } = useStockTab();
  const item = useOpened('item');
  const refresh = useRefresh('stock', 'products', 'services', 'categories', 'purchase-orders');
  const { name, screen: Screen } = tabs.find((tab) => tab.name === requested) ?? tabs[0]!;
  const isServices = name === 'menu-management';
  return (
    <PageFrame
      title={t(isServices ? 'services.title' : 'stock.title')}
      text={t(isServices ? 'services.text' : 'stock.text')}
      onRefresh={refresh.run}
      isRefreshing={refresh.isRunning}
      oldSince={useOldestResponse()}
      actions={
        isServices ? (
          <AddService />
        ) : (
          <Button variant="primary" onClick={() => item.open('new')}>
            <Plus />
            {t('stock.add')}
          </Button>
        )
      }
    >
      <StockTabs chosen={name} onChange={openTab} />
      <chakra.div id="stock-tab" role="tabpanel" aria-labelledby="stock-tab-name" minWidth="0">
        <chakra.h2 id="stock-tab-name" srOnly>
          {t(`stock.tabs.${name}`)}
        </chakra.h2>
        <Suspense fallback={null}>
          <Screen />
        </Suspense>
      </chakra.div>
      {item.opened !== null && (
        <Suspense fallback={null}>
          <StockItemForm key={item.opened} id={item.opened} onClose={item.close} />
        </Suspense>
      )}
    </PageFrame>
  );
}

/** A higher count of alerts shows as "9+". */
const maxBadgeCount = 9;

function StockTabs({ chosen, onChange }: { chosen: TabName; onChange: (name: TabName) => void }) {
  const { t } = useTranslation();
  const openAlerts = useServerData<{ data: StockAlertStats }>('stock/inventory/alerts/stats').value?.data.total ?? 0;
  const badge = openAlerts > maxBadgeCount ? `${maxBadgeCount}+` : openAlerts > 0 ? String(openAlerts) : '';
  return (
    <TabBar
      label={t('stock.tabs.label')}
      panelId="stock-tab"
      value={chosen}
      onChange={onChange}
      tabs={tabs.map(({ name }) => ({
        value: name,
        label: t(`stock.tabs.${name}`),
        badge: name === 'alerts' ? badge : undefined,
      }))}
      mx={{ base: '-4', md: '-8' }}
      px={{ base: '4', md: '8' }}
    />
  );
}
