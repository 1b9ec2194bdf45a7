import { chakra, Flex } from '@chakra-ui/react';
import { BookOpen } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { isValid } from '#domain/problems.ts';
import type { BookSummary } from '#domain/report/book.ts';
import { reportFilterProblems } from '#domain/report/filters.ts';
import { TaxTable } from '#src/formats/tax-table.tsx';
import { useBook } from '#src/server-data/reports.ts';
import { NotLoaded } from '#src/server-data/load-error.tsx';
import { useOutboxSummary } from '#src/sync/use-outbox-summary.ts';
import { Banner } from '#src/ui/banner.tsx';
import { wide } from '#src/ui/desk.ts';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { Skeleton } from '#src/ui/skeleton.tsx';
import { Documents } from './documents.tsx';
import { Waiting } from './waiting.tsx';
import { ExportMenu } from '../export/export-menu.tsx';
import { PeriodFields } from '../period-fields.tsx';
import { usePeriod } from '../use-period.ts';

/** The book of issued invoices of a period: its sums by tax, and the book itself as a file. */
export function BookTab() {
  const { t } = useTranslation();
  const { startDate, endDate, set } = usePeriod();
  const problems = reportFilterProblems({ startDate: startDate || undefined, endDate: endDate || undefined });
  const isReady = isValid(problems) && startDate !== '' && endDate !== '';
  const found = useBook({ startDate, endDate }, { enabled: isReady });
  const isOffline = useOutboxSummary()?.link === 'offline';
  const book = found.value?.data;
  return (
    <Flex direction="column" gap="4" minWidth="0" css={{ [wide]: { gap: '{spacing.2}' } }}>
      <Flex gap="3" wrap="wrap" align="flex-end">
        <PeriodFields startDate={startDate} endDate={endDate} problems={problems} onChange={set} />
        <chakra.div ms={{ md: 'auto' }}>
          <ExportMenu report="book" filters={isReady ? { startDate, endDate } : null} isOffline={isOffline} />
        </chakra.div>
      </Flex>
      {found.fault ? <NotLoaded data={found} /> : book ? <Sums book={book} /> : <Skeleton height="8rem" />}
      {!found.fault && <Waiting />}
      {book && book.documents > 0 && <Documents book={book} />}
      <chakra.p color="fg.muted" fontSize="sm" maxWidth="46rem" hideFrom="lg">
        {t('reports.book.text')}
      </chakra.p>
    </Flex>
  );
}

function Sums({ book: { documents, taxes, unsettled } }: { book: BookSummary }) {
  const { t } = useTranslation();
  if (documents === 0)
    return <EmptyState icon={<BookOpen />} title={t('reports.book.empty')} text={t('reports.book.emptyText')} />;
  return (
    <chakra.section aria-labelledby="book-sums" minWidth="0">
      <chakra.h3 id="book-sums" fontWeight="semibold" pb="2">
        {t('reports.book.documents', { count: documents })}
      </chakra.h3>
      <Flex direction="column" gap="4">
        <TaxTable label={t('tax.report.title')} totals={taxes} />
        {unsettled > 0 && (
          <Banner tone="due" title={t('reports.book.unsettled', { count: unsettled })}>
            {t('reports.book.unsettledText')}
          </Banner>
        )}
      </Flex>
    </chakra.section>
  );
}
