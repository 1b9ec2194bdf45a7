import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { isValid } from '../../../../domain/problems.ts';
import { reportFilterProblems } from '../../../../domain/report/filters.ts';
import type { ReportFilters } from '../../../../domain/report/filters.ts';
import { useDebounced } from '../../../ui/use-debounced.ts';
import { asked, filtersIn, noFilters, withFilters } from './filters.ts';
import type { FilterName, TypedFilters } from './filters.ts';

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
