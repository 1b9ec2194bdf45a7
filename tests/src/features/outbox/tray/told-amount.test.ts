import { expect, test } from 'vitest';
import { toldAmount } from '#src/features/outbox/tray/told-amount.ts';

test('an amount is told in the currency, what a fiscal record says as it stands, and what is absent as a dash', () => {
  expect([60.5, 'INV-KTMA7-000129 · F2 · 60.00', undefined].map((detail) => toldAmount(detail, 'EUR'))).toEqual([
    'EUR 60,50',
    'INV-KTMA7-000129 · F2 · 60.00',
    '–',
  ]);
});
