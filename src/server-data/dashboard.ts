/** Reads of the dashboard. */
import type { DashboardNow } from '#domain/report/now.ts';
import type { DashboardStats, IncomeReport } from '#domain/report/resources.ts';
import type { ReportPeriod } from '#domain/report/vocabulary.ts';
import type { Reply } from './list-query.ts';
import { useServerData } from './use-server-data.ts';

export const useDashboardNow = () => useServerData<Reply<DashboardNow>>('admin/dashboard/now');

export const useDashboardStats = () => useServerData<Reply<DashboardStats>>('admin/dashboard/stats');

export const useIncomeReport = (period: ReportPeriod) =>
  useServerData<Reply<IncomeReport>>('admin/dashboard/income-report', { period });

export const dashboardPaths = ['admin/dashboard'];
