import { chakra, Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { usePayers } from '#src/server-data/collective.ts';
import { NotLoaded } from '#src/server-data/load-error.tsx';
import { IssuedList } from './issued-list.tsx';
import { NewInvoice } from './new-invoice.tsx';

/** Collective invoices: one to a payer over treatments of a month, and those that were issued. */
export function CollectiveTab() {
  const { t } = useTranslation();
  const payers = usePayers();
  if (payers.fault && !payers.value) return <NotLoaded data={payers} />;
  return (
    <Flex direction="column" gap="6" minWidth="0">
      <NewInvoice />
      <IssuedList />
      <chakra.p color="fg.muted" fontSize="sm" maxWidth="46rem">
        {t('reports.collective.text')}
      </chakra.p>
    </Flex>
  );
}
