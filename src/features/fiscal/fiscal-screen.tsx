import { Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { PageFrame } from '#src/back-office/page-frame.tsx';
import { fiscalPaths, useChains, useSendingStatus } from '#src/server-data/fiscal.ts';
import { useOldestResponse, useRefresh } from '#src/server-data/use-server-data.ts';
import { ChainsPanel } from './chains-panel.tsx';
import { ExportForm } from './export-form.tsx';
import { RecordList } from './record-list.tsx';
import { SendingPanel } from './sending-panel.tsx';

/** Fiscal records: what the tax agency has of them, their chains, and all of them. */
export function FiscalScreen() {
  const { t } = useTranslation();
  const refresh = useRefresh(...fiscalPaths);
  const oldSince = useOldestResponse();
  const sending = useSendingStatus();
  const chains = useChains();
  const isSendingKnown = Boolean(sending.value ?? sending.fault);
  return (
    <PageFrame
      title={t('fiscal.title')}
      text={t('fiscal.text')}
      onRefresh={refresh.run}
      isRefreshing={refresh.isRunning}
      oldSince={oldSince}
    >
      <Flex direction="column" gap="8">
        <SendingPanel />
        {/* Each part after those above it, whose height nobody knows before their data are there. */}
        {isSendingKnown && <ChainsPanel />}
        {isSendingKnown && (chains.value ?? chains.fault) && (
          <>
            <ExportForm />
            <RecordList />
          </>
        )}
      </Flex>
    </PageFrame>
  );
}
