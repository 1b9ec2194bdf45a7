import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { daysAfter } from '#domain/business-day.ts';
import { shareOf } from '#domain/money.ts';
import { averageOrder, changeOf, chargeWithin, sumDays, netOf, revenueOf } from '#domain/report/totals.ts';
import type { ReportTotals } from '#domain/report/totals.ts';
import { reportFilterProblems } from '#domain/report/filters.ts';
import { comparedName, comparedSpan, daysOf, spanOf, spanToCompare } from '#domain/report/periods.ts';
import { dayTarget, workingWeekdays } from '#domain/report/target.ts';

const quiet: ReportTotals = {
  orders: 0,
  completed: 0,
  completedMinor: 0,
  cancelled: 0,
  discounts: 0,
  discountMinor: 0,
  grossMinor: 0,
  refunds: 0,
  refundsMinor: 0,
  chargeMinor: 0,
  byType: [],
  byMethod: [],
  byHour: [],
  products: [],
  others: [],
};

describe('the totals of several days', () => {
  test('are the sums of the totals of each day, part by part', () => {
    const [first, second] = [
      {
        ...quiet,
        orders: 2,
        completed: 2,
        completedMinor: 500,
        grossMinor: 500,
        byType: [{ type: 'walk_in' as const, orders: 2, revenueMinor: 500 }],
        products: [{ item: 's1', name: 'Filling', quantityMilli: 1000, revenueMinor: 500 }],
      },
      {
        ...quiet,
        orders: 1,
        completed: 1,
        completedMinor: 70,
        grossMinor: 70,
        refunds: 1,
        refundsMinor: 30,
        chargeMinor: 7,
        byType: [
          { type: 'walk_in' as const, orders: 0, revenueMinor: -30 },
          { type: 'delivery' as const, orders: 1, revenueMinor: 70 },
        ],
        products: [
          { item: 's1', name: 'Filling', quantityMilli: 500, revenueMinor: 250 },
          { item: 'p1', name: 'Filling', quantityMilli: 1000, revenueMinor: 9 },
        ],
      },
    ];
    const both = sumDays([first, second]);
    expect(both).toEqual({
      ...quiet,
      orders: 3,
      completed: 3,
      completedMinor: 570,
      grossMinor: 570,
      refunds: 1,
      refundsMinor: 30,
      chargeMinor: 7,
      byType: [
        { type: 'walk_in', orders: 2, revenueMinor: 470 },
        { type: 'delivery', orders: 1, revenueMinor: 70 },
      ],
      products: [
        { item: 's1', name: 'Filling', quantityMilli: 1500, revenueMinor: 750 },
        { item: 'p1', name: 'Filling', quantityMilli: 1000, revenueMinor: 9 },
      ],
    });
    expect([revenueOf(both), netOf(both), averageOrder(both)]).toEqual([540, 533, 190]);
    // The inputs are unchanged.
    expect(first.byType[0]).toEqual({ type: 'walk_in', orders: 2, revenueMinor: 500 });
    expect(sumDays([])).toEqual(quiet);
  });

  test('have an average rounded half up to the cent, which is 0 without completed treatments', () => {
    expect(averageOrder({ ...quiet, orders: 9, completed: 8, completedMinor: 100, grossMinor: 300 })).toBe(13);
    expect(averageOrder({ ...quiet, orders: 1, grossMinor: 100 })).toBe(0);
  });
});

