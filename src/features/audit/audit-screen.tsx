import { Flex } from '@chakra-ui/react';
import { ChevronLeft, ChevronRight, FileDown, ScrollText, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { auditGroups } from '#domain/audit/actions.ts';
import { currentLanguage } from '#src/i18n/i18n.ts';
import { auditPaths, useAuditChoices, useAuditLog } from '#src/server-data/audit.ts';
import { useOldestResponse, useRefresh } from '#src/server-data/use-server-data.ts';
import { useFileExport } from '#src/api/use-file-export.ts';
import { PageFrame } from '#src/back-office/page-frame.tsx';
import { aDay, anId, optional } from '#src/lists/list-address.ts';
import { ListScreen } from '#src/lists/list-screen.tsx';
import { currentCursor, firstPage, nextPage, previousPage } from '#src/lists/page-cursors.ts';
import type { PageCursors } from '#src/lists/page-cursors.ts';
import { useList } from '#src/lists/use-list.ts';
import { Button } from '#src/ui/button.tsx';
import { useAuditViews } from './audit-views.tsx';
import { EntryDialog } from './entry-dialog.tsx';
import { foldEntries } from './fold-entries.ts';
import type { FoldedEntry } from './fold-entries.ts';

const filters = { group: optional(auditGroups), person: anId, device: anId, from: aDay, to: aDay };

/** Audit log, newest entry first. The server filters it and returns it page by page, by cursors. */
export function AuditScreen() {
  const { t } = useTranslation();
  const refresh = useRefresh(...auditPaths);
  const list = useList({ name: 'audit', filters });
  const [paging, setPaging] = useState({ of: list.address, cursors: firstPage });
  // Other filters begin at the first page.
  const cursors = paging.of === list.address ? paging.cursors : firstPage;
  const setCursors = (chosen: PageCursors) => setPaging({ of: list.address, cursors: chosen });
  const log = useAuditLog(list.filters, currentCursor(cursors));
  const choices = useAuditChoices();
  const next = log.value?.next ?? null;
  const [open, setOpen] = useState<FoldedEntry | null>(null);
  return (
    <PageFrame
      title={t('audit.title')}
      text={t('audit.text')}
      onRefresh={refresh.run}
      isRefreshing={refresh.isRunning}
      oldSince={useOldestResponse()}
      actions={<ExportButton filters={list.filters} />}
    >
      <ListScreen
        label={t('audit.title')}
        icon={<ScrollText />}
        list={list}
        data={log}
        rows={log.value && foldEntries(log.value.data)}
        rowKey={({ id }) => id}
        nameOf={({ subject }) => subject}
        {...useAuditViews()}
        tableFrom={52}
        onOpen={setOpen}
        skeletonRows={10}
        filters={[
          {
            name: 'group',
            label: t('audit.filters.group'),
            options: [
              { value: '', label: t('audit.filters.allGroups') },
              ...auditGroups.map((value) => ({ value, label: t(`audit.groups.${value}`) })),
            ],
          },
          {
            name: 'person',
            label: t('audit.filters.person'),
            options: [
              { value: '', label: t('audit.filters.everyone') },
              ...(choices?.people ?? []).map(({ id, name }) => ({ value: String(id), label: name })),
            ],
          },
          {
            name: 'device',
            label: t('audit.filters.device'),
            options: [
              { value: '', label: t('audit.filters.allDevices') },
              ...(choices?.devices ?? []).map(({ id, code, name }) => ({
                value: String(id),
                label: [code, name].filter(Boolean).join(' · '),
              })),
            ],
          },
          { from: 'from', to: 'to' },
        ]}
        noMatch={{ title: t('audit.noMatch.title'), text: t('audit.noMatch.text') }}
        empty={{ title: t('audit.empty.title'), text: t('audit.empty.text') }}
        pager={
          log.value && (
            <Flex as="nav" aria-label={t('list.pagination')} justify="flex-end" align="center" gap="2" wrap="wrap">
              {cursors.length > 2 && <Button onClick={() => setCursors(firstPage)}>{t('audit.newest')}</Button>}
              {cursors.length > 1 && (
                <Button onClick={() => setCursors(previousPage(cursors))}>
                  <ChevronLeft />
                  {t('audit.newer')}
                </Button>
              )}
              {next !== null && (
                <Button disabled={log.isBusy} onClick={() => setCursors(nextPage(cursors, next))}>
                  {t('audit.older')}
                  <ChevronRight />
                </Button>
              )}
            </Flex>
          )
        }
      />
      <EntryDialog entry={open} onClose={() => setOpen(null)} />
    </PageFrame>
  );
}

/** Exports all pages of the filtered log. */
function ExportButton({ filters: chosen }: { filters: Record<string, string> }) {
  const { t } = useTranslation();
  const given: Record<string, string> = { ...chosen, language: currentLanguage() };
  const search = new URLSearchParams(Object.entries(given).filter(([, value]) => value !== ''));
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
