/** The spans of days by which expenses are looked through. */
import { daysAfter } from '../business-day.ts';

export const expensePeriods = ['all', 'today', 'week', 'month'] as const;
export type ExpensePeriod = (typeof expensePeriods)[number];

/** Days, both ends included. */
export interface DaySpan {
  start: string;
  end: string;
}

/** The calendar month that a day (`YYYY-MM-DD`) lies in. */
export function monthOf(day: string): DaySpan {
  const start = `${day.slice(0, 7)}-01`;
  const next = daysAfter(start, 31).slice(0, 7);
  return { start, end: daysAfter(`${next}-01`, -1) };
}

/** The week that a day lies in, from Sunday to Saturday. */
export function weekOf(day: string): DaySpan {
  const start = daysAfter(day, -new Date(`${day}T00:00:00Z`).getUTCDay());
  return { start, end: daysAfter(start, 6) };
}

/** @param today the clinic's business day; null: without bounds */
export function spanOf(period: ExpensePeriod, today: string): DaySpan | null {
  if (period === 'all') return null;
  return { today: { start: today, end: today }, week: weekOf(today), month: monthOf(today) }[period];
}
