import { chakra, Flex } from '@chakra-ui/react';
import { CheckCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { currencyLabel, formatMinor, minorFromWire } from '#domain/money.ts';
import type { UninvoicedTreatment } from '#domain/report/uninvoiced.ts';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { useUninvoiced } from '#src/server-data/reports.ts';
import { LoadError } from '#src/server-data/load-error.tsx';
import { Badge } from '#src/ui/badge.tsx';
import { DataTable } from '#src/ui/data-table.tsx';
import type { Column } from '#src/ui/columns.ts';

/** The treatments that wait for an invoice, and until when it is due. */
export function Waiting() {
  const { t } = useTranslation();
  const found = useUninvoiced();
  const views = useViews();
  const report = found.value?.data;
  const isPart = report && report.total > report.treatments.length;
  if (report?.total === 0)
    return (
      <chakra.div minWidth="0" pt="2">
        <chakra.h3 fontWeight="semibold" pb="2">
          {t('reports.book.waiting')}
        </chakra.h3>
        <chakra.p display="flex" alignItems="center" gap="2" color="fg.muted">
          <CheckCheck size={20} aria-hidden />
          {t('reports.book.none')}
        </chakra.p>
      </chakra.div>
    );
  return (
    <chakra.div minWidth="0" pt="2">
      <chakra.h3 fontWeight="semibold" pb="2">
        {t('reports.book.waiting')}
      </chakra.h3>
      <chakra.p color="fg.muted" fontSize="sm" maxWidth="46rem" pb="2">
        {t('reports.book.waitingText')}{' '}
        {isPart && t('reports.book.waitingFirst', { count: report.treatments.length, total: report.total })}
      </chakra.p>
      {found.fault ? (
        <LoadError data={found} />
      ) : (
        <DataTable
          label={t('reports.book.waiting')}
          {...views}
          tableFrom={48}
          rows={report?.treatments}
          rowKey={({ order_id }) => order_id}
          skeletonRows={2}
          empty={null}
        />
      )}
    </chakra.div>
  );
}

function useViews(): { columns: Column<UninvoicedTreatment>[]; card: (row: UninvoicedTreatment) => ReactNode } {
  const { t } = useTranslation();
  const { day } = useClinicFormats();
  const money = (wire: number, currency: string) => formatMinor(minorFromWire(wire), currencyLabel(currency));
  const treatment = ({ number, customer }: UninvoicedTreatment) => (
    <>
      <chakra.span display="block" fontWeight="medium" whiteSpace="nowrap">
        {number}
      </chakra.span>
      {customer !== '' && (
        <chakra.span display="block" fontSize="sm" color="fg.muted" overflowWrap="anywhere">
          {customer}
        </chakra.span>
      )}
    </>
  );
  const until = ({ due_on, is_late }: UninvoicedTreatment) => (
    <Flex gap="2" align="center" wrap="wrap">
      {day(due_on)}
      {is_late && <Badge tone="refused">{t('reports.book.late')}</Badge>}
    </Flex>
  );
  const head = (column: 'treatment' | 'day' | 'owed' | 'paid' | 'invoiced' | 'until') =>
    t(`reports.book.columns.${column}`);
  return {
    columns: [
      { key: 'treatment', header: head('treatment'), cell: treatment },
      { key: 'day', header: head('day'), cell: (row) => day(row.day) },
      { key: 'owed', header: head('owed'), numeric: true, cell: (row) => money(row.owed, row.currency) },
      { key: 'paid', header: head('paid'), numeric: true, cell: (row) => money(row.paid, row.currency) },
      { key: 'invoiced', header: head('invoiced'), numeric: true, cell: (row) => money(row.invoiced, row.currency) },
      { key: 'until', header: head('until'), cell: until },
    ],
    card: (row) => (
      <Flex direction="column" gap="1" minWidth="0">
        <Flex justify="space-between" gap="3" align="flex-start">
          <div>{treatment(row)}</div>
          <span>{day(row.day)}</span>
        </Flex>
        <chakra.p fontSize="sm" color="fg.muted" fontVariantNumeric="tabular-nums">
          {head('owed')}: {money(row.owed, row.currency)} · {head('paid')}: {money(row.paid, row.currency)} ·{' '}
          {head('invoiced')}: {money(row.invoiced, row.currency)}
        </chakra.p>
        <Flex gap="2" align="center" fontSize="sm">
          {head('until')}: {until(row)}
        </Flex>
      </Flex>
    ),
  };
}
