import { describe, expect, test } from 'vitest';
import { reportSummary, sumRows } from '#domain/report/sums.ts';
import type { SumGroup } from '#domain/report/sums.ts';

const group = (currency: string, isCancelled: boolean, amount: number): SumGroup => ({
  currency,
  isCancelled,
  orders: 1,
  total: amount,
  paid: amount / 2,
  refunded: amount / 10,
});
const sums = (count: number, total: number) => ({ count, total, paid: total / 2, refunded: total / 10 });

describe('the sums of a sales report', () => {
  const groups = [
    group('EUR', false, 10_00),
    group('LKR', false, 900_00),
    group('EUR', true, 40_00),
    group('EUR', false, 20_00),
    group('LKR', true, 500_00),
    group('GBP', true, 7_00),
  ];

  test('add up what is not cancelled in the clinic’s currency, and state the rest apart', () => {
    expect(reportSummary(groups, 'EUR')).toEqual({
      count: 6,
      currency: 'EUR',
      sums: sums(2, 30),
      cancelled: sums(1, 40),
      others: [
        { currency: 'GBP', sums: sums(0, 0), cancelled: sums(1, 7) },
        { currency: 'LKR', sums: sums(1, 900), cancelled: sums(1, 500) },
      ],
    });
  });

  test('follow the clinic to another currency', () => {
    const { currency, sums: own, others } = reportSummary(groups, 'LKR');
    expect([currency, own, others.map((other) => other.currency)]).toEqual(['LKR', sums(1, 900), ['EUR', 'GBP']]);
  });

  test('have a row for each that has treatments', () => {
    const kinds = (...some: SumGroup[]) =>
      sumRows(reportSummary(some, 'EUR')).map(({ kind, currency, count }) => [kind, currency, count]);
    expect(kinds(...groups)).toEqual([
      ['total', 'EUR', 2],
      ['cancelled', 'EUR', 1],
      ['cancelledIn', 'GBP', 1],
      ['totalIn', 'LKR', 1],
      ['cancelledIn', 'LKR', 1],
    ]);
    expect(kinds(group('EUR', true, 5))).toEqual([['cancelled', 'EUR', 1]]);
    expect(kinds()).toEqual([['total', 'EUR', 0]]);
  });
});
