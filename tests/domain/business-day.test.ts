import { expect, test } from 'vitest';
import { businessDay, daysAfter, startOfDay } from '#domain/business-day.ts';

test.each([
  ['2026-03-29', 'Europe/Madrid', '2026-03-28T23:00:00.000Z'],
  ['2026-03-30', 'Europe/Madrid', '2026-03-29T22:00:00.000Z'],
  // The clock goes forward at midnight there, so the day begins at one o'clock.
  ['2019-09-08', 'America/Santiago', '2019-09-08T04:00:00.000Z'],
  ['2026-01-01', 'Pacific/Kiritimati', '2025-12-31T10:00:00.000Z'],
  ['2026-01-01', 'Pacific/Pago_Pago', '2026-01-01T11:00:00.000Z'],
])('SYNC-14 the day %s begins in %s at %s', (day, timeZone, instant) => {
  const start = startOfDay(day, timeZone);
  expect(new Date(start).toISOString()).toBe(instant);
  expect(businessDay(start - 1, timeZone) < day).toBe(true);
});

test('counts days over months, years and changes of the clock', () => {
  expect(daysAfter('2026-02-28', 1)).toBe('2026-03-01');
  expect(daysAfter('2026-03-28', 2)).toBe('2026-03-30');
  expect(daysAfter('2026-01-01', -1)).toBe('2025-12-31');
});
