import { expect, test } from 'vitest';
import { openHours } from '#src/features/reports/analytics/open-hours.ts';

test('includes the hours without revenue', () => {
  const hours = openHours([
    { hour: 10, amount: 60 },
    { hour: 12, amount: -5 },
  ]);
  expect(hours.map(({ hour }) => hour)).toEqual([8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
  expect(hours.filter(({ amount }) => amount !== 0)).toEqual([
    { hour: 10, amount: 60 },
    { hour: 12, amount: -5 },
  ]);
});

test('extends to the first and the last hour with revenue', () => {
  const hours = openHours([
    { hour: 0, amount: 1 },
    { hour: 23, amount: 2 },
  ]);
  expect(hours).toHaveLength(24);
  expect([hours[0], hours.at(-1)]).toEqual([
    { hour: 0, amount: 1 },
    { hour: 23, amount: 2 },
  ]);
});
