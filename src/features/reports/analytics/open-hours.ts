import type { Analytics } from '../../../../domain/report/resources.ts';

/** The hours of a working day, which show whether or not anything was taken in them. */
const [opening, closing] = [8, 19];

/** Every hour from opening to closing, and from the earliest to the latest in which money moved. */
export function openHours(byHour: Analytics['byHour']): Analytics['byHour'] {
  const amounts = new Map(byHour.map(({ hour, amount }) => [hour, amount]));
  const first = Math.min(opening, ...amounts.keys());
  const last = Math.max(closing, ...amounts.keys());
  return Array.from({ length: last - first + 1 }, (_, index) => ({
    hour: first + index,
    amount: amounts.get(first + index) ?? 0,
  }));
}
