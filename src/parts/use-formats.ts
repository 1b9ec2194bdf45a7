import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { intlTag } from '../ui/intl-tag.ts';

/** Dates and quantities as the reader's language writes them. Instants are milliseconds or ISO 8601. */
export function useFormats() {
  const { i18n } = useTranslation();
  return useMemo(() => {
    const tag = intlTag(i18n.language);
    const dates = new Intl.DateTimeFormat(tag, { dateStyle: 'medium' });
    const moments = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short' });
    const quantities = new Intl.NumberFormat(tag, { maximumFractionDigits: 3 });
    const at = (instant: number | string) => new Date(instant);
    return {
      date: (instant: number | string) => dates.format(at(instant)),
      dateTime: (instant: number | string) => moments.format(at(instant)),
      /** A calendar day (YYYY-MM-DD), which belongs to no time zone. */
      day: (day: string) => new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`)),
      quantity: (quantity: number) => quantities.format(quantity),
    };
  }, [i18n.language]);
}
