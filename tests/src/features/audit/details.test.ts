import { expect, test } from 'vitest';
import { detailsOf } from '../../../../src/features/audit/details.ts';
import { newer, newest, older, placeOf } from '../../../../src/features/audit/page-cursors.ts';

test('shows what says something to a person, in its order: amounts as money, no ids, nothing empty, no sums of nothing', () => {
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

test('remembers the way back through the pages, and ends at the newest', () => {
  const third = older(older(newest, 'b'), 'c');
  expect([newest, older(newest, 'b'), third].map(placeOf)).toEqual([null, 'b', 'c']);
  expect(placeOf(newer(third))).toBe('b');
  expect(placeOf(newer(newer(third)))).toBeNull();
  expect(newer(newest)).toBe(newest);
});
