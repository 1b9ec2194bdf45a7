import { chakra, Flex } from '@chakra-ui/react';
import { Files } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MoneyText } from '#src/formats/money.tsx';
import { useMoment } from '#src/formats/use-formats.ts';
import { openPrintTarget } from '#src/printing/print-target.ts';
import { documentName, useDocumentPrinter } from '#src/printing/use-document-printer.ts';
import { SentBadge } from '#src/sync/sent-badge.tsx';
import { Button } from '#src/ui/button.tsx';
import type { Column } from '#src/ui/columns.ts';
import { DataTable } from '#src/ui/data-table.tsx';
import { desk } from '#src/ui/desk.ts';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { Panel } from '#src/ui/panel.tsx';
import { StyledButton } from '#src/ui/styled.tsx';
import { word } from '#src/features/counter/sales/sale-rows.tsx';
import { soldIn } from '#src/features/counter/sales/sales.ts';
import type { Sale } from '#src/features/counter/sales/sales.ts';
import { DocumentDialog } from './document-dialog.tsx';
import { usePatientDocuments } from './use-patient-documents.ts';

/** Width in rem of the place from which the services have a column of their own. */
const servicesFrom = 40;
const shownAtFirst = { desk: 20, cards: 10 };

/** The patient's invoices, credit notes and receipts, to open and to print again. */
export function PatientDocuments({ patientId }: { patientId: string }) {
  const { t } = useTranslation();
  const moment = useMoment();
  const print = useDocumentPrinter();
  const { documents, source, remaining, loadMore } = usePatientDocuments(patientId);
  const [opened, setOpened] = useState<Sale | null>(null);
  const nameOf = ({ kind, document, order }: Sale) =>
    kind === 'receipt' ? `${t('counter.sales.receipt')} ${order.number}` : documentName(document);
  const printButton = (sale: Sale) =>
    sale.document.printed.length > 0 && (
      <StyledButton
        {...word}
        css={{ [desk]: { minHeight: '2rem' } }}
        aria-label={t('counter.sales.reprintFor', { number: nameOf(sale) })}
        onClick={() => void print(openPrintTarget(), sale.document, { isCopy: sale.isForeign })}
      >
        {t('counter.sales.reprint')}
      </StyledButton>
    );
  const amount = ({ amountMinor, order }: Sale) => <MoneyText minor={amountMinor} currency={order.currency} />;
  const columns: Column<Sale>[] = [
    {
      key: 'number',
      header: t('patients.page.columns.document'),
      cell: (sale) => (
        <Flex columnGap="2" align="center" wrap="wrap">
          <chakra.span fontWeight="medium" whiteSpace="nowrap">
            {nameOf(sale)}
          </chakra.span>
          {/* Most are invoices, which their numbers say: the word would take a second line. */}
          {sale.kind === 'credit_note' && <chakra.span color="fg.muted">{t('patients.page.creditNote')}</chakra.span>}
          {sale.unsent && <SentBadge unsent />}
        </Flex>
      ),
    },
    {
      key: 'date',
      header: t('patients.page.columns.date'),
      cell: ({ issuedAtMs }) => <chakra.span whiteSpace="nowrap">{moment(issuedAtMs)}</chakra.span>,
    },
    {
      key: 'services',
      header: t('patients.page.columns.services'),
      from: servicesFrom,
      cell: (sale) => (
        <chakra.span lineClamp="1" title={soldIn(sale)}>
          {soldIn(sale)}
        </chakra.span>
      ),
    },
    { key: 'amount', header: t('patients.page.columns.amount'), numeric: true, cell: amount },
    { key: 'actions', header: t('list.actions'), actions: true, cell: printButton },
  ];
  return (
    <Panel level={2} title={t('patients.page.documents')}>
      {source === 'away' && <SourceNote onAgain={loadMore} />}
      <chakra.div display="flex" flexDirection="column" gap="3">
        <DataTable
          isFramed
          label={t('patients.page.documents')}
          columns={columns}
          rows={documents}
          rowKey={({ document }) => document.id}
          tableFrom={30}
          skeletonRows={3}
          firstRows={{ ...shownAtFirst, showAll: t('patients.page.showAll', { count: documents?.length ?? 0 }) }}
          onOpen={setOpened}
          card={(sale) => (
            <Flex direction="column" gap="1">
              <Flex justify="space-between" gap="3">
                <chakra.span fontWeight="medium" overflowWrap="anywhere">
                  {nameOf(sale)}
                </chakra.span>
                {amount(sale)}
              </Flex>
              <chakra.span color="fg.muted" fontSize="sm" lineClamp="2">
                {[moment(sale.issuedAtMs), soldIn(sale)].filter(Boolean).join(' · ')}
              </chakra.span>
              <Flex gap="2" justify="flex-end" align="center" me="-2">
                {sale.unsent && <SentBadge unsent />}
                <StyledButton
                  {...word}
                  aria-label={t('patients.page.openDocument', { number: nameOf(sale) })}
                  onClick={() => setOpened(sale)}
                >
                  {t('patients.page.open')}
                </StyledButton>
                {printButton(sale)}
              </Flex>
            </Flex>
          )}
          empty={<EmptyState icon={<Files />} title={t('patients.page.noDocuments')} />}
        />
        {remaining > 0 && source !== 'away' && (
          <chakra.div px="4" pb="4">
            <Button wide disabled={source === 'loading'} onClick={loadMore}>
              {t('patients.older', { count: remaining })}
            </Button>
          </chakra.div>
        )}
      </chakra.div>
      {opened && <DocumentDialog sale={opened} name={nameOf(opened)} onClose={() => setOpened(null)} />}
    </Panel>
  );
}

/** Says that the list below is from this device, because the server does not answer. */
function SourceNote({ onAgain }: { onAgain: () => void }) {
  const { t } = useTranslation();
  return (
    <Flex align="center" justify="space-between" gap="3" ps="4" pe="2" pb="2" mt="-2" fontSize="sm" color="fg.muted">
      <chakra.output>{t('patients.page.away')}</chakra.output>
      <StyledButton variant="quiet" px="2" fontSize="sm" onClick={onAgain}>
        {t('patients.again')}
      </StyledButton>
    </Flex>
  );
}
