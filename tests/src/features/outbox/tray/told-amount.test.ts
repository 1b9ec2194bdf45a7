import { expect, test } from 'vitest';
import type { AttentionResource } from '#domain/protocol/sync.ts';
import { moneyOf, toldAmount } from '#src/features/outbox/tray/told-amount.ts';

test('an amount is told in the currency, what a fiscal record says as it stands, and what is absent as a dash', () => {
  expect([60.5, 'INV-KTMA7-000129 · F2 · 60.00', undefined].map((detail) => toldAmount(detail, 'EUR'))).toEqual([
    'EUR 60,50',
    'INV-KTMA7-000129 · F2 · 60.00',
    '–',
  ]);
});

const refused = (op_kind: string, amount?: number, currency = 'EUR'): AttentionResource => ({
  id: 1,
  kind: 'refused',
  op_id: null,
  op_kind,
  order_id: null,
  details: { ...(amount !== undefined && { amount, currency }) },
  created_at: '2026-11-27T04:00:00.000Z',
  settled_at: null,
});

test('the payments among items are told with their sum, and not at all in two currencies', () => {
  const sale = [refused('order.create'), refused('order.pay', 60), refused('order.pay', 12_345.67)];
  expect(moneyOf('order.pay', sale)).toEqual({ count: 2, amount: 'EUR 12.405,67' });
  expect(moneyOf('order.refund', sale)).toBeNull();
  expect(moneyOf('order.refund', [...sale, refused('order.refund', 10)])).toEqual({ count: 1, amount: 'EUR 10,00' });
  expect(moneyOf('order.pay', [...sale, refused('order.pay', 5, 'GBP')])).toBeNull();
});
