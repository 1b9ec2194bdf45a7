/** Filters of a report: as typed, in the query string, and as sent to the server. */
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { amountForm, readDecimal } from '#domain/decimal.ts';
import { minorToWire } from '#domain/money.ts';
import { orderTypes } from '#domain/order/vocabulary.ts';
import { reportFilterProblems } from '#domain/report/filters.ts';
import type { ReportFilters } from '#domain/report/filters.ts';
import { reportStatuses } from '#domain/report/vocabulary.ts';
import { isValid } from '#domain/problems.ts';
import { useDebounced } from '#src/ui/use-debounced.ts';

export type FilterName = keyof ReportFilters;

/** The text of each field; an empty string filters nothing. */
export type TypedFilters = Record<FilterName, string>;

export const noFilters: TypedFilters = {
  startDate: '',
  endDate: '',
  orderType: '',
  status: '',
  minAmount: '',
  maxAmount: '',
  searchTerm: '',
};
export const filterNames = Object.keys(noFilters) as FilterName[];

/** Reads the filters from the query string. An unknown type or status is ignored. */
export function readFilters(search: URLSearchParams): TypedFilters {
  const typed = Object.fromEntries(filterNames.map((name) => [name, search.get(name) ?? ''])) as TypedFilters;
  return {
    ...typed,
    orderType: orderTypes.find((type) => type === typed.orderType) ?? '',
    status: reportStatuses.find((status) => status === typed.status) ?? '',
  };
}

/** Returns the query string with its filters replaced; empty filters are left out. */
export function withFilters(search: URLSearchParams, typed: TypedFilters): URLSearchParams {
  const after = new URLSearchParams(search);
  for (const name of filterNames) {
    if (typed[name] === '') after.delete(name);
    else after.set(name, typed[name]);
  }
  return after;
}

/** Returns the query string of the export tab with these filters. */
export const exportTabSearch = (typed: TypedFilters): URLSearchParams =>
  withFilters(new URLSearchParams({ tab: 'export' }), typed);

/** Returns the filters as sent to the server. An amount that cannot be read becomes NaN, which the validation refuses. */
export function toReportFilters(typed: TypedFilters): ReportFilters {
  const given = filterNames.map((name) => [name, typed[name].trim()] as const).filter(([, text]) => text !== '');
  return Object.fromEntries(
    given.map(([name, text]) => [name, name === 'minAmount' || name === 'maxAmount' ? amountOf(text) : text]),
  );
}

function amountOf(text: string): number {
  const { scaled } = readDecimal(text, amountForm);
  return typeof scaled === 'number' ? minorToWire(scaled) : Number.NaN;
}

/** Pause in typing after which the filters apply. */
const debounceMs = 500;

export interface FilterState {
  typed: TypedFilters;
  set: (changed: Partial<TypedFilters>) => void;
  removeAll: () => void;
  /** Returns the translated error of a field. */
  errorOf: (name: FilterName) => string | undefined;
  /** The filters that apply; null while one of them is invalid. */
  applied: ReportFilters | null;
}

/** Keeps the filters in the query string, so that a reload or a shared link restores them. */
export function useFilters(): FilterState {
  const { t } = useTranslation();
  const [search, setSearch] = useSearchParams();
  const [typed, setTyped] = useState(() => readFilters(search));
  const settled = useDebounced(typed, debounceMs);
  useEffect(() => {
    setSearch((before) => withFilters(before, settled), { replace: true });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- The router returns a new setter after each navigation, which this effect causes.
  }, [settled]);
  const problems = reportFilterProblems(toReportFilters(typed));
  const settledFilters = toReportFilters(settled);
  return {
    typed,
    set: (changed) => setTyped((before) => ({ ...before, ...changed })),
    removeAll: () => setTyped(noFilters),
    errorOf: (name) => {
      const problem = problems[name];
      return problem && t(`problems.${problem}`);
    },
    applied: isValid(problems) && isValid(reportFilterProblems(settledFilters)) ? settledFilters : null,
  };
}
