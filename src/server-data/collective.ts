/** Reads of collective invoices and of what they can bill, and what a write reloads. */
import type { ListedCollective } from '#domain/order/collective.ts';
import type { UninvoicedTreatment } from '#domain/report/uninvoiced.ts';
import type { Recipient } from '#domain/tax/document.ts';
import { dashboardPaths } from './dashboard.ts';
import { fiscalPaths } from './fiscal.ts';
import type { Page, Reply } from './list-query.ts';
import { reportPaths } from './reports.ts';
import { useServerData } from './use-server-data.ts';

export const usePayers = () => useServerData<Reply<Recipient[]>>('collective-invoices/payers');

/** Reads the treatments of a month (`yyyy-mm`) that can be billed; nothing while the month is unknown. */
export const useBillable = (month: string | null) =>
  useServerData<Reply<UninvoicedTreatment[]>>('collective-invoices/billable', { month }, { enabled: month !== null });

export const useCollectiveInvoices = ({ page, size }: { page: number; size: number }) =>
  useServerData<Page<ListedCollective>>('collective-invoices', { page, per_page: size });

export const collectivePaths = ['collective-invoices', ...reportPaths, ...dashboardPaths, ...fiscalPaths];
