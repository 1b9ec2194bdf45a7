import { expect, test } from 'vitest';
import { isUnusualChange } from '#domain/order/change.ts';
import { settingsProblems } from '#domain/settings/rules.ts';
import { defaultSettings } from '#domain/settings/settings.ts';

test('change is unusual above the bound of the clinic, which is 200 unless the clinic sets another', () => {
  const { change_limit: limit } = defaultSettings;
  expect([0, -500, 20_000, 20_001].map((changeMinor) => isUnusualChange(changeMinor, limit))).toEqual([
    false,
    false,
    false,
    true,
  ]);
  expect(isUnusualChange(1, 0)).toBe(true);
});

test.each([
  [0, undefined],
  [99.5, undefined],
  [-1, 'AMOUNT_NEGATIVE'],
  [Number.NaN, 'AMOUNT_NEGATIVE'],
])('a bound of %d has the problem %s', (limit, problem) => {
  expect(settingsProblems({ ...defaultSettings, change_limit: limit }).change_limit).toBe(problem);
});
