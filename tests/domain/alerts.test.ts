import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { crosses, levelCall, lotCall } from '../../domain/stock/alerts.ts';

describe('what calls for an alert', () => {
  test.each([
    [-1, 0, 'out_of_stock', 'high'],
    [0, 0, 'out_of_stock', 'high'],
    [0, 5000, 'out_of_stock', 'high'],
    [1, 5000, 'low_stock', 'medium'],
    [5000, 5000, 'low_stock', 'medium'],
  ])('a level of %i with a threshold of %i is %s', (quantity, threshold, type, severity) => {
    expect(levelCall(quantity, threshold)).toEqual({ type, severity });
  });

  test('is nothing above the threshold', () => {
    expect(levelCall(5001, 5000)).toBeNull();
    expect(levelCall(1, 0)).toBeNull();
  });

  test.each([
    ['2026-04-01', null],
    ['2026-03-31', 'medium'],
    ['2026-03-01', 'medium'],
    ['2026-02-28', 'high'],
    [null, null],
  ])('of a lot that expires on %s is, on the first of March, %s', (expiresOn, severity) => {
    expect(lotCall({ remainingMilli: 1, expiresOn }, '2026-03-01')?.severity ?? null).toBe(severity);
    expect(lotCall({ remainingMilli: 0, expiresOn }, '2026-03-01')).toBeNull();
  });

  test('changes with every step of the level and stays while the level stays', () => {
    fc.assert(
      fc.property(fc.integer({ min: -3000, max: 9000 }), fc.integer({ min: -3000, max: 9000 }), (before, now) => {
        const step = (quantity: number) => (quantity <= 0 ? 'out' : quantity <= 4000 ? 'low' : 'in');
        expect(crosses(levelCall(before, 4000), levelCall(now, 4000))).toBe(step(before) !== step(now));
      }),
      { seed: 20_261_121 },
    );
  });

  test('steps once more when a lot expires', () => {
    const lot = { remainingMilli: 1, expiresOn: '2026-03-01' };
    expect(crosses(lotCall(lot, '2026-03-01'), lotCall(lot, '2026-03-02'))).toBe(true);
    expect(crosses(lotCall(lot, '2026-02-28'), lotCall(lot, '2026-03-01'))).toBe(false);
  });
});
