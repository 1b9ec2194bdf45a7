/** The periods of reports, and the spans they are compared with. */
import { daysAfter } from '../business-day.ts';
import { monthOf } from '../expense/periods.ts';
import type { DaySpan } from '../expense/periods.ts';
import type { ReportPeriod } from './vocabulary.ts';

export interface ComparedSpans {
  current: DaySpan;
  /** The preceding span of the same length. A month to date is compared with the same days of the month before. */
  previous: DaySpan;
}

const weekLength = 7;

/** @param today the clinic's business day */
export function spansOf(period: ReportPeriod, today: string): ComparedSpans {
  switch (period) {
    case 'today':
      return {
        current: { start: today, end: today },
        previous: { start: daysAfter(today, -1), end: daysAfter(today, -1) },
      };
    case 'week': {
      const start = daysAfter(today, 1 - weekLength);
      return {
        current: { start, end: today },
        previous: { start: daysAfter(start, -weekLength), end: daysAfter(start, -1) },
      };
    }
    case 'month': {
      const { start } = monthOf(today);
      const before = monthOf(daysAfter(start, -1));
      const sameDay = before.start.slice(0, 8) + today.slice(8);
      return {
        current: { start, end: today },
        previous: { start: before.start, end: sameDay < before.end ? sameDay : before.end },
      };
    }
  }
}

/** Returns the days of a span, earliest first. */
export function daysOf({ start, end }: DaySpan): string[] {
  const days: string[] = [];
  for (let day = start; day <= end; day = daysAfter(day, 1)) days.push(day);
  return days;
}
