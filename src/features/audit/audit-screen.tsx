import { Flex } from '@chakra-ui/react';
import { ChevronLeft, ChevronRight, FileDown, ScrollText, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { currentLanguage } from '../../i18n/i18n.ts';
import type { AuditFilters } from '../../server-data/audit.ts';
import { auditPaths, useAuditLog } from '../../server-data/audit.ts';
import { LoadError } from '../../server-data/load-error.tsx';
import { useOldestResponse, useRefresh } from '../../server-data/use-server-data.ts';
import { useFileExport } from '../../api/use-file-export.ts';
import { PageFrame } from '../../back-office/page-frame.tsx';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FilterFields } from './filter-fields.tsx';
import { useAuditViews } from './audit-views.tsx';
import { noFilters, useAuditFilters } from './filters.ts';
import { currentCursor, firstPage, nextPage, previousPage } from '../../lists/page-cursors.ts';

/** Audit log, newest entry first. */
export function AuditScreen() {
  const { t } = useTranslation();
  const refresh = useRefresh(...auditPaths);
  const oldSince = useOldestResponse();
  const [filters, setFilters] = useAuditFilters();
  const [cursors, setCursors] = useState(firstPage);
  const log = useAuditLog(filters, currentCursor(cursors));
  const views = useAuditViews();
  const changeFilters = (change: Partial<AuditFilters>) => {
    setFilters(change);
    setCursors(firstPage);
  };
  const isFiltered = Object.values(filters).some((filter) => filter !== '');
  return (
    <PageFrame
      title={t('audit.title')}
      text={t('audit.text')}
      onRefresh={refresh.run}
      isRefreshing={refresh.isRunning}
      oldSince={oldSince}
      actions={<ExportButton filters={filters} />}
    >
      <Flex direction="column" gap="4">
        <FilterFields filters={filters} onChange={changeFilters} />
        {log.fault ? (
          <LoadError data={log} />
        ) : (
          <DataTable
            label={t('audit.title')}
            {...views}
            tableFrom={52}
            rows={log.value?.data}
            rowKey={({ id }) => id}
            skeletonRows={10}
            empty={
              <EmptyState
                icon={<ScrollText />}
                title={t(isFiltered ? 'audit.noMatch.title' : 'audit.empty.title')}
                text={t(isFiltered ? 'audit.noMatch.text' : 'audit.empty.text')}
              >
                {isFiltered && <Button onClick={() => changeFilters(noFilters)}>{t('audit.noMatch.showAll')}</Button>}
              </EmptyState>
            }
          />
        )}
        {log.value && (
          <Flex as="nav" aria-label={t('list.pagination')} justify="flex-end" align="center" gap="2" wrap="wrap">
            {cursors.length > 2 && <Button onClick={() => setCursors(firstPage)}>{t('audit.newest')}</Button>}
            {cursors.length > 1 && (
              <Button onClick={() => setCursors(previousPage(cursors))}>
                <ChevronLeft />
                {t('audit.newer')}
              </Button>
            )}
            {log.value.next !== null && (
              <Button disabled={log.isBusy} onClick={() => setCursors(nextPage(cursors, log.value!.next!))}>
                {t('audit.older')}
                <ChevronRight />
              </Button>
            )}
          </Flex>
        )}
      </Flex>
    </PageFrame>
  );
}

/** Exports all pages of the filtered log. */
function ExportButton({ filters }: { filters: AuditFilters }) {
  const { t } = useTranslation();
  const search = new URLSearchParams(
    Object.entries({ ...filters, language: currentLanguage() }).filter(([, value]) => value !== ''),
  );
  const { run, running, cancel } = useFileExport();
  const exportAll = () =>
    void run({
      path: `audit/export.csv?${search.toString()}`,
      name: 'audit_log.csv',
      done: t('audit.exported'),
      failed: t('audit.exportFailed'),
    });
  return (
    <Button onClick={running ? cancel : exportAll}>
      {running ? <X /> : <FileDown />}
      {t(running ? 'audit.cancelExport' : 'audit.export')}
    </Button>
  );
}
