/** Instants as fiscal records and invoices state them: in the clinic's zone. */
import { businessDay } from '../business-day.ts';

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterFor(timeZone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(timeZone);
  if (!formatter) {
    const time = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;
    formatter = new Intl.DateTimeFormat('en-GB', { timeZone, ...time });
    formatters.set(timeZone, formatter);
  }
  return formatter;
}

/** Returns an instant (milliseconds since 1970) as ISO 8601 with the zone's offset, to the second. */
export function zonedInstant(atMs: number, timeZone: string): string {
  const local = `${businessDay(atMs, timeZone)}T${formatterFor(timeZone).format(atMs)}`;
  const minutes = Math.round((Date.parse(`${local}Z`) - Math.floor(atMs / 1000) * 1000) / 60_000);
  const two = (part: number) => String(part).padStart(2, '0');
  const offset = `${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
  return `${local}${minutes < 0 ? '-' : '+'}${offset}`;
}

/** Returns a day (`yyyy-mm-dd`) as `dd-mm-yyyy`. */
export const fiscalDay = (day: string): string => day.split('-').toReversed().join('-');
