import { chakra, Flex } from '@chakra-ui/react';
import { BookOpen } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { isValid } from '../../../../domain/problems.ts';
import type { BookSummary } from '../../../../domain/report/book.ts';
import { reportFilterProblems } from '../../../../domain/report/filters.ts';
import { useToday } from '../../../formats/clock.ts';
import { TaxRows } from '../../../formats/tax-rows.tsx';
import { LoadError } from '../../../server-data/load-error.tsx';
import { useServerData } from '../../../server-data/use-server-data.ts';
import { useOutboxSummary } from '../../../sync/use-outbox-summary.ts';
import { Banner } from '../../../ui/banner.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { Waiting } from './waiting.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { ExportMenu } from '../export/export-menu.tsx';

/** The book of issued invoices of a period: its sums by tax, and the book itself as a file. */
export function BookTab() {
  const { t } = useTranslation();
  const { startDate, endDate, set } = usePeriod();
  const problems = reportFilterProblems({ startDate: startDate || undefined, endDate: endDate || undefined });
  const isReady = isValid(problems) && startDate !== '' && endDate !== '';
  const found = useServerData<{ data: BookSummary }>('reports/book', { startDate, endDate }, { enabled: isReady });
  const isOffline = useOutboxSummary()?.link === 'offline';
  const book = found.value?.data;
  const problemText = (name: 'startDate' | 'endDate') => problems[name] && t(`problems.${problems[name]}`);
  return (
    <Flex direction="column" gap="4" minWidth="0">
      <Flex gap="3" wrap="wrap" align="flex-end">
        <chakra.div width={{ base: 'calc(50% - 0.375rem)', md: '48' }}>
          <TextField
            type="date"
            label={t('reports.filters.startDate')}
            value={startDate}
            error={problemText('startDate')}
            onChange={({ target }) => set({ startDate: target.value })}
          />
        </chakra.div>
        <chakra.div width={{ base: 'calc(50% - 0.375rem)', md: '48' }}>
          <TextField
            type="date"
            label={t('reports.filters.endDate')}
            value={endDate}
            min={startDate || undefined}
            error={problemText('endDate')}
            onChange={({ target }) => set({ endDate: target.value })}
          />
        </chakra.div>
        <ExportMenu report="book" filters={isReady ? { startDate, endDate } : null} isOffline={isOffline} />
      </Flex>
      <chakra.p color="fg.muted" fontSize="sm" maxWidth="46rem">
        {t('reports.book.text')}
      </chakra.p>
      {found.fault ? <LoadError data={found} /> : book ? <Sums book={book} /> : <Skeleton height="8rem" />}
      <Waiting />
    </Flex>
  );
}

function Sums({ book: { documents, taxes, unsettled } }: { book: BookSummary }) {
  const { t } = useTranslation();
  if (documents === 0)
    return <EmptyState icon={<BookOpen />} title={t('reports.book.empty')} text={t('reports.book.emptyText')} />;
  return (
    <chakra.section aria-labelledby="book-sums" maxWidth="46rem">
      <chakra.h3 id="book-sums" fontSize="lg" fontWeight="semibold" pb="2">
        {t('reports.book.documents', { count: documents })}
      </chakra.h3>
      <Flex direction="column" gap="4">
        <TaxRows totals={taxes} />
        {unsettled > 0 && (
          <Banner tone="due" title={t('reports.book.unsettled', { count: unsettled })}>
            {t('reports.book.unsettledText')}
          </Banner>
        )}
      </Flex>
    </chakra.section>
  );
}

/** Keeps the period in the query string. It is the calendar month to date until somebody chooses another. */
function usePeriod() {
  const [search, setSearch] = useSearchParams();
  const today = useToday();
  const set = (change: Record<string, string>) =>
    setSearch(
      (before) => {
        const after = new URLSearchParams(before);
        for (const [name, value] of Object.entries(change)) {
          if (value === '') after.delete(name);
          else after.set(name, value);
        }
        return after;
      },
      { replace: true },
    );
  return {
    startDate: search.get('startDate') ?? (today === undefined ? '' : `${today.slice(0, 7)}-01`),
    endDate: search.get('endDate') ?? today ?? '',
    set,
  };
}
