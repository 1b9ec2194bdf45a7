import { expect, test } from 'vitest';
import { reportFilterProblems } from '../../../../../domain/report/filters.ts';
import {
  addressOf,
  asked,
  filterNames,
  filtersIn,
  noFilters,
  withFilters,
} from '../../../../../src/features/reports/export/filters.ts';

const all = {
  startDate: '2026-11-01',
  endDate: '2026-11-21',
  orderType: 'walk_in',
  status: 'served',
  minAmount: '10.5',
  maxAmount: '200',
  searchTerm: 'ana ruiz',
};

test('filters survive the address word for word, beside what else it says', () => {
  const address = withFilters(new URLSearchParams('tab=export&status=cancelled'), all);
  expect(address.get('tab')).toBe('export');
  expect(filtersIn(new URLSearchParams(address.toString()))).toEqual(all);
  expect(withFilters(address, noFilters).toString()).toBe('tab=export');
});

test('an address that names what does not exist narrows by nothing', () => {
  expect(filtersIn(new URLSearchParams('orderType=banquet&status=eaten'))).toEqual(noFilters);
});

test('only what was typed is asked for, amounts as numbers with either decimal mark', () => {
  expect(asked(noFilters)).toEqual({});
  expect(asked(all)).toEqual({ ...all, minAmount: 10.5, maxAmount: 200 });
  expect(asked({ ...noFilters, minAmount: '10,5', searchTerm: '  ' })).toEqual({ minAmount: 10.5 });
});

test('what cannot be read as a number, or a span that ends before it begins, is found by the rules that the server has', () => {
  expect(reportFilterProblems(asked({ ...noFilters, minAmount: 'much', maxAmount: '-1' }))).toEqual({
    minAmount: 'AMOUNT_NEGATIVE',
    maxAmount: 'AMOUNT_NEGATIVE',
  });
  expect(reportFilterProblems(asked({ ...noFilters, startDate: '2026-11-21', endDate: '2026-11-20' }))).toEqual({
    endDate: 'REPORT_RANGE',
  });
  expect(reportFilterProblems(asked(all))).toEqual({});
});

test('the way to all treatments of a span opens the tab of filters with their list', () => {
  const address = addressOf({ ...noFilters, startDate: all.startDate, endDate: all.endDate });
  expect(Object.fromEntries(address)).toEqual({
    tab: 'export',
    preview: 'shown',
    startDate: all.startDate,
    endDate: all.endDate,
  });
  expect(filterNames).toHaveLength(7);
});
