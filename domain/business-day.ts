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
