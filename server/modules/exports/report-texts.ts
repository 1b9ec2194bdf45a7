/** The texts that describe an export: period, filters and services. The workbook and the PDF show the same ones. */
import type { Language } from '#domain/language.ts';
import { currencyLabel } from '#domain/money.ts';
import type { ReportItem } from '#domain/report/resources.ts';
import type { ReportFilters } from '#domain/report/filters.ts';
import type { SumRow } from '#domain/report/sums.ts';
import type { ClinicSettings } from '#domain/settings/settings.ts';
import { formatsFor } from '#server/formats.ts';
import { interpolate, translationsIn } from '#server/translations.ts';

export interface ExportContext {
  clinic: ClinicSettings;
  filters: ReportFilters;
  language: Language;
  /** Milliseconds since 1970. */
  atMs: number;
  /** The clinic's logo as PNG; only a PDF shows it. */
  logo?: Uint8Array | null | undefined;
}

export const formatsOf = ({ clinic, language }: Pick<ExportContext, 'clinic' | 'language'>) =>
  formatsFor({ language, timeZone: clinic.time_zone, currency: clinic.currency });

/** Returns the covered days as a phrase. */
export function periodText({ filters: { startDate, endDate }, ...context }: ExportContext): string {
  const { period } = translationsIn(context.language).exports;
  const { day } = formatsOf(context);
  if (startDate && endDate)
    return startDate === endDate
      ? day(startDate)
      : interpolate(period.between, { from: day(startDate), until: day(endDate) });
  if (startDate) return interpolate(period.from, { from: day(startDate) });
  return endDate ? interpolate(period.until, { until: day(endDate) }) : period.all;
}

/** Returns the name and value of each filter other than the period. */
export function filterTexts({ filters, ...context }: ExportContext): { name: string; value: string }[] {
  const { counter, exports: words } = translationsIn(context.language);
  const { amount } = formatsOf(context);
  const { orderType, status, minAmount, maxAmount, searchTerm } = filters;
  return [
    { name: words.columns.type, value: orderType && counter.types[orderType] },
    { name: words.columns.status, value: status && words.statuses[status] },
    { name: words.filters.least, value: minAmount === undefined ? '' : amount(minAmount) },
    { name: words.filters.most, value: maxAmount === undefined ? '' : amount(maxAmount) },
    { name: words.filters.search, value: searchTerm?.trim() },
  ].flatMap(({ name, value }) => (value ? [{ name, value }] : []));
}

/** Returns the name of a row of sums, with the number of treatments where it is not all that the report lists. */
export function sumText({ kind, currency, count }: SumRow, { language }: Pick<ExportContext, 'language'>): string {
  const { columns, sums } = translationsIn(language).exports;
  return kind === 'total' ? columns.total : interpolate(sums[kind], { currency: currencyLabel(currency), count });
}

/** Joins the services of one treatment: `2 × Filling, X-ray`. */
export function itemsText(items: readonly ReportItem[], count: (count: number) => string): string {
  return items.map(({ name, quantity }) => (quantity === 1 ? name : `${count(quantity)} × ${name}`)).join(', ');
}
