import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { alertChanged, levelAlert, lotAlert } from '#domain/stock/alerts.ts';

describe('the condition of an alert', () => {
  test.each([
    [-1, 0, 'out_of_stock', 'high'],
    [0, 0, 'out_of_stock', 'high'],
    [0, 5000, 'out_of_stock', 'high'],
    [1, 5000, 'low_stock', 'medium'],
    [5000, 5000, 'low_stock', 'medium'],
  ])('a level of %i with a threshold of %i is %s', (quantity, threshold, type, severity) => {
    expect(levelAlert(quantity, threshold)).toEqual({ type, severity });
  });

  test('is null above the threshold', () => {
    expect(levelAlert(5001, 5000)).toBeNull();
    expect(levelAlert(1, 0)).toBeNull();
  });

  test.each([
    ['2026-04-01', null],
    ['2026-03-31', 'medium'],
    ['2026-03-01', 'medium'],
    ['2026-02-28', 'high'],
    [null, null],
  ])('of a lot that expires on %s is, on the first of March, %s', (expiresOn, severity) => {
    expect(lotAlert({ remainingMilli: 1, expiresOn }, '2026-03-01')?.severity ?? null).toBe(severity);
    expect(lotAlert({ remainingMilli: 0, expiresOn }, '2026-03-01')).toBeNull();
  });

  test('changes with every step of the level and stays while the level stays', () => {
    fc.assert(
      fc.property(fc.integer({ min: -3000, max: 9000 }), fc.integer({ min: -3000, max: 9000 }), (before, now) => {
        const step = (quantity: number) => (quantity <= 0 ? 'out' : quantity <= 4000 ? 'low' : 'in');
        expect(alertChanged(levelAlert(before, 4000), levelAlert(now, 4000))).toBe(step(before) !== step(now));
      }),
      { seed: 20_261_121 },
    );
  });

  test('changes again when a lot expires', () => {
    const lot = { remainingMilli: 1, expiresOn: '2026-03-01' };
    expect(alertChanged(lotAlert(lot, '2026-03-01'), lotAlert(lot, '2026-03-02'))).toBe(true);
    expect(alertChanged(lotAlert(lot, '2026-02-28'), lotAlert(lot, '2026-03-01'))).toBe(false);
  });
});
