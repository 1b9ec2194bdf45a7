import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { useOldestResponse, useRefresh } from '../../server-data/use-server-data.ts';
import { useAddressChoice } from '../../navigation/use-address-choice.ts';
import { PageFrame } from '../../back-office/page-frame.tsx';
import { TabBar } from '../../ui/tab-bar.tsx';
import { AnalyticsTab } from './analytics/analytics-tab.tsx';
import { DayEndTab } from './day-end/day-end-tab.tsx';
import { ExportTab } from './export/export-tab.tsx';
import { RemovalsTab } from './removals/removals-tab.tsx';

const tabs = ['analytics', 'day-end', 'removals', 'export'] as const;

const screens = { analytics: AnalyticsTab, 'day-end': DayEndTab, removals: RemovalsTab, export: ExportTab };

/** Reports section: analytics of a period, summary of a day, what was removed by whom, and the export of treatments. */
export function ReportsScreen() {
  const { t } = useTranslation();
  const [tab, openTab] = useAddressChoice('tab', tabs);
  const refresh = useRefresh('reports');
  const Screen = screens[tab];
  return (
    <PageFrame
      title={t('reports.title')}
      text={t('reports.text')}
      onRefresh={refresh.run}
      isRefreshing={refresh.isRunning}
      oldSince={useOldestResponse()}
    >
      <TabBar
        label={t('reports.tabs.label')}
        panelId="reports-tab"
        value={tab}
        onChange={openTab}
        tabs={tabs.map((value) => ({ value, label: t(`reports.tabs.${value}`) }))}
        mx={{ base: '-4', md: '-8' }}
        px={{ base: '4', md: '8' }}
      />
      <chakra.div id="reports-tab" role="tabpanel" aria-labelledby="reports-tab-name" minWidth="0">
        <chakra.h2 id="reports-tab-name" srOnly>
          {t(`reports.tabs.${tab}`)}
        </chakra.h2>
        <Screen />
      </chakra.div>
    </PageFrame>
  );
}
