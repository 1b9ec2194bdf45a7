/** The calendar of a clinic in Madrid in 2026. The two changes of its clocks are all that is known of the time zone. */

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;
const [summerBegins, summerEnds] = [Date.UTC(2026, 2, 29, 1), Date.UTC(2026, 9, 25, 1)];

/** Returns an instant whose UTC fields are those of the clinic's clock. */
export const wallClock = (ms: number): Date => new Date(ms + (ms >= summerBegins && ms < summerEnds ? 2 : 1) * hourMs);

/** Returns the business day, `yyyy-mm-dd`. */
export const dayOf = (ms: number): string => wallClock(ms).toISOString().slice(0, 10);

export const hourOf = (ms: number): number => wallClock(ms).getUTCHours();

export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
