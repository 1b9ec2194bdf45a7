import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { dateTag, intlTag } from '../ui/intl-tag.ts';

/**
 * Dates and quantities as the reader's language writes them. Instants are milliseconds or ISO 8601.
 *
 * @param timeZone whose clock is meant; this device's own where nothing is said
 */
export function useFormats(timeZone?: string) {
  const { i18n } = useTranslation();
  return useMemo(() => {
    const tag = dateTag(i18n.language);
    const zone = timeZone === undefined ? {} : { timeZone };
    const dates = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', ...zone });
    const moments = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short', ...zone });
    const quantities = new Intl.NumberFormat(intlTag(i18n.language), { maximumFractionDigits: 3 });
    const changes = new Intl.NumberFormat(intlTag(i18n.language), { maximumFractionDigits: 3, signDisplay: 'exceptZero' });
    const shares = new Intl.NumberFormat(intlTag(i18n.language), { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 });
    const weekdays = new Intl.DateTimeFormat(tag, { weekday: 'narrow', timeZone: 'UTC' });
    const months = new Intl.DateTimeFormat(tag, { month: 'long', year: 'numeric', timeZone: 'UTC' });
    const at = (instant: number | string) => new Date(instant);
    return {
      date: (instant: number | string) => dates.format(at(instant)),
      dateTime: (instant: number | string) => moments.format(at(instant)),
      /** A calendar day (YYYY-MM-DD), which belongs to no time zone. */
      day: (day: string) => new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`)),
      /** The month of a calendar day, in words. */
      month: (day: string) => months.format(new Date(`${day}T00:00:00Z`)),
      /** The letter of a calendar day's weekday. */
      weekday: (day: string) => weekdays.format(new Date(`${day}T00:00:00Z`)),
      quantity: (quantity: number) => quantities.format(quantity),
      /** A quantity with its sign. */
      change: (quantity: number) => changes.format(quantity),
      /** A share that is given in percent, to one decimal. */
      percent: (percent: number) => shares.format(percent / 100),
    };
  }, [i18n.language, timeZone]);
}
