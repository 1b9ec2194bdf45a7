/** The filters of a report in a query or a body. A blank filter, or the value `all`, does not narrow. */
import { z } from 'zod';
import type { DaySpan } from '#domain/expense/periods.ts';
import { isValid, problemMessages } from '#domain/problems.ts';
import { amountSchema, textSchema } from '#domain/wire/schemas.ts';
import { orderTypeSchema } from '#domain/order/schemas.ts';
import { reportFilterProblems } from '#domain/report/filters.ts';
import type { ReportFilters } from '#domain/report/filters.ts';
import { reportStatuses } from '#domain/report/vocabulary.ts';
import { accept, refuse } from '#domain/result.ts';
import type { Result } from '#domain/result.ts';

const narrowing = <T extends z.ZodType>(schema: T, blank: readonly unknown[] = ['', null]) =>
  z.preprocess(
    (given) => (blank.includes(typeof given === 'string' ? given.trim() : given) ? undefined : given),
    schema.optional(),
  );

const text = textSchema(1000).transform((given) => given.trim());
/** A query has texts only, and of a body an array or a boolean is no amount, although `Number` makes one of it. */
const amount = z.preprocess((given) => (typeof given === 'string' ? Number(given) : given), amountSchema);
const named = ['', null, 'all'];

/** The domain validates the values. Unknown keys are refused: a misspelt filter would otherwise return everything. */
export const reportFiltersSchema = z.strictObject({
  startDate: narrowing(text),
  endDate: narrowing(text),
  orderType: narrowing(orderTypeSchema, named),
  status: narrowing(z.enum(reportStatuses), named),
  minAmount: narrowing(amount),
  maxAmount: narrowing(amount),
  searchTerm: narrowing(text),
});

/** The filters of the report of removals; the period is validated as in other reports. */
export const removalFiltersSchema = z.strictObject({
  startDate: narrowing(text),
  endDate: narrowing(text),
  person: narrowing(
    z.coerce
      .number()
      .int()
      .positive()
      .max(2 ** 31 - 1),
    named,
  ),
});

/** Returns valid filters, or a refusal that names the problems. */
export function soundFilters({
  startDate,
  endDate,
  orderType,
  status,
  minAmount,
  maxAmount,
  searchTerm,
}: Partial<z.infer<typeof reportFiltersSchema>>): Result<ReportFilters> {
  const filters = { startDate, endDate, orderType, status, minAmount, maxAmount, searchTerm };
  const problems = reportFilterProblems(filters);
  return isValid(problems) ? accept(filters) : refuse('VALIDATION', problemMessages(problems));
}

/** The period of the book of issued invoices: both days are needed. */
export const bookPeriodSchema = z.strictObject({ startDate: text, endDate: text });

/** Returns the days of a period, or a refusal that names the problems. */
export function soundPeriod({ startDate, endDate }: z.infer<typeof bookPeriodSchema>): Result<DaySpan> {
  const problems = reportFilterProblems({ startDate, endDate });
  return isValid(problems)
    ? accept({ start: startDate, end: endDate })
    : refuse('VALIDATION', problemMessages(problems));
}
