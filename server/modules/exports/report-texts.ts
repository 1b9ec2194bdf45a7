/** What an export is about, in the reader's words: the same facts head the sheet and the paper. */
import type { Language } from '../../../domain/language.ts';
import { currencyLabel, formatMinor, minorFromWire } from '../../../domain/money.ts';
import type { ReportItem } from '../../../domain/report/resources.ts';
import type { ReportFilters } from '../../../domain/report/filters.ts';
import type { ClinicSettings } from '../../../domain/settings/settings.ts';
import { localeTag, interpolate, translationsIn } from '../../translations.ts';

export interface ExportContext {
  clinic: ClinicSettings;
  filters: ReportFilters;
  language: Language;
  /** When it is made: milliseconds since 1970. */
  atMs: number;
}

/** Formats of the reader's language and the clinic's clock. */
export function formatsFor({ clinic, language }: Pick<ExportContext, 'clinic' | 'language'>) {
  const tag = localeTag(language);
  const dates = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone: 'UTC' });
  const moments = new Intl.DateTimeFormat(tag, {
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: clinic.time_zone,
  });
  const counts = new Intl.NumberFormat(language === 'sp' ? 'es-ES' : 'en', { maximumFractionDigits: 3 });
  return {
    /** A calendar day, YYYY-MM-DD. */
    day: (day: string) => dates.format(Date.parse(day)),
    moment: (instant: number | string) => moments.format(new Date(instant)).replace(',', ''),
    count: (count: number) => counts.format(count),
    /** A wire decimal. */
    amount: (amount: number, currency: string = clinic.currency) =>
      formatMinor(minorFromWire(amount), currencyLabel(currency)),
  };
}

/** The days that it covers, as a person says them. */
export function periodText({ filters: { startDate, endDate }, ...context }: ExportContext): string {
  const { period } = translationsIn(context.language).exports;
  const { day } = formatsFor(context);
  if (startDate && endDate)
    return startDate === endDate
      ? day(startDate)
      : interpolate(period.between, { from: day(startDate), until: day(endDate) });
  if (startDate) return interpolate(period.from, { from: day(startDate) });
  return endDate ? interpolate(period.until, { until: day(endDate) }) : period.all;
}

/** What it was narrowed to besides its days: a name and a value each. */
export function filterTexts({ filters, ...context }: ExportContext): { name: string; value: string }[] {
  const { counter, exports: words } = translationsIn(context.language);
  const { amount } = formatsFor(context);
  const { orderType, status, minAmount, maxAmount, searchTerm } = filters;
  return [
    { name: words.columns.type, value: orderType && counter.types[orderType] },
    { name: words.columns.status, value: status && words.statuses[status] },
    { name: words.filters.least, value: minAmount === undefined ? '' : amount(minAmount) },
    { name: words.filters.most, value: maxAmount === undefined ? '' : amount(maxAmount) },
    { name: words.filters.search, value: searchTerm?.trim() },
  ].flatMap(({ name, value }) => (value ? [{ name, value }] : []));
}

/** The services of one treatment on a line: `2 × Filling, X-ray`. */
export function itemsText(items: readonly ReportItem[], count: (count: number) => string): string {
  return items.map(({ name, quantity }) => (quantity === 1 ? name : `${count(quantity)} × ${name}`)).join(', ');
}
