import { useTranslation } from 'react-i18next';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import { useKnownSettings } from '#src/local-data/use-clinic-settings.ts';
import { collectivePaths } from '#src/server-data/collective.ts';
import { reportPaths } from '#src/server-data/reports.ts';
import { useOldestResponse, useRefresh } from '#src/server-data/use-server-data.ts';
import { useAddressChoice } from '#src/navigation/use-address-choice.ts';
import { PageFrame } from '#src/back-office/page-frame.tsx';
import { PageTabs } from '#src/back-office/page-tabs.tsx';
import { AnalyticsTab } from './analytics/analytics-tab.tsx';
import { BookTab } from './book/book-tab.tsx';
import { CollectiveTab } from './collective/collective-tab.tsx';
import { DayEndTab } from './day-end/day-end-tab.tsx';
import { ExportTab } from './export/export-tab.tsx';
import { RemovalsTab } from './removals/removals-tab.tsx';

/** Those that depend on the settings are the last, so that their coming moves no other. */
const tabs = ['analytics', 'day-end', 'removals', 'export', 'book', 'collective'] as const;

/** Without a tax profile no document is of a taxpayer. */
const isOffered = (tab: (typeof tabs)[number], { tax_profile }: Pick<ClinicSettings, 'tax_profile'>): boolean =>
  (tab !== 'book' && tab !== 'collective') || tax_profile !== 'none';

const nothing = { tax_profile: 'none' } as const;

const screens = {
  analytics: AnalyticsTab,
  'day-end': DayEndTab,
  removals: RemovalsTab,
  book: BookTab,
  collective: CollectiveTab,
  export: ExportTab,
};

/** Reports section: analytics of a period, summary of a day, what was removed by whom, the book of invoices, invoices to payers, and the export of treatments. */
export function ReportsScreen() {
  const { t } = useTranslation();
  const settings = useKnownSettings();
  const [chosen, openTab] = useAddressChoice('tab', tabs);
  // Until the settings are known, the tab of the address is as good as any.
  const offered = tabs.filter((each) =>
    settings ? isOffered(each, settings) : each === chosen || isOffered(each, nothing),
  );
  const tab = offered.includes(chosen) ? chosen : tabs[0];
  const refresh = useRefresh(...(tab === 'collective' ? collectivePaths : reportPaths));
  const Screen = screens[tab];
  return (
    <PageFrame
      title={t('reports.title')}
      text={t('reports.text')}
      onRefresh={refresh.run}
      isRefreshing={refresh.isRunning}
      oldSince={useOldestResponse()}
    >
      <PageTabs
        id="reports-tab"
        label={t('reports.tabs.label')}
        chosen={tab}
        onChange={openTab}
        tabs={offered.map((value) => ({ value, label: t(`reports.tabs.${value}`) }))}
      >
        <Screen />
      </PageTabs>
    </PageFrame>
  );
}
