/** The periods that the list of expenses can be filtered by. */
import { daysAfter } from '../business-day.ts';

export const expensePeriods = ['all', 'today', 'week', 'month'] as const;
export type ExpensePeriod = (typeof expensePeriods)[number];

/** A span of days, both ends included. */
export interface DaySpan {
  start: string;
  end: string;
}

/** Returns the calendar month of a day (`YYYY-MM-DD`). */
export function monthOf(day: string): DaySpan {
  const start = `${day.slice(0, 7)}-01`;
  const next = daysAfter(start, 31).slice(0, 7);
  return { start, end: daysAfter(`${next}-01`, -1) };
}

/** Returns the week of a day, from Sunday to Saturday. */
export function weekOf(day: string): DaySpan {
  const start = daysAfter(day, -new Date(`${day}T00:00:00Z`).getUTCDay());
  return { start, end: daysAfter(start, 6) };
}

/** Returns the span of a period; null for all days. */
export function spanOf(period: ExpensePeriod, today: string): DaySpan | null {
  if (period === 'all') return null;
  return { today: { start: today, end: today }, week: weekOf(today), month: monthOf(today) }[period];
}
