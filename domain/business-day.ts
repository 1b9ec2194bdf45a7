/** Business days: calendar days in the clinic's time zone, independent of the time zone of a device or server. */
import { dayMs, hourMs } from './durations.ts';
import { longestBeforeFirstDayMs, wrongClockMs } from './limits.ts';
import { localTime } from './time-zone.ts';

/** Returns the day (`YYYY-MM-DD`) of an instant (milliseconds since 1970) in a time zone (IANA name). */
export function businessDay(instantMs: number, timeZone: string): string {
  return localTime(instantMs, timeZone).slice(0, 10);
}

export interface StatedTimes {
  /** By the device's clock. */
  occurredAtMs: number;
  /** Null when never measured. */
  offsetMs: number | null;
  receivedAtMs: number;
  /** The clinic's first day. */
  firstDayMs: number;
}

const isBeforeClinic = (atMs: number, { firstDayMs }: StatedTimes): boolean =>
  atMs < firstDayMs - longestBeforeFirstDayMs;

/**
 * Returns when something took effect by the server's clock (milliseconds): the device's time plus its measured offset, but not
 * later than the arrival. Without a measured offset, the arrival counts (SYNC-10); so it does for a clock that shows a time
 * before the clinic: a sale is a fact whatever the clock says.
 */
export function effectiveAt(times: StatedTimes): number {
  if (times.offsetMs === null) return times.receivedAtMs;
  const atMs = times.occurredAtMs + times.offsetMs;
  return isBeforeClinic(atMs, times) ? times.receivedAtMs : Math.min(times.receivedAtMs, atMs);
}

/** True when a clock that was measured shows a time that cannot be. */
export function isClockWrong(times: StatedTimes): boolean {
  if (times.offsetMs === null) return false;
  const atMs = times.occurredAtMs + times.offsetMs;
  return isBeforeClinic(atMs, times) || atMs > times.receivedAtMs + wrongClockMs;
}

/** True for an existing calendar day, written `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  const at = /^[1-9]\d{3}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** Adds a number of days to a day (`YYYY-MM-DD`). */
export function daysAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/**
 * Returns the first instant (milliseconds since 1970) of a business day. A binary search finds it, because a day does not
 * always begin at midnight: some time zones change their clocks then.
 */
export function startOfDay(day: string, timeZone: string): number {
  const widestZoneMs = 15 * hourMs;
  let before = Date.parse(`${day}T00:00:00Z`) - widestZoneMs;
  let within = before + 2 * widestZoneMs;
  while (within - before > 1) {
    const middle = Math.floor((before + within) / 2);
    if (businessDay(middle, timeZone) < day) before = middle;
    else within = middle;
  }
  return within;
}