describe('the charge within what was paid', () => {
  const treatment = { totalMinor: 25_200, chargeMinor: 1200 };

  test('is proportional to the payment, complete when all is paid, and 0 when all is refunded', () => {
    expect([12_600, 25_200, 30_000, 0, -5].map((paidMinor) => chargeWithin(paidMinor, treatment))).toEqual([
      600, 1200, 1200, 0, 0,
    ]);
    expect(chargeWithin(100, { totalMinor: 0, chargeMinor: 0 })).toBe(0);
    // Half a cent is rounded up, and the largest amounts are exact.
    expect(chargeWithin(1, { totalMinor: 2, chargeMinor: 1 })).toBe(1);
    expect(chargeWithin(999_999_999_999, { totalMinor: 1_000_000_000_000, chargeMinor: 999_999_999_999 })).toBe(
      999_999_999_998,
    );
  });

  test('never decreases when more is paid, and never exceeds the charge', () => {
    fc.assert(
      fc.property(
        fc.nat(100_000),
        fc.nat(5000),
        fc.nat(120_000),
        fc.nat(5000),
        (rest, chargeMinor, paidMinor, more) => {
          const terms = { totalMinor: rest + chargeMinor, chargeMinor };
          const [before, after] = [chargeWithin(paidMinor, terms), chargeWithin(paidMinor + more, terms)];
          expect(after).toBeGreaterThanOrEqual(before);
          expect(after).toBeLessThanOrEqual(chargeMinor);
        },
      ),
      { seed: 7 },
    );
  });
});

describe('percentages', () => {
  test('round a change to one decimal, half away from zero, and call a change from 0 new', () => {
    expect([changeOf(1125, 1000), changeOf(875, 1000), changeOf(100_050, 100_000), changeOf(99_950, 100_000)]).toEqual([
      12.5, -12.5, 0.1, -0.1,
    ]);
    expect([changeOf(5, 0), changeOf(0, 0), changeOf(-5, 0)]).toEqual([null, 0, null]);
    // From a day on which only refunds were paid out, every better day is a gain.
    expect([changeOf(50, -100), changeOf(-150, -100)]).toEqual([150, -50]);
  });

  test('round a share to one or two decimals, and are 0 for a share of 0', () => {
    expect([shareOf(1, 3, 1), shareOf(2, 3, 2), shareOf(-1, 3, 1), shareOf(5, 0, 1), shareOf(5, -5, 2)]).toEqual([
      33.3, 66.67, -33.3, 0, 0,
    ]);
    // Half a tenth that a division of doubles would round down.
    expect(shareOf(1421, 2800, 1)).toBe(50.8);
  });
});

