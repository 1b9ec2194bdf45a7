/** The filters of treatment reports, and their validation. */
import { isDay } from '../business-day.ts';
import type { OrderType } from '../order/vocabulary.ts';
import type { Problems } from '../problems.ts';
import type { ReportStatus } from './vocabulary.ts';

/** An absent filter matches everything. Previews take the filters in the query, exports in the body. */
export interface ReportFilters {
  /** The treatment's business day, both ends included. */
  startDate?: string | undefined;
  endDate?: string | undefined;
  orderType?: OrderType | undefined;
  status?: ReportStatus | undefined;
  /** The treatment's total, in wire decimals, both ends included. */
  minAmount?: number | undefined;
  maxAmount?: number | undefined;
  /**
   * Finds treatments whose number, whose invoice's number, or a word of whose customer's or items' names begins so.
   * Numbers take part once a digit is given: before that, every one of them begins alike.
   */
  searchTerm?: string | undefined;
}

export const maxSearchLength = 100;
/** Number of letters and digits. A shorter term matches nearly every treatment, which makes the query slow. */
const minSearchLength = 2;

export function reportFilterProblems({
  startDate,
  endDate,
  minAmount,
  maxAmount,
  searchTerm,
}: ReportFilters): Problems<keyof ReportFilters> {
  const problems: Problems<keyof ReportFilters> = {};
  if (startDate !== undefined && !isDay(startDate)) problems.startDate = 'DATE_INVALID';
  if (endDate !== undefined && !isDay(endDate)) problems.endDate = 'DATE_INVALID';
  else if (startDate !== undefined && endDate !== undefined && endDate < startDate) problems.endDate = 'REPORT_RANGE';
  if (minAmount !== undefined && !(minAmount >= 0)) problems.minAmount = 'AMOUNT_NEGATIVE';
  if (maxAmount !== undefined && !(maxAmount >= 0)) problems.maxAmount = 'AMOUNT_NEGATIVE';
  else if (minAmount !== undefined && maxAmount !== undefined && maxAmount < minAmount)
    problems.maxAmount = 'AMOUNT_RANGE';
  if (searchTerm !== undefined && searchTerm.length > maxSearchLength) problems.searchTerm = 'TOO_LONG';
  else if (searchTerm !== undefined && (searchTerm.match(/[\p{L}\p{N}]/gu)?.length ?? 0) < minSearchLength)
    problems.searchTerm = 'SEARCH_SHORT';
  return problems;
}
