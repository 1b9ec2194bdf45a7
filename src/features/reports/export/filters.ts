/** What the filters of a report hold while they are typed, in the address, and as the server takes them. */
import { orderTypes } from '../../../../domain/order/vocabulary.ts';
import type { ReportFilters } from '../../../../domain/report/filters.ts';
import { reportStatuses } from '../../../../domain/report/vocabulary.ts';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { isValid } from '../../../../domain/problems.ts';
import { reportFilterProblems } from '../../../../domain/report/filters.ts';
import { useDebounced } from '../../../ui/use-debounced.ts';

export type FilterName = keyof ReportFilters;

/** As text; what is empty does not narrow. */
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

/** The filters that an address names. A choice that does not exist is none. */
export function filtersIn(address: URLSearchParams): TypedFilters {
  const typed = Object.fromEntries(filterNames.map((name) => [name, address.get(name) ?? ''])) as TypedFilters;
  return {
    ...typed,
    orderType: orderTypes.find((type) => type === typed.orderType) ?? '',
    status: reportStatuses.find((status) => status === typed.status) ?? '',
  };
}

/** The same address with these filters in the place of its own. */
export function withFilters(address: URLSearchParams, typed: TypedFilters): URLSearchParams {
  const after = new URLSearchParams(address);
  for (const name of filterNames) {
    if (typed[name] === '') after.delete(name);
    else after.set(name, typed[name]);
  }
  return after;
}

/** The address of the tab that shows what these filters find, without its path. */
export const addressOf = (typed: TypedFilters): URLSearchParams =>
  withFilters(new URLSearchParams({ tab: 'export', preview: 'shown' }), typed);

/** What is asked of the server: a number that cannot be read is kept as NaN, which its rule refuses. */
export function asked(typed: TypedFilters): ReportFilters {
  const given = filterNames.map((name) => [name, typed[name].trim()] as const).filter(([, text]) => text !== '');
  return Object.fromEntries(
    given.map(([name, text]) => [
      name,
      name === 'minAmount' || name === 'maxAmount' ? Number(text.replace(',', '.')) : text,
    ]),
  );
}

/** What is typed counts after this much rest: then it is asked for, and stands in the address. */
const restMs = 500;

export interface Filters {
  typed: TypedFilters;
  set: (changed: Partial<TypedFilters>) => void;
  removeAll: () => void;
  /** What is wrong with a field, in the reader's words. */
  errorOf: (name: FilterName) => string | undefined;
  /** What is asked for; null while something is wrong with it. */
  asked: ReportFilters | null;
}

/** The filters of a report. They stand in the address, so that a reload, or a link sent to somebody, finds the same. */
export function useFilters(): Filters {
  const { t } = useTranslation();
  const [address, setAddress] = useSearchParams();
  const [typed, setTyped] = useState(() => filtersIn(address));
  const settled = useDebounced(typed, restMs);
  useEffect(() => {
    setAddress((before) => withFilters(before, settled), { replace: true });
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- The router makes its function anew with each address, which this writes.
  }, [settled]);
  const problems = reportFilterProblems(asked(typed));
  return {
    typed,
    set: (changed) => setTyped((before) => ({ ...before, ...changed })),
    removeAll: () => setTyped(noFilters),
    errorOf: (name) => {
      const problem = problems[name];
      return problem && t(`problems.${problem}`);
    },
    asked: isValid(problems) && isValid(reportFilterProblems(asked(settled))) ? asked(settled) : null,
  };
}
