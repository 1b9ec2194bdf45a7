import { useTranslation } from 'react-i18next';
import { PageFrame } from '#src/back-office/page-frame.tsx';
import { PageTabs } from '#src/back-office/page-tabs.tsx';
import { useAddressChoice } from '#src/navigation/use-address-choice.ts';
import { useOpened } from '#src/navigation/use-opened.ts';
import { deliveryPaths } from '#src/server-data/purchasing.ts';
import { useOldestResponse, useRefresh } from '#src/server-data/use-server-data.ts';
import { loadLater } from '#src/ui/load-later.tsx';
import { CreateOrder, PurchaseOrdersTab } from './purchase-orders-tab.tsx';

const LotsTab = loadLater(async () => (await import('../lots/lots-tab.tsx')).LotsTab);

const tabs = ['orders', 'lots'] as const;

/** Purchasing section: the orders to suppliers, and the lots that their deliveries brought. */
export function PurchasingScreen() {
  const { t } = useTranslation();
  const [tab, openTab] = useAddressChoice('tab', tabs, { dropsOthers: true });
  const { opened } = useOpened('order');
  const refresh = useRefresh(...deliveryPaths);
  return (
    <PageFrame
      title={t('purchasing.title')}
      text={t('purchasing.text')}
      onRefresh={refresh.run}
      isRefreshing={refresh.isRunning}
      oldSince={useOldestResponse()}
      actions={tab === 'orders' && typeof opened !== 'number' && <CreateOrder />}
    >
      <PageTabs
        id="purchasing-tab"
        label={t('purchasing.title')}
        chosen={tab}
        onChange={openTab}
        tabs={tabs.map((value) => ({ value, label: t(`purchasing.tabs.${value}`) }))}
      >
        {tab === 'orders' ? <PurchaseOrdersTab /> : <LotsTab />}
      </PageTabs>
    </PageFrame>
  );
}
