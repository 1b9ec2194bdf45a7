import { expect, test } from 'vitest';
import { noEffectReason } from '#src/features/stock/transactions/no-effect-reason.ts';

const change = { is_count: false, quantity: -2, effect: -2, new_quantity: 8 };

test('SYNC-10 gives the reason for a transaction that left the quantity unchanged', () => {
  expect(noEffectReason({ ...change, effect: 0 })).toBe('included');
  expect(noEffectReason({ is_count: true, quantity: 12, effect: 0, new_quantity: 8 })).toBe('overtaken');
});

test('returns null for a transaction that took effect and for a count that matched', () => {
  expect(noEffectReason(change)).toBeNull();
  expect(noEffectReason({ is_count: true, quantity: 8, effect: 0, new_quantity: 8 })).toBeNull();
  expect(noEffectReason({ is_count: true, quantity: 12, effect: 2, new_quantity: 10 })).toBeNull();
});
