/** Calendar days as people write them. */
import { isDay } from '#domain/business-day.ts';

/** The order of the parts of a date in a language. */
export type DayOrder = readonly ('day' | 'month' | 'year')[];

const orders = new Map<string, DayOrder>();

export function dayOrder(tag: string): DayOrder {
  const known = orders.get(tag);
  if (known) return known;
  const parts = new Intl.DateTimeFormat(tag, { day: '2-digit', month: '2-digit', year: 'numeric' }).formatToParts();
  const order = parts.flatMap(({ type }) => (type === 'day' || type === 'month' || type === 'year' ? [type] : []));
  orders.set(tag, order);
  return order;
}

/** Writes a day (`YYYY-MM-DD`) in numbers, such as `31/05/2026`. A text that is no day stays as it is. */
export function writeDay(day: string, order: DayOrder): string {
  if (!isDay(day)) return day;
  const [year, month, date] = day.split('-') as [string, string, string];
  const parts = { year, month, day: date };
  return order.map((part) => parts[part]).join('/');
}

/**
 * Reads a day that somebody typed: with any sign between its parts or none, with two digits of the year, or as
 * `YYYY-MM-DD`.
 *
 * @returns '' of an empty text; null of one that is no day
 */
export function readDay(text: string, order: DayOrder): string | null {
  const typed = text.trim();
  if (typed === '' || isDay(typed)) return typed;
  const yearAt = order.indexOf('year');
  const digits = typed.replace(/\D/g, '');
  const widths = order.map((part) => (part === 'year' ? digits.length - 4 : 2));
  const isUnbroken = /^\d+$/.test(typed) && (digits.length === 6 || digits.length === 8);
  const starts = widths.map((_, at) => widths.slice(0, at).reduce((sum, width) => sum + width, 0));
  const parts = isUnbroken
    ? starts.map((at, index) => digits.slice(at, at + widths[index]!))
    : typed.split(/[\s/.,-]+/);
  if (parts.length !== 3 || !parts.every((part) => /^\d{1,4}$/.test(part))) return null;
  const year = parts[yearAt]!.length === 2 ? `20${parts[yearAt]!}` : parts[yearAt]!;
  const [month, day] = (['month', 'day'] as const).map((part) => parts[order.indexOf(part)]!.padStart(2, '0'));
  const read = `${year}-${month}-${day}`;
  return isDay(read) ? read : null;
}

/** Moves a day by months; a day that the month has not becomes its last. */
export function monthsAfter(day: string, months: number): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number];
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10);
}

/** Returns the weeks of the month of a day, from Monday on; the days of other months are null. */
export function weeksOf(day: string): (string | null)[][] {
  const month = day.slice(0, 7);
  const [year, number] = month.split('-').map(Number) as [number, number];
  const before = (new Date(`${month}-01T00:00:00Z`).getUTCDay() + 6) % 7;
  const count = new Date(Date.UTC(year, number, 0)).getUTCDate();
  const days = Array.from({ length: count }, (_, at) => `${month}-${String(at + 1).padStart(2, '0')}`);
  const cells = [...Array.from({ length: before }, () => null), ...days];
  while (cells.length % 7 !== 0) cells.push(null);
  return Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7));
}
