import { useTranslation } from 'react-i18next';
import { businessDay } from '#domain/business-day.ts';
import { dateTag } from '#domain/language.ts';
import { numberFormat } from '#domain/number-format.ts';
import { useClinicSettings } from '../local-data/use-clinic-settings.ts';

/** The short style of a time has one digit for an early hour in Spanish, so that times below each other would not align. */
const hourAndMinute = { hour: '2-digit', minute: '2-digit' } as const;
/** As the medium style of a date, with which no other parts of a time can be chosen. */
const mediumDay = { day: 'numeric', month: 'short', year: 'numeric' } as const;

/** Creating Intl formatters is slow, and every row of a list needs the same ones. */
const made = new Map<string, ReturnType<typeof formatsOf>>();

/**
 * Returns functions that format dates in the reader's language, and numbers. Instants are milliseconds or ISO 8601.
 *
 * @param timeZone the device's own if omitted
 */
export function useFormats(timeZone?: string) {
  const { language } = useTranslation().i18n;
  const key = `${language} ${timeZone}`;
  const formats = made.get(key) ?? formatsOf(language, timeZone);
  made.set(key, formats);
  return formats;
}

function formatsOf(language: string, timeZone: string | undefined) {
  const tag = dateTag(language);
  const zone = timeZone === undefined ? {} : { timeZone };
  const instants = (style: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(tag, { ...style, ...zone });
  // A calendar day has no time zone.
  const days = (style: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(tag, { ...style, timeZone: 'UTC' });
  const percents = (digits: number, style: Intl.NumberFormatOptions = {}) =>
    numberFormat({ style: 'percent', minimumFractionDigits: digits, maximumFractionDigits: digits, ...style });

  const [dates, moments] = [instants(mediumDay), instants({ ...mediumDay, ...hourAndMinute })];
  const [plainDays, longDays, months] = [
    days({ dateStyle: 'medium' }),
    days({ dateStyle: 'full' }),
    days({ month: 'long', year: 'numeric' }),
  ];
  const [weekdays, shortWeekdays] = [days({ weekday: 'narrow' }), days({ weekday: 'short' })];
  const [longWeekdays, daysOfMonth] = [days({ weekday: 'long' }), days({ day: 'numeric', month: 'short' })];
  const weekdaysAndDays = days({ weekday: 'short', day: 'numeric', month: 'short' });
  const [quantities, changes] = [numberFormat(), numberFormat({ signDisplay: 'exceptZero' })];
  const kilobytes = numberFormat({ style: 'unit', unit: 'kilobyte', maximumFractionDigits: 0 });
  const [shares, growths, margins] = [percents(1), percents(1, { signDisplay: 'exceptZero' }), percents(2)];

  const at = (instant: number | string) => new Date(instant);
  const ofDay = (day: string) => new Date(`${day}T00:00:00Z`);
  return {
    date: (instant: number | string) => dates.format(at(instant)),
    dateTime: (instant: number | string) => moments.format(at(instant)),
    /** A range of instants. */
    dateTimes: ({ start, end }: { start: string; end: string }) => moments.formatRange(at(start), at(end)),
    /** A calendar day (YYYY-MM-DD). */
    day: (day: string) => plainDays.format(ofDay(day)),
    /** A calendar day without its year. */
    dayOfMonth: (day: string) => daysOfMonth.format(ofDay(day)),
    /** A calendar day with its weekday, abbreviated, without its year. */
    weekdayAndDay: (day: string) => weekdaysAndDays.format(ofDay(day)),
    /** A calendar day with its weekday, in words. */
    longDay: (day: string) => longDays.format(ofDay(day)),
    /** A range of calendar days, both ends included. */
    days: ({ start, end }: { start: string; end: string }) => plainDays.formatRange(ofDay(start), ofDay(end)),
    /** The month of a calendar day, in words. */
    month: (day: string) => months.format(ofDay(day)),
    /** The weekday of a calendar day, as one letter. */
    weekday: (day: string) => weekdays.format(ofDay(day)),
    /** The weekday of a calendar day, abbreviated. */
    shortWeekday: (day: string) => shortWeekdays.format(ofDay(day)),
    /** The weekday of a calendar day, in full. */
    longWeekday: (day: string) => longWeekdays.format(ofDay(day)),
    quantity: (quantity: number) => quantities.format(quantity),
    /** A quantity with its sign. */
    change: (quantity: number) => changes.format(quantity),
    /** A file size. */
    kilobytes: (bytes: number) => kilobytes.format(bytes / 1000),
    /** A percentage, to one decimal. */
    percent: (percent: number) => shares.format(percent / 100),
    /** A percentage with its sign, to one decimal. */
    growth: (percent: number) => growths.format(percent / 100),
    /** A percentage, to two decimals. */
    margin: (percent: number) => margins.format(percent / 100),
  };
}

/** Returns the formats of the reader's language in the clinic's time zone. */
export const useClinicFormats = () => useFormats(useClinicSettings().time_zone);

/** Formats an instant in the clinic's time zone: the time alone if the instant is today, otherwise the date and the time. */
export function useMoment(): (atMs: number) => string {
  const { i18n } = useTranslation();
  const { time_zone: timeZone } = useClinicSettings();
  const locale = dateTag(i18n.language);
  const hour = new Intl.DateTimeFormat(locale, { ...hourAndMinute, timeZone });
  const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone });
  return (atMs) => {
    if (!Number.isFinite(atMs)) return '';
    const isToday = businessDay(atMs, timeZone) === businessDay(Date.now(), timeZone);
    return isToday ? hour.format(atMs) : `${day.format(atMs)}, ${hour.format(atMs)}`;
  };
}

/** Formats the time of an instant in the clinic's time zone, without its day. */
export function useTime(): (atMs: number) => string {
  const { i18n } = useTranslation();
  const { time_zone: timeZone } = useClinicSettings();
  const hour = new Intl.DateTimeFormat(dateTag(i18n.language), { ...hourAndMinute, timeZone });
  return (atMs) => hour.format(atMs);
}
