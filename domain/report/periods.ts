/** The periods of reports, and the spans they are compared with. */
import { daysAfter } from '../business-day.ts';
import { monthOf } from '../expense/periods.ts';
import type { DaySpan } from '../expense/periods.ts';
import type { Comparison, ReportPeriod } from './vocabulary.ts';

const weekLength = 7;

/** Returns the span of a period. @param today the clinic's business day */
export function spanOf(period: ReportPeriod, today: string): DaySpan {
  switch (period) {
    case 'today':
      return { start: today, end: today };
    case 'week':
      return { start: daysAfter(today, 1 - weekLength), end: today };
    case 'month':
      return { start: monthOf(today).start, end: today };
  }
}

/** How far back the last open day may be. */
const openWithin = weekLength;

/**
 * Returns the span that a period is compared with.
 *
 * - `before`: the last open day before today, the seven days before, or the same days of the month before.
 * - `weekdays`: the same weekdays, one week before or, for a month, as many whole weeks as it needs.
 * - `year`: the same days of the month a year before; of a day and a week the same weekdays.
 *
 * @param isOpen tells whether anything was sold on a day. Without an open day in a week, yesterday is compared.
 */
export function comparedSpan(
  period: ReportPeriod,
  comparison: Comparison,
  { today, isOpen }: { today: string; isOpen: (day: string) => boolean },
): DaySpan {
  const span = spanOf(period, today);
  if (comparison === 'weekdays')
    return shifted(span, period === 'month' ? weekLength * Math.ceil(daysOf(span).length / weekLength) : weekLength);
  if (comparison === 'year') return period === 'month' ? sameDays(today, 12) : shifted(span, 52 * weekLength);
  if (period === 'month') return sameDays(today, 1);
  if (period === 'week') return shifted(span, weekLength);
  const last = daysOf(readableBefore(today)).findLast(isOpen) ?? daysAfter(today, -1);
  return { start: last, end: last };
}

/** Returns the days that have to be read to compare a period. */
export const spanToCompare = (period: ReportPeriod, comparison: Comparison, today: string): DaySpan =>
  period === 'today' && comparison === 'before'
    ? readableBefore(today)
    : comparedSpan(period, comparison, { today, isOpen: () => false });

const readableBefore = (today: string): DaySpan => ({
  start: daysAfter(today, -openWithin),
  end: daysAfter(today, -1),
});

const shifted = ({ start, end }: DaySpan, days: number): DaySpan => ({
  start: daysAfter(start, -days),
  end: daysAfter(end, -days),
});

/** Returns the days of an earlier month up to the same day of the month, or to its end. */
function sameDays(today: string, monthsBefore: number): DaySpan {
  let { start } = monthOf(today);
  for (let month = 0; month < monthsBefore; month++) ({ start } = monthOf(daysAfter(start, -1)));
  const { end } = monthOf(start);
  const sameDay = start.slice(0, 8) + today.slice(8);
  return { start, end: sameDay < end ? sameDay : end };
}

/** How texts name what a period is compared with. Those that name a day take its weekday. */
export type ComparedName =
  | 'yesterday'
  | 'openDay'
  | 'lastWeekday'
  | 'yearDay'
  | 'weekBefore'
  | 'yearWeek'
  | 'monthBefore'
  | 'weekdays'
  | 'yearMonth';

/** Returns the name of what a period is compared with. */
export function comparedName(
  period: ReportPeriod,
  comparison: Comparison,
  { today, day }: { today: string; day: string },
): ComparedName {
  if (period === 'month')
    return ({ before: 'monthBefore', weekdays: 'weekdays', year: 'yearMonth' } as const)[comparison];
  if (period === 'week') return comparison === 'year' ? 'yearWeek' : 'weekBefore';
  if (comparison === 'year') return 'yearDay';
  if (comparison === 'before' && day === daysAfter(today, -1)) return 'yesterday';
  return day === daysAfter(today, -weekLength) ? 'lastWeekday' : 'openDay';
}

/** Returns the days of a span, earliest first. */
export function daysOf({ start, end }: DaySpan): string[] {
  const days: string[] = [];
  for (let day = start; day <= end; day = daysAfter(day, 1)) days.push(day);
  return days;
}
