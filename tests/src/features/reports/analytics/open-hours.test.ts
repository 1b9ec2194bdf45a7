import { expect, test } from 'vitest';
import { openHours } from '#src/features/reports/analytics/open-hours.ts';

const hoursOf = (rows: ReturnType<typeof openHours>) => rows.map(({ hour }) => hour);

test('runs from the first to the last hour with revenue', () => {
  const shown = openHours([
    { hour: 7, amount: 0 },
    { hour: 10, amount: 60 },
    { hour: 12, amount: -5 },
    { hour: 23, amount: 0 },
  ]);
  expect(shown).toEqual([
    { hour: 10, amount: 60 },
    { hour: 11, amount: 0 },
    { hour: 12, amount: -5 },
  ]);
});

test('shows the hours of a usual day without any revenue', () => {
  expect(hoursOf(openHours([]))).toEqual([8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19]);
  expect(hoursOf(openHours([{ hour: 3, amount: 0 }]))).toHaveLength(12);
});
