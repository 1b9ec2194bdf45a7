import type { Analytics } from '#domain/report/resources.ts';

/** Hours that the chart always shows. */
const [opening, closing] = [8, 19];

/** Fills in hours without revenue, from opening to closing or, if wider, from the first to the last hour with revenue. */
export function openHours(byHour: Analytics['byHour']): Analytics['byHour'] {
  const amounts = new Map(byHour.map(({ hour, amount }) => [hour, amount]));
  const first = Math.min(opening, ...amounts.keys());
  const last = Math.max(closing, ...amounts.keys());
  return Array.from({ length: last - first + 1 }, (_, index) => ({
    hour: first + index,
    amount: amounts.get(first + index) ?? 0,
  }));
}
