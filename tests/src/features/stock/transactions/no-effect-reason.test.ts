import { expect, test } from 'vitest';
import { noEffectReason } from '../../../../../src/features/stock/transactions/no-effect-reason.ts';

const change = { is_count: false, quantity: -2, effect: -2, new_quantity: 8 };

test('SYNC-10 a movement that left the level as it was says why', () => {
  expect(noEffectReason({ ...change, effect: 0 })).toBe('included');
  expect(noEffectReason({ is_count: true, quantity: 12, effect: 0, new_quantity: 8 })).toBe('overtaken');
});

test('one that did what it says, or found what was expected, says nothing', () => {
  expect(noEffectReason(change)).toBeNull();
  expect(noEffectReason({ is_count: true, quantity: 8, effect: 0, new_quantity: 8 })).toBeNull();
  expect(noEffectReason({ is_count: true, quantity: 12, effect: 2, new_quantity: 10 })).toBeNull();
});
