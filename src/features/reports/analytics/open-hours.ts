import type { Analytics } from '#domain/report/resources.ts';

/** Hours that the chart shows without any revenue. */
const [opening, closing] = [8, 19];

/** Fills in the hours without revenue between the first and the last hour with revenue. */
export function openHours(byHour: Analytics['byHour']): Analytics['byHour'] {
  const amounts = new Map(byHour.filter(({ amount }) => amount !== 0).map(({ hour, amount }) => [hour, amount]));
  const hours = amounts.size > 0 ? [...amounts.keys()] : [opening, closing];
  const first = Math.min(...hours);
  const last = Math.max(...hours);
  return Array.from({ length: last - first + 1 }, (_, index) => ({
    hour: first + index,
    amount: amounts.get(first + index) ?? 0,
  }));
}
