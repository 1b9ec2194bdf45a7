/** What needs a hand now, and how the day goes so far. */
import { dayMs } from '../durations.ts';
import { daysAfter } from '../business-day.ts';
import { divideRounded } from '../money.ts';
import type { AttentionResource } from '../protocol/sync.ts';

/** `GET /admin/dashboard/now`. Lists have the first few; counts are complete. */
export interface DashboardNow {
  asOf: string;
  drawers: {
    /** The open drawers, the first opened first. */
    open: { id: string; device: string; opened_at: string; opened_by: string }[];
    count: number;
    /** Cash of today that was taken and given back while no drawer was open. */
    outside: { count: number; amount: number };
  };
  /** Open alerts, with the names of the latest items. */
  stock: { count: number; high: number; names: string[] };
  /** Items that are not settled. The first few kinds are distinct, the latest first. */
  attention: { count: number; kinds: AttentionResource['kind'][] };
  /** Devices with unsent work, and those that have not reported for a day although somebody is signed in on them. */
  devices: SilentDevice[];
  sameHour: SameHour;
}

export interface SilentDevice {
  id: number;
  name: string;
  code: string;
  /** The number of unsent operations at its last report. */
  waiting: number;
  last_seen_at: string | null;
}

/** Revenue up to this time of the day, today and on the last four days of the same weekday. */
export interface SameHour {
  /** `15:05`, by the clinic's clock. */
  time: string;
  today: number;
  /** The average of the days on which anything was taken; null without one. */
  usual: number | null;
  /** The days of the average, the oldest first. */
  days: { day: string; revenue: number }[];
}

const comparedWeeks = 4;

/** Returns the last four days of the same weekday, the oldest first. */
export const sameWeekdays = (today: string): string[] =>
  Array.from({ length: comparedWeeks }, (_, index) => daysAfter(today, 7 * (index - comparedWeeks)));

/** Returns the average of amounts in minor units; null of none. */
export const averageMinor = (amounts: readonly number[]): number | null =>
  amounts.length === 0
    ? null
    : divideRounded(
        amounts.reduce((sum, amount) => sum + amount, 0),
        amounts.length,
      );

/** A device reports at least once a minute while its app is open, so it is not silent before this time. */
const reportEveryMs = 2 * 60_000;
/** A device that somebody is signed in on, and its last report. */
export interface ReportingDevice {
  waiting: number;
  lastSeenAtMs: number | null;
}

/** True for a device that has left unsent work behind, or has not reported for a day. */
export function isSilent({ waiting, lastSeenAtMs }: ReportingDevice, nowMs: number): boolean {
  const sinceMs = lastSeenAtMs === null ? Number.POSITIVE_INFINITY : nowMs - lastSeenAtMs;
  return sinceMs > (waiting > 0 ? reportEveryMs : dayMs);
}
