/** The business day is the calendar day of the clinic's own time zone, whatever zone a device or server runs in. */

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterFor(timeZone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(timeZone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
    formatters.set(timeZone, formatter);
  }
  return formatter;
}

/** The day (`YYYY-MM-DD`) on which an instant (milliseconds since 1970) falls in a time zone (IANA name). */
export function businessDay(instantMs: number, timeZone: string): string {
  return formatterFor(timeZone).format(instantMs);
}

/**
 * When something happened by the server's clock (milliseconds): the device's time corrected by its measured offset, never
 * later than the arrival. Without a measured offset the arrival counts.
 */
export function effectiveAt(times: { occurredAtMs: number; offsetMs: number | null; receivedAtMs: number }): number {
  if (times.offsetMs === null) return times.receivedAtMs;
  return Math.min(times.receivedAtMs, times.occurredAtMs + times.offsetMs);
}

/** Whether a text is a day of the calendar, written YYYY-MM-DD. */
export function isDay(text: string): boolean {
  const at = /^[1-9]\d{3}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : NaN;
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** The day (`YYYY-MM-DD`) that lies a number of days after another. */
export function daysAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/**
 * The first instant (milliseconds since 1970) of a business day. It is searched for rather than computed, because clocks are
 * also changed at midnight: then a day begins at one o'clock.
 */
export function startOfDay(day: string, timeZone: string): number {
  const widestZoneMs = 15 * 3_600_000;
  let before = Date.parse(`${day}T00:00:00Z`) - widestZoneMs;
  let within = before + 2 * widestZoneMs;
  while (within - before > 1) {
    const middle = Math.floor((before + within) / 2);
    if (businessDay(middle, timeZone) < day) before = middle;
    else within = middle;
  }
  return within;
}
