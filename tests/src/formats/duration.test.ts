import { expect, test } from 'vitest';
import { duration } from '#src/formats/duration.ts';

test('says how long something lasted in its two largest units', () => {
  expect(duration(0, 'en')).toBe('0 sec');
  expect(duration(45_000, 'en')).toBe('45 sec');
  expect(duration(60_000, 'en')).toBe('1 min');
  expect(duration(125_000, 'en')).toBe('2 min 5 sec');
  expect(duration(3_600_000 * 2 + 300_000, 'es-ES')).toBe('2 h 5 min');
  expect(duration(86_400_000 * 3 + 3_600_000 + 300_000, 'en')).toBe('3 days 1 hr');
  expect(duration(-5, 'en')).toBe('0 sec');
});
