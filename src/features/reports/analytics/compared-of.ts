import type { Analytics } from '#domain/report/resources.ts';
import type { ComparedPeriod } from '#src/formats/use-growth.ts';

/** Returns what the analytics of a period are compared with. */
export const comparedOf = ({ period, comparison, dateRange, comparedRange }: Analytics): ComparedPeriod => ({
  period,
  comparison,
  today: dateRange.end,
  start: comparedRange.start,
});
