/**
 * Local times of a time zone (IANA name), worked out from its offset. No text of `Intl` is read: engines write the same
 * locale in different ways, so only the numbers of its parts count.
 */
import { dayMs } from './durations.ts';

/** The offsets of some years. Clocks that show odd dates must not make the map grow without end. */
const maxDays = 4000;

interface Zone {
  format: Intl.DateTimeFormat;
  /** Offsets by UTC day, counted from 1970; null for a day in which the clocks change. */
  offsets: Map<number, number | null>;
}

const zones = new Map<string, Zone>();

function zoneOf(timeZone: string): Zone {
  let zone = zones.get(timeZone);
  if (!zone) {
    const style = { day: 'numeric', hour: 'numeric', minute: 'numeric', second: 'numeric', hourCycle: 'h23' } as const;
    const format = new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', { timeZone, ...style });
    zone = { format, offsets: new Map() };
    zones.set(timeZone, zone);
  }
  return zone;
}

/** Reads the offset from the time of day, and from the day of the month, which is the same in UTC or a neighbour. */
function readOffsetMs({ format }: Zone, instantMs: number): number {
  const local = { day: 0, hour: 0, minute: 0, second: 0 };
  for (const { type, value } of format.formatToParts(instantMs))
    if (type in local) local[type as 'day'] = Number(value);
  const seconds = Math.floor(instantMs / 1000);
  const secondsOfDay = local.hour * 3600 + local.minute * 60 + local.second - (((seconds % 86_400) + 86_400) % 86_400);
  const dayOfMonth = (days: number) => new Date(instantMs + days * dayMs).getUTCDate();
  const days = [0, 1, -1].find((each) => dayOfMonth(each) === local.day) ?? 0;
  return secondsOfDay * 1000 + days * dayMs;
}

/** Returns what a zone is ahead of UTC (milliseconds) at an instant (milliseconds since 1970). */
export function zoneOffsetMs(instantMs: number, timeZone: string): number {
  const zone = zoneOf(timeZone);
  const day = Math.floor(instantMs / dayMs);
  let offset = zone.offsets.get(day);
  if (offset === undefined) {
    const first = readOffsetMs(zone, day * dayMs);
    offset = first === readOffsetMs(zone, day * dayMs + dayMs - 1) ? first : null;
    if (zone.offsets.size >= maxDays) zone.offsets.clear();
    zone.offsets.set(day, offset);
  }
  return offset ?? readOffsetMs(zone, instantMs);
}

/** Returns the local time of an instant (milliseconds since 1970) as `YYYY-MM-DDTHH:MM:SS`. */
export const localTime = (instantMs: number, timeZone: string): string =>
  new Date(instantMs + zoneOffsetMs(instantMs, timeZone)).toISOString().slice(0, 19);
