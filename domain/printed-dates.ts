import { dateTag } from './language.ts';
import type { Language } from './language.ts';

interface PrintedDates {
  times: Intl.DateTimeFormat;
  days: Intl.DateTimeFormat;
}

/** To make a format takes longer than to write a document with it. */
const known = new Map<string, PrintedDates>();

/** Returns the formats of days and times on paper, in the time zone of the clinic (IANA name). */
export function printedDates(language: Language, timeZone: string): PrintedDates {
  const key = `${language} ${timeZone}`;
  let dates = known.get(key);
  if (!dates) {
    const tag = dateTag(language);
    dates = {
      times: new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short', timeZone }),
      days: new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone }),
    };
    known.set(key, dates);
  }
  return dates;
}

/** Keeps a date or a time on one line. */
export const unbroken = (date: string): string => date.replaceAll(' ', '\u00a0');
