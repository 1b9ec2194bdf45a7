import { expect, test } from 'vitest';
import { dayOrder, monthsAfter, readDay, weeksOf, writeDay } from '#src/forms/day-text.ts';

const british = dayOrder('en-GB');
const american = dayOrder('en-US');

test('a language says the order of day, month and year', () => {
  expect(british).toEqual(['day', 'month', 'year']);
  expect(dayOrder('es-ES')).toEqual(british);
  expect(american).toEqual(['month', 'day', 'year']);
  expect(writeDay('2026-05-31', british)).toBe('31/05/2026');
  expect(writeDay('2026-05-31', american)).toBe('05/31/2026');
  expect([writeDay('', british), writeDay('31.', british)]).toEqual(['', '31.']);
});

test.each([
  ['31/05/2026', '2026-05-31'],
  ['31.5.26', '2026-05-31'],
  ['1-2-2026', '2026-02-01'],
  ['01022026', '2026-02-01'],
  ['010226', '2026-02-01'],
  [' 2026-02-01 ', '2026-02-01'],
  ['', ''],
  ['31/02/2026', null],
  ['29/02/2028', '2028-02-29'],
  ['31/05', null],
  ['1/2/3/2026', null],
  ['tomorrow', null],
  ['32012026', null],
])('%s is read as %s', (text, day) => {
  expect(readDay(text, british)).toBe(day);
});

test('what is written is read again, in any order', () => {
  for (const order of [british, american, ['year', 'month', 'day'] as const])
    for (const day of ['2026-01-02', '2031-12-31', '2028-02-29'])
      expect(readDay(writeDay(day, order), order)).toBe(day);
  expect(readDay('05/31/2026', american)).toBe('2026-05-31');
});

test('a month has its days from Monday on, and moving by months keeps to the days of a month', () => {
  const weeks = weeksOf('2026-11-26');
  expect(weeks[0]).toEqual([null, null, null, null, null, null, '2026-11-01']);
  expect(weeks.flat().filter(Boolean)).toHaveLength(30);
  expect(weeksOf('2028-02-10').flat().filter(Boolean)).toHaveLength(29);
  expect(monthsAfter('2026-01-31', 1)).toBe('2026-02-28');
  expect(monthsAfter('2026-01-31', -2)).toBe('2025-11-30');
  expect(monthsAfter('2026-12-15', 1)).toBe('2027-01-15');
});
