/** The enumerations of reports. */
import { orderStatuses } from '../order/vocabulary.ts';

/** The business day, the last seven business days, or the calendar month to date. */
export const reportPeriods = ['today', 'week', 'month'] as const;
export type ReportPeriod = (typeof reportPeriods)[number];
export const defaultReportPeriod: ReportPeriod = 'today';

/** What a period is compared with; `comparedSpan` defines the spans. */
export const comparisons = ['before', 'weekdays', 'year'] as const;
export type Comparison = (typeof comparisons)[number];
export const defaultComparison: Comparison = 'before';

/**
 * The statuses of treatments in reports. `served` says of a confirmed treatment that all its items were served and only
 * the payment is missing.
 */
export const reportStatuses = [...orderStatuses, 'served'] as const;
export type ReportStatus = (typeof reportStatuses)[number];

export const topProductCount = 5;
/** The number of treatments in the analytics of a period. */
export const newestOrderCount = 50;
