import { expect, test } from 'vitest';
import { reportFilterProblems } from '#domain/report/filters.ts';
import {
  exportTabSearch,
  toReportFilters,
  filterNames,
  readFilters,
  noFilters,
  withFilters,
} from '#src/features/reports/export/filters.ts';

const all = {
  startDate: '2026-11-01',
  endDate: '2026-11-21',
  orderType: 'walk_in',
  status: 'served',
  minAmount: '10.5',
  maxAmount: '200',
  searchTerm: 'ana ruiz',
};

test('reads back the filters it wrote to the query string and keeps the other parameters', () => {
  const search = withFilters(new URLSearchParams('tab=export&status=cancelled'), all);
  expect(search.get('tab')).toBe('export');
  expect(readFilters(new URLSearchParams(search.toString()))).toEqual(all);
  expect(withFilters(search, noFilters).toString()).toBe('tab=export');
});

test('ignores an unknown type or status in the query string', () => {
  expect(readFilters(new URLSearchParams('orderType=banquet&status=eaten'))).toEqual(noFilters);
});

test('sends only filled fields, and reads amounts with either decimal mark', () => {
  expect(toReportFilters(noFilters)).toEqual({});
  expect(toReportFilters(all)).toEqual({ ...all, minAmount: 10.5, maxAmount: 200 });
  expect(toReportFilters({ ...noFilters, minAmount: '10,5', searchTerm: '  ' })).toEqual({ minAmount: 10.5 });
});

test('finds an amount that is no number and a range that ends before its start with the rules of the server', () => {
  expect(reportFilterProblems(toReportFilters({ ...noFilters, minAmount: 'much', maxAmount: '-1' }))).toEqual({
    minAmount: 'AMOUNT_NEGATIVE',
    maxAmount: 'AMOUNT_NEGATIVE',
  });
  expect(
    reportFilterProblems(toReportFilters({ ...noFilters, startDate: '2026-11-21', endDate: '2026-11-20' })),
  ).toEqual({
    endDate: 'REPORT_RANGE',
  });
  expect(reportFilterProblems(toReportFilters(all))).toEqual({});
});

test('links to the export tab with the given filters', () => {
  const search = exportTabSearch({ ...noFilters, startDate: all.startDate, endDate: all.endDate });
  expect(Object.fromEntries(search)).toEqual({
    tab: 'export',
    startDate: all.startDate,
    endDate: all.endDate,
  });
  expect(filterNames).toHaveLength(7);
});
