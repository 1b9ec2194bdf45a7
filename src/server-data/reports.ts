/** Reads of the reports. */
import type { DayEnd } from '#domain/notification/day-end.ts';
import type { BookSummary } from '#domain/report/book.ts';
import type { ReportFilters } from '#domain/report/filters.ts';
import type { RemovalFilters, RemovalsReport } from '#domain/report/removals.ts';
import type { Analytics, ReportOrderList, SalesPreview } from '#domain/report/resources.ts';
import type { UninvoicedReport } from '#domain/report/uninvoiced.ts';
import type { Comparison, ReportPeriod } from '#domain/report/vocabulary.ts';
import type { TaxTotalPayload } from '#domain/tax/wire.ts';
import type { Reply } from './list-query.ts';
import { useServerData } from './use-server-data.ts';

interface Paging {
  page: number;
  size: number;
}

/** Not read while `enabled` is false, such as before the filters are valid. */
interface When {
  enabled: boolean;
}

interface Days {
  startDate: string;
  endDate: string;
}

export const useAnalytics = (period: ReportPeriod, compare: Comparison) =>
  useServerData<Reply<Analytics>>('reports/analytics', { period, compare });

export const useReportOrders = (query: Days & { size: number }, when: When) =>
  useServerData<ReportOrderList>('reports/orders', { ...query }, when);

/** Reads the end of a business day; nothing while the day is unknown. */
export const useDayEnd = (day: string | undefined) =>
  useServerData<Reply<DayEnd>>('reports/day-end', { day }, { enabled: day !== undefined });

export const useRemovals = (query: RemovalFilters & Paging, when: When) =>
  useServerData<Reply<RemovalsReport>>('reports/removals', { ...query }, when);

export const useBook = (days: Days, when: When) => useServerData<Reply<BookSummary>>('reports/book', { ...days }, when);

export const useUninvoiced = () => useServerData<Reply<UninvoicedReport>>('reports/uninvoiced');

/** Reads a page of the treatments that match; nothing while the filters are null. */
export const useSalesPreview = (filters: ReportFilters | null, paging: Paging) =>
  useServerData<Reply<SalesPreview>>('reports/sales/preview', { ...filters, ...paging }, { enabled: filters !== null });

/** Reads the taxes of the treatments that match; nothing while the filters are null. */
export const useSalesTaxes = (filters: ReportFilters | null) =>
  useServerData<Reply<TaxTotalPayload[]>>('reports/sales/taxes', { ...filters }, { enabled: filters !== null });

export const reportPaths = ['reports'];
