/** Dates, numbers and amounts as the server writes them in exports and emails. */
import { dateTag } from '#domain/language.ts';
import type { Language } from '#domain/language.ts';
import { currencyLabel, formatMinor, minorFromWire } from '#domain/money.ts';
import { numberFormat } from '#domain/number-format.ts';

/** Returns formatters for the reader's language and the clinic's time zone and currency. */
export function formatsFor({
  language,
  timeZone,
  currency: clinicCurrency,
}: {
  language: Language;
  timeZone: string;
  currency: string;
}) {
  const locale = dateTag(language);
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const longDates = new Intl.DateTimeFormat(locale, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  const dayAndTime = { day: '2-digit', month: '2-digit', hour: '2-digit', minute: '2-digit', timeZone } as const;
  const times = new Intl.DateTimeFormat(locale, dayAndTime);
  const moments = new Intl.DateTimeFormat(locale, { ...dayAndTime, year: 'numeric', hourCycle: 'h23' });
  const numbers = numberFormat();
  const changes = numberFormat({
    minimumFractionDigits: 1,
    maximumFractionDigits: 1,
    signDisplay: 'exceptZero',
  });
  return {
    /** A calendar day, YYYY-MM-DD. */
    day: (day: string) => dates.format(Date.parse(day)),
    /** A calendar day with its weekday. */
    longDay: (day: string) => longDates.format(Date.parse(day)),
    /** An instant without its year. */
    time: (instant: string) => times.format(Date.parse(instant)),
    moment: (instant: number | string) => moments.format(new Date(instant)).replace(',', ''),
    number: (value: number) => numbers.format(value),
    /** A change in percent, with its sign. */
    change: (percent: number) => `${changes.format(percent)} %`,
    /** A wire decimal. */
    amount: (amount: number, currency: string = clinicCurrency) =>
      formatMinor(minorFromWire(amount), currencyLabel(currency)),
  };
}
