import { Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { PageFrame } from '#src/back-office/page-frame.tsx';
import { PageTabs } from '#src/back-office/page-tabs.tsx';
import { useAddressChoice } from '#src/navigation/use-address-choice.ts';
import { fiscalPaths, useSendingStatus } from '#src/server-data/fiscal.ts';
import { NotLoaded } from '#src/server-data/load-error.tsx';
import { useOldestResponse, useRefresh } from '#src/server-data/use-server-data.ts';
import { ChainsPanel } from './chains-panel.tsx';
import { ExportForm } from './export-form.tsx';
import { RecordList } from './record-list.tsx';
import { SendingTrouble } from './sending-panel.tsx';

const tabs = ['records', 'chains', 'export'] as const;

/** Fiscal records: what the tax agency has of them, their chains, and all of them as a file. */
export function FiscalScreen() {
  const { t } = useTranslation();
  const refresh = useRefresh(...fiscalPaths);
  const oldSince = useOldestResponse();
  const [tab, openTab] = useAddressChoice('tab', tabs);
  const sending = useSendingStatus();
  const names = {
    records: t('fiscal.list.title'),
    chains: t('fiscal.chains.title'),
    export: t('fiscal.export.tab'),
  };
  return (
    <PageFrame
      title={t('fiscal.title')}
      text={t('fiscal.text')}
      onRefresh={refresh.run}
      isRefreshing={refresh.isRunning}
      oldSince={oldSince}
    >
      <PageTabs
        id="fiscal-tab"
        label={t('fiscal.title')}
        chosen={tab}
        onChange={openTab}
        tabs={tabs.map((value) => ({ value, label: names[value] }))}
      >
        {tab === 'records' && (
          <Flex direction="column" gap="4">
            {sending.fault ? (
              <NotLoaded data={sending} />
            ) : (
              <>
                <SendingTrouble />
                {/* Below what has a height that nobody knows before its data are there. It reads them too, so it does not stand on
                    their fault: a new reader asks again, which takes the fault and with it the reader away, without end. */}
                {sending.value && <RecordList />}
              </>
            )}
          </Flex>
        )}
        {tab === 'chains' && <ChainsPanel />}
        {tab === 'export' && <ExportForm />}
      </PageTabs>
    </PageFrame>
  );
}
