import { expect, test } from 'vitest';
import { detailsOf } from '#src/features/audit/details.ts';

test('keeps the details in order, marks amounts as money, and drops ids, empty texts and amounts of 0', () => {
  const details = {
    stock_id: 4,
    amount: 60,
    payment_method: 'card',
    cash: 0,
    quantity: 0,
    name: '',
    void: 'x',
    price: '4 → 5',
  };
  expect(detailsOf({ details })).toEqual([
    { name: 'amount', value: 60, isMoney: true },
    { name: 'payment_method', value: 'card', isMoney: false },
    { name: 'quantity', value: 0, isMoney: false },
    { name: 'price', value: '4 → 5', isMoney: false },
  ]);
});