describe('the periods of reports', () => {
  const never = () => false;
  const compared = (
    period: Parameters<typeof comparedSpan>[0],
    comparison: Parameters<typeof comparedSpan>[1],
    today: string,
    isOpen: (day: string) => boolean = never,
  ) => {
    const { start, end } = comparedSpan(period, comparison, { today, isOpen });
    return `${start} ${end}`;
  };

  test('are the day, the last seven days and the month so far', () => {
    expect(spanOf('today', '2026-03-01')).toEqual({ start: '2026-03-01', end: '2026-03-01' });
    expect(spanOf('week', '2026-03-03')).toEqual({ start: '2026-02-25', end: '2026-03-03' });
    expect(spanOf('month', '2026-03-12')).toEqual({ start: '2026-03-01', end: '2026-03-12' });
  });

  test('are compared with the seven days before, and with the same days of the month before', () => {
    expect(compared('week', 'before', '2026-03-03')).toBe('2026-02-18 2026-02-24');
    expect(compared('month', 'before', '2026-03-12')).toBe('2026-02-01 2026-02-12');
    expect(compared('month', 'before', '2026-03-31')).toBe('2026-02-01 2026-02-28');
    expect(compared('month', 'before', '2027-01-15')).toBe('2026-12-01 2026-12-15');
  });

  test('are compared on a Monday with the Saturday on which the clinic last worked, not with a closed Sunday', () => {
    const monday = '2026-03-02';
    const worked = new Set(['2026-02-27', '2026-02-28']);
    const isOpen = (day: string) => worked.has(day);
    expect(compared('today', 'before', monday, isOpen)).toBe('2026-02-28 2026-02-28');
    expect(comparedName('today', 'before', { today: monday, day: '2026-02-28' })).toBe('openDay');
    expect(compared('today', 'before', '2026-03-01', isOpen)).toBe('2026-02-28 2026-02-28');
    expect(comparedName('today', 'before', { today: '2026-03-01', day: '2026-02-28' })).toBe('yesterday');
    // The last open day is looked for within a week, which is what has to be read.
    expect(spanToCompare('today', 'before', '2026-03-08')).toEqual({ start: '2026-03-01', end: '2026-03-07' });
    expect(compared('today', 'before', '2026-03-08', isOpen)).toBe('2026-03-07 2026-03-07');
  });

  test('are compared with the same weekdays, without a common day, and with the year before', () => {
    expect(compared('today', 'weekdays', '2026-03-05')).toBe('2026-02-26 2026-02-26');
    expect(compared('month', 'weekdays', '2026-03-12')).toBe('2026-02-15 2026-02-26');
    expect(compared('month', 'weekdays', '2026-03-31')).toBe('2026-01-25 2026-02-24');
    expect(compared('today', 'year', '2026-03-05')).toBe('2025-03-06 2025-03-06');
    expect(compared('month', 'year', '2024-02-29')).toBe('2023-02-01 2023-02-28');
    fc.assert(
      fc.property(fc.nat(3000), fc.constantFrom('today', 'week', 'month'), (offset, period) => {
        const today = daysAfter('2024-01-01', offset);
        const { start } = spanOf(period, today);
        const weekdays = comparedSpan(period, 'weekdays', { today, isOpen: never });
        expect(weekdays.end < start).toBe(true);
        const distance = daysOf({ start: weekdays.start, end: start }).length - 1;
        expect(distance % 7).toBe(0);
      }),
      { seed: 11 },
    );
  });

  test('have a target per working day: the days of the week that were open twice in four weeks', () => {
    const open = new Set(['2026-03-02', '2026-03-09', '2026-03-16', '2026-03-17', '2026-03-22', '2026-03-10']);
    // Mondays and Tuesdays; the Sunday of 22 March was one emergency.
    const weekdays = workingWeekdays('2026-03-25', (day) => open.has(day));
    expect([...weekdays].toSorted((a, b) => a - b)).toEqual([1, 2]);
    // March 2026 has five Mondays and five Tuesdays.
    expect(dayTarget(100_000, '2026-03-25', weekdays)).toBe(10_000);
    expect([...workingWeekdays('2026-03-25', never)]).toEqual([1, 2, 3, 4, 5]);
  });

  test('contain all their days, also when the clock changes', () => {
    expect(daysOf({ start: '2026-03-28', end: '2026-03-30' })).toEqual(['2026-03-28', '2026-03-29', '2026-03-30']);
    expect(daysOf({ start: '2026-03-02', end: '2026-03-01' })).toEqual([]);
    expect(daysOf({ start: '2026-01-01', end: daysAfter('2026-01-01', 364) })).toHaveLength(365);
  });
});

describe('the filters of a report', () => {
  test('may be empty, and may name one day or one amount', () => {
    expect(reportFilterProblems({})).toEqual({});
    expect(
      reportFilterProblems({
        startDate: '2026-02-28',
        endDate: '2026-02-28',
        minAmount: 0,
        maxAmount: 0,
        searchTerm: 'ana',
      }),
    ).toEqual({});
  });

  test('refuse short searches, and ranges that end before they start', () => {
    for (const searchTerm of ['a', 'ñ', 't-', '-', '7', '% %'])
      expect(reportFilterProblems({ searchTerm })).toEqual({ searchTerm: 'SEARCH_SHORT' });
    for (const searchTerm of ['Li', 'x-r', 'a b', '12']) expect(reportFilterProblems({ searchTerm })).toEqual({});
    expect(reportFilterProblems({ startDate: '2026-03-02', endDate: '2026-03-01' })).toEqual({
      endDate: 'REPORT_RANGE',
    });
    expect(reportFilterProblems({ minAmount: 10.01, maxAmount: 10 })).toEqual({ maxAmount: 'AMOUNT_RANGE' });
  });

  test('must be valid days, amounts and texts', () => {
    expect(
      reportFilterProblems({
        startDate: '2026-02-30',
        endDate: 'soon',
        minAmount: -1,
        maxAmount: Number.NaN,
        searchTerm: 'x'.repeat(101),
      }),
    ).toEqual({
      startDate: 'DATE_INVALID',
      endDate: 'DATE_INVALID',
      minAmount: 'AMOUNT_NEGATIVE',
      maxAmount: 'AMOUNT_NEGATIVE',
      searchTerm: 'TOO_LONG',
    });
  });
});
