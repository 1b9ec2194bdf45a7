import { useTranslation } from 'react-i18next';
import { businessDay } from '../../domain/business-day.ts';
import { dateTag } from '../ui/intl-tag.ts';
import { useClinicSettings } from '../device/use-clinic-settings.ts';

/** Formats an instant in the clinic's time: the hour alone on the day itself, with the date before it otherwise. */
export function useMoment(): (atMs: number) => string {
  const { i18n } = useTranslation();
  const { time_zone: timeZone } = useClinicSettings();
  const locale = dateTag(i18n.language);
  const hour = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone });
  const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone });
  return (atMs) => {
    if (!Number.isFinite(atMs)) return '';
    const isToday = businessDay(atMs, timeZone) === businessDay(Date.now(), timeZone);
    return isToday ? hour.format(atMs) : `${day.format(atMs)}, ${hour.format(atMs)}`;
  };
}
