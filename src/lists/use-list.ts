import { useState } from 'react';
import { defaultPageSize } from '../../domain/pagination.ts';
import { useDebounced } from '../ui/use-debounced.ts';
import type { Sort } from '../ui/data-table.tsx';

/** Delay from the last key to the search. */
const searchRestMs = 500;

export interface ListState<Filters> {
  page: number;
  size: number;
  /** `search` is the text as typed, `settledSearch` the text applied. */
  search: string;
  settledSearch: string;
  /** True while the typed text is not applied yet. */
  isSearchPending: boolean;
  filters: Filters;
  sort: Sort | undefined;
  setPage: (page: number) => void;
  setSize: (size: number) => void;
  setSearch: (text: string) => void;
  setFilters: (changed: Partial<Filters>) => void;
  setSort: (sort: Sort) => void;
}

/**
 * Holds the page, search, filters and sort order of a list. Any change of the search, filters or order returns to page
 * 1.
 */
export function useList<Filters extends object>(initial: {
  filters: Filters;
  sort?: Sort;
  size?: number;
}): ListState<Filters> {
  const [state, setState] = useState({
    page: 1,
    size: initial.size ?? defaultPageSize,
    search: '',
    filters: initial.filters,
    sort: initial.sort,
  });
  const settledSearch = useDebounced(state.search.trim(), searchRestMs);
  const [pageOfSearch, setPageOfSearch] = useState(settledSearch);
  if (pageOfSearch !== settledSearch) {
    setPageOfSearch(settledSearch);
    setState((before) => ({ ...before, page: 1 }));
  }
  return {
    ...state,
    settledSearch,
    isSearchPending: state.search.trim() !== settledSearch,
    setPage: (page) => setState((before) => ({ ...before, page })),
    setSize: (size) => setState((before) => ({ ...before, size, page: 1 })),
    setSearch: (search) => setState((before) => ({ ...before, search })),
    setFilters: (changed) => setState((before) => ({ ...before, filters: { ...before.filters, ...changed }, page: 1 })),
    setSort: (sort) => setState((before) => ({ ...before, sort, page: 1 })),
  };
}
