/** What a clinic wants to earn in a month, and what that makes of a day. */
import { monthOf } from '../expense/periods.ts';
import type { DaySpan } from '../expense/periods.ts';
import { daysAfter } from '../business-day.ts';
import { divideRounded } from '../money.ts';
import { daysOf } from './periods.ts';

const weeks = 4;
/** An emergency on one Sunday does not make Sundays working days. */
const fewestOpen = 2;
/** Monday to Friday: the days of a clinic that is not known yet. */
const usual: ReadonlySet<number> = new Set([1, 2, 3, 4, 5]);

const weekdayOf = (day: string): number => new Date(`${day}T00:00:00Z`).getUTCDay();

/** Returns the days that tell which weekdays a clinic works: whole weeks before today. */
export const spanOfHabit = (today: string): DaySpan => ({
  start: daysAfter(today, -7 * weeks),
  end: daysAfter(today, -1),
});

/** Returns the weekdays on which a clinic works, from 0 for Sunday: those on which it sold something twice in four weeks. */
export function workingWeekdays(today: string, isOpen: (day: string) => boolean): ReadonlySet<number> {
  const open = daysOf(spanOfHabit(today)).filter(isOpen).map(weekdayOf);
  const working = new Set(open.filter((weekday) => open.filter((each) => each === weekday).length >= fewestOpen));
  return working.size > 0 ? working : usual;
}

/** Returns the part of a month's target that one working day of the month has, rounded to the cent. */
export function dayTarget(monthMinor: number, today: string, weekdays: ReadonlySet<number>): number {
  const working = daysOf(monthOf(today)).filter((day) => weekdays.has(weekdayOf(day)));
  return divideRounded(monthMinor, working.length);
}
