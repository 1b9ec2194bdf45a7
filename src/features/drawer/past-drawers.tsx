import { chakra, Flex } from '@chakra-ui/react';
import { Vault } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { drawerRowFromResource, reportFromResource } from '#domain/drawer/resource.ts';
import type { DrawerRow } from '#domain/drawer/resource.ts';
import { sumOf } from '#domain/drawer/report.ts';
import type { DrawerReport } from '#domain/drawer/report.ts';
import { useDrawers } from '#src/server-data/drawers.ts';
import { LoadError } from '#src/server-data/load-error.tsx';
import { MoneyText } from '#src/formats/money.tsx';
import { Pagination } from '#src/lists/pagination.tsx';
import { useClinicFormats } from '#src/formats/use-formats.ts';
import { useList } from '#src/lists/use-list.ts';
import { Button } from '#src/ui/button.tsx';
import { DataTable } from '#src/ui/data-table.tsx';
import type { Column } from '#src/ui/columns.ts';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { Difference } from './reconciliation-table.tsx';
import { ReportDialog } from './report-dialog.tsx';
import { ReportStatusBadge } from './report-status.tsx';

interface PastDrawer {
  drawer: DrawerRow;
  report: DrawerReport;
}

/**
 * Lists the server's drawers with their reports, the last opened first. The expected amounts of an open drawer stay
 * hidden, because the person who counts it must not know them.
 */
export function PastDrawers() {
  const { t } = useTranslation();
  const list = useList({ name: 'drawers', filters: {} });
  const drawers = useDrawers(list);
  const [openId, setOpenId] = useState<string | null>(null);
  const rows = drawers.value?.data.map((resource): PastDrawer => ({
    drawer: drawerRowFromResource(resource),
    report: reportFromResource(resource.report),
  }));
  const openRow = rows?.find(({ drawer }) => drawer.id === openId);
  const { columns, card } = useDrawerViews((id) => setOpenId(id));
  return (
    <Flex direction="column" gap="4">
      <chakra.h2 fontSize="lg" fontWeight="semibold">
        {t('drawer.past.title')}
      </chakra.h2>
      {drawers.fault ? (
        <LoadError data={drawers} />
      ) : (
        <DataTable
          label={t('drawer.past.title')}
          columns={columns}
          rows={rows}
          rowKey={({ drawer }) => drawer.id}
          card={card}
          tableFrom={50}
          empty={<EmptyState icon={<Vault />} title={t('drawer.past.empty')} text={t('drawer.past.emptyText')} />}
        />
      )}
      {drawers.value && drawers.value.pagination.total > 0 && (
        <Pagination
          page={list.page}
          size={list.size}
          total={drawers.value.pagination.total}
          onPage={list.setPage}
          onSize={list.setSize}
        />
      )}
      <ReportDialog shown={openRow ? { ...openRow, isComplete: true } : null} onClose={() => setOpenId(null)} />
    </Flex>
  );
}

/** Returns the table columns and, for phones, the card of a past drawer. */
function useDrawerViews(onReport: (id: string) => void) {
  const { t } = useTranslation();
  const { dateTime } = useClinicFormats();
  const nameOf = ({ people, close }: DrawerRow) =>
    close ? (people[close.actorId] ?? t('drawer.report.unknown', { id: close.actorId })) : '–';
  const difference = ({ drawer, report }: PastDrawer) =>
    report.difference ? <Difference minor={sumOf(report.difference)} currency={drawer.currency} /> : '–';
  const report = ({ drawer }: PastDrawer) =>
    drawer.close && (
      <Button
        variant="quiet"
        size="sm"
        aria-label={t('drawer.report.openOf', { time: dateTime(drawer.openedAtMs) })}
        onClick={() => onReport(drawer.id)}
      >
        {t('drawer.report.open')}
      </Button>
    );
  const columns: Column<PastDrawer>[] = [
    {
      key: 'opened',
      header: t('drawer.past.opened'),
      cell: ({ drawer }) => `${dateTime(drawer.openedAtMs)} · ${drawer.deviceCode}`,
    },
    {
      key: 'closed',
      header: t('drawer.past.closed'),
      cell: ({ drawer }) => (drawer.close ? dateTime(drawer.close.atMs) : '–'),
    },
    { key: 'by', header: t('drawer.past.by'), from: 60, cell: ({ drawer }) => nameOf(drawer) },
    {
      key: 'expected',
      header: t('drawer.past.expected'),
      numeric: true,
      cell: ({ drawer, report: { expected } }) =>
        drawer.close ? <MoneyText minor={expected.cash} currency={drawer.currency} /> : '–',
    },
    { key: 'difference', header: t('drawer.past.difference'), numeric: true, cell: difference },
    { key: 'state', header: t('drawer.past.state'), cell: (row) => <ReportStatusBadge {...row.report} /> },
    { key: 'actions', header: t('drawer.past.actions'), actions: true, cell: report },
  ];
  const card = (row: PastDrawer) => (
    <Flex direction="column" gap="2">
      <Flex justify="space-between" align="flex-start" gap="3">
        <div>
          <chakra.p fontWeight="medium">{dateTime(row.drawer.openedAtMs)}</chakra.p>
          <chakra.p fontSize="sm" color="fg.muted">
            {row.drawer.deviceCode} · {nameOf(row.drawer)}
          </chakra.p>
        </div>
        <ReportStatusBadge {...row.report} />
      </Flex>
      <Flex justify="space-between" align="center" gap="3">
        {difference(row)}
        {report(row)}
      </Flex>
    </Flex>
  );
  return { columns, card };
}
