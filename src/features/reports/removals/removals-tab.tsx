import { chakra, Flex } from '@chakra-ui/react';
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isValid } from '#domain/problems.ts';
import { reportFilterProblems } from '#domain/report/filters.ts';
import type { RemovalFilters } from '#domain/report/removals.ts';
import { usePageSize } from '#src/lists/list-preferences.ts';
import { Pagination } from '#src/lists/pagination.tsx';
import { useRemovals } from '#src/server-data/reports.ts';
import { NotLoaded } from '#src/server-data/load-error.tsx';
import { useOutboxSummary } from '#src/sync/use-outbox-summary.ts';
import { DataTable } from '#src/ui/data-table.tsx';
import { useIsWide, wide } from '#src/ui/desk.ts';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { SelectField } from '#src/ui/select-field.tsx';
import { ExportMenu } from '../export/export-menu.tsx';
import { PeriodFields } from '../period-fields.tsx';
import { usePeriod } from '../use-period.ts';
import { useEventViews, usePeopleViews } from './views.tsx';

const defaultSize = 20;

/** Who removed what in a period, the sums of each person and the events behind. */
export function RemovalsTab() {
  const { t } = useTranslation();
  const { filters, set } = useRemovalFilters();
  const { startDate = '', endDate = '', person } = filters;
  const problems = reportFilterProblems({ startDate: startDate || undefined, endDate: endDate || undefined });
  const isSound = isValid(problems);
  const filterKey = JSON.stringify(filters);
  // A change of the filters leads back to page 1.
  const [paging, setPaging] = useState({ filterKey, page: 1 });
  const [size, setSize] = usePageSize('removals', defaultSize);
  const page = paging.filterKey === filterKey ? paging.page : 1;
  const isReady = isSound && startDate !== '';
  // Only the names of the others are needed.
  const all = useRemovals({ startDate, endDate, page: 1, size: 1 }, { enabled: isReady && person !== undefined });
  const found = useRemovals({ startDate, endDate, person, page, size }, { enabled: isReady });
  const isWide = useIsWide();
  const isOffline = useOutboxSummary()?.link === 'offline';
  const people = usePeopleViews();
  const events = useEventViews();
  const report = found.value?.data;
  const everybody = person === undefined ? report : all.value?.data;
  const names = new Map((everybody?.people ?? []).map((one) => [one.person_id, one.person]));
  return (
    <Flex direction="column" gap="4" minWidth="0" css={{ [wide]: { gap: '{spacing.2}' } }}>
      <Flex gap="3" wrap="wrap" align="flex-end">
        <PeriodFields startDate={startDate} endDate={endDate} problems={problems} onChange={set} />
        <chakra.div flex={{ base: '1 1 9rem', md: '0 0 10.5rem', lg: '0 0 14rem' }}>
          <SelectField
            label={t('reports.removals.person')}
            labelHidden={isWide}
            value={person === undefined ? '' : String(person)}
            onChange={({ target }) => set({ person: target.value })}
            options={[
              { value: '', label: t('reports.removals.everybody') },
              ...[...names].map(([id, name]) => ({ value: String(id), label: name })),
            ]}
          />
        </chakra.div>
        <chakra.div ms={{ md: 'auto' }}>
          <ExportMenu report="removals" filters={isReady ? filters : null} isOffline={isOffline} />
        </chakra.div>
      </Flex>
      {found.fault ? (
        <NotLoaded data={found} />
      ) : (
        <>
          <chakra.div minWidth="0">
            {/* In a window with a table the line of the toolbar leads to it. */}
            <chakra.div hideFrom="lg">
              <Heading>{t('reports.removals.people')}</Heading>
            </chakra.div>
            <DataTable
              label={t('reports.removals.people')}
              {...people}
              tableFrom={44}
              rows={report?.people}
              rowKey={({ person_id, currency }) => `${person_id} ${currency}`}
              empty={
                <EmptyState
                  icon={<Undo2 />}
                  title={t('reports.removals.empty')}
                  text={t('reports.removals.emptyText')}
                />
              }
            />
          </chakra.div>
          {/* After the people, whose number nobody knows before. */}
          {report && report.total !== 0 && (
            <chakra.div minWidth="0">
              <Heading>{t('reports.removals.events')}</Heading>
              <Flex direction="column" gap="4">
                <DataTable
                  label={t('reports.removals.events')}
                  {...events}
                  tableFrom={52}
                  rows={report?.events}
                  rowKey={({ id }) => id}
                  empty={null}
                />
                {report && (
                  <Pagination
                    page={page}
                    size={size}
                    total={report.total}
                    onPage={(next) => setPaging({ filterKey, page: next })}
                    onSize={(chosen) => {
                      setSize(chosen);
                      setPaging({ filterKey, page: 1 });
                    }}
                  />
                )}
              </Flex>
            </chakra.div>
          )}
        </>
      )}
      {(report || found.fault) && (
        <chakra.p color="fg.muted" fontSize="sm" maxWidth="46rem" hideFrom="lg">
          {t('reports.removals.text')}
        </chakra.p>
      )}
    </Flex>
  );
}

function Heading({ children }: { children: string }) {
  return (
    <chakra.h3 fontSize="lg" fontWeight="semibold" pb="2">
      {children}
    </chakra.h3>
  );
}

/** Keeps the filters in the query string. The period is the calendar month to date until somebody chooses another. */
function useRemovalFilters(): {
  filters: RemovalFilters;
  set: (change: Record<string, string>) => void;
} {
  const { startDate, endDate, search, set } = usePeriod();
  const person = Number(search.get('person') ?? Number.NaN);
  return { filters: { startDate, endDate, ...(Number.isSafeInteger(person) && { person }) }, set };
}
