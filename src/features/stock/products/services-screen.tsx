import { useTranslation } from 'react-i18next';
import { PageFrame } from '#src/back-office/page-frame.tsx';
import { PageTabs } from '#src/back-office/page-tabs.tsx';
import { useAddressChoice } from '#src/navigation/use-address-choice.ts';
import { cataloguePaths } from '#src/server-data/catalogue.ts';
import { useOldestResponse, useRefresh } from '#src/server-data/use-server-data.ts';
import { loadLater } from '#src/ui/load-later.tsx';
import { AddCategory } from '../categories/add-category.tsx';
import { OpenedItem } from '../items/opened-item.tsx';
import { AddService } from './add-service.tsx';
import { ServicesTab } from './services-tab.tsx';

const CategoryList = loadLater(async () => (await import('../categories/category-list.tsx')).CategoryList);

const tabs = ['services', 'categories'] as const;

/** Services section: what the counter offers, and the categories that group it. */
export function ServicesScreen() {
  const { t } = useTranslation();
  const [tab, openTab] = useAddressChoice('tab', tabs, { dropsOthers: true });
  const refresh = useRefresh(...cataloguePaths);
  const isList = tab === 'services';
  return (
    <PageFrame
      title={t('services.title')}
      text={t(isList ? 'services.text' : 'categories.text')}
      onRefresh={refresh.run}
      isRefreshing={refresh.isRunning}
      oldSince={useOldestResponse()}
      actions={isList ? <AddService /> : <AddCategory />}
    >
      <PageTabs
        id="services-tab"
        label={t('services.title')}
        chosen={tab}
        onChange={openTab}
        tabs={tabs.map((value) => ({
          value,
          label: t(value === 'services' ? 'services.filter.all' : 'categories.title'),
        }))}
      >
        {isList ? <ServicesTab /> : <CategoryList />}
      </PageTabs>
      <OpenedItem />
    </PageFrame>
  );
}
