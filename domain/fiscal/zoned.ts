/** Instants as fiscal records and invoices state them: in the clinic's zone. */
import { localTime, zoneOffsetMs } from '../time-zone.ts';

/** Returns an instant (milliseconds since 1970) as ISO 8601 with the zone's offset, to the second. */
export function zonedInstant(atMs: number, timeZone: string): string {
  const minutes = Math.round(zoneOffsetMs(atMs, timeZone) / 60_000);
  const two = (part: number) => String(part).padStart(2, '0');
  const offset = `${two(Math.floor(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
  return `${localTime(atMs, timeZone)}${minutes < 0 ? '-' : '+'}${offset}`;
}

/** Returns a day (`yyyy-mm-dd`) as `dd-mm-yyyy`. */
export const fiscalDay = (day: string): string => day.split('-').toReversed().join('-');
