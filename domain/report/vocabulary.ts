/** The enumerations of reports. */
import { orderStatuses } from '../order/vocabulary.ts';

/** The business day, the last seven of them, or the calendar month so far. */
export const reportPeriods = ['today', 'week', 'month'] as const;
export type ReportPeriod = (typeof reportPeriods)[number];
export const defaultReportPeriod: ReportPeriod = 'today';

/** `served` is no status of a treatment: it finds those that are not cancelled and whose every item was served. */
export const reportStatuses = [...orderStatuses, 'served'] as const;
export type ReportStatus = (typeof reportStatuses)[number];

export const topProductCount = 5;
/** How many of a period's treatments its analytics show. */
export const newestOrderCount = 50;
